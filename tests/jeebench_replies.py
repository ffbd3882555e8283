"""A seeded generator of JEEBench replies whose confidence is known, so that tau, errors and marks follow on paper.

Every problem has 8 samples. A *level* k is the number of samples that name an option; all others name none of them,
so confidences are k/8 only if samples without an answer count too. The seed shuffles problems, samples, letters, years
and which problems are the right ones; how many there are of each kind is fixed, so the figures hold for every seed.
"""

import random
from pathlib import Path

from evaltrail import jsonl
from evaltrail.records import Instance, Score
from evaltrail.tables import TableRow

LEVELS = range(1, 9)
YEARS = {"validation": range(2016, 2022), "test": range(2022, 2024)}
# Of 8 single-correct problems at level k, how many have the named option right.
RIGHT = {
    "calibrated": lambda k: k,
    "over-confident": lambda k: max(0, k - 4),
    "adversarial": lambda k: 8 - k,
    "hopeless": lambda k: 0,
}


def single(kind: str, part: str, rng: random.Random) -> list[tuple[Instance, Score]]:
    """64 problems with one right option, 8 a level: k samples name one option, 8 - k have no answer."""
    made = []
    for k in LEVELS:
        for number in range(8):
            named, other = rng.sample("ABCD", 2)
            gold = named if number < RIGHT[kind](k) else other
            made.append(_made("MCQ", gold, named, _shuffled([named] * k + [None] * (8 - k), rng), part, rng))
    return made


def multiple(part: str, rng: random.Random) -> list[tuple[Instance, Score]]:
    """56 problems with several right options, calibrated, 8 for each k of 1 to 7.

    One option is in all 8 samples and always right, one is in k of them and right in k of the 8 problems, two are
    never named and never right.
    """
    made = []
    for k in range(1, 8):
        for number in range(8):
            sure, doubtful = rng.sample("ABCD", 2)
            both = "".join(sorted(sure + doubtful))
            answers = _shuffled([both] * k + [sure] * (8 - k), rng)
            gold = both if number < k else sure
            prediction = both if k >= 4 else sure
            made.append(_made("MCQ(multiple)", gold, prediction, answers, part, rng))
    return made


def numbers(right: int, wrong: int, none: int, type: str, year: int) -> list[tuple[Instance, Score]]:
    """Problems of 2 decimals or whole numbers, one sample each: so many right, wrong and without an answer."""
    answers = ["1"] * right + ["2"] * wrong + [None] * none
    return [
        (
            Instance("", "phy", type, "", ("1",), {"year": year}),
            Score("", answer, ("1",), float(answer == "1"), (answer,)),
        )
        for answer in answers
    ]


def numbered(made: list[tuple[Instance, Score]]) -> list[tuple[Instance, Score]]:
    """The same with ids that differ."""
    return [
        (_with(instance, id=f"#{n}"), _with(score, instance=f"#{n}"))
        for n, (instance, score) in enumerate(made)
    ]


def problem(
    type: str,
    gold: str,
    answers: list[str | None],
    *,
    prediction: str | None = None,
    score: float = 0.0,
    year: int = 2020,
    subject: str = "phy",
) -> tuple[Instance, Score]:
    """One problem by hand; the prediction is the first sample's answer unless another is given."""
    instance = Instance("", subject, type, "", (gold,), {"year": year})
    return instance, Score("", prediction or answers[0], (gold,), score, tuple(answers))


def write(folder: Path, made: list[tuple[Instance, Score]]) -> tuple[list[Instance], str]:
    """The instances, and the path of a scores.jsonl of theirs in `folder`."""
    made = numbered(made)
    path = str(folder / "scores.jsonl")
    jsonl.write(path, [score for _, score in made])
    return [instance for instance, _ in made], path


def row(system: str, files: dict[str, str], pairs_with: str | None = None) -> TableRow:
    """A table's row; its label is the id in capitals."""
    return TableRow(system, system.upper(), {"pairs_with": pairs_with}, files)


def _made(type, gold, prediction, answers, part, rng) -> tuple[Instance, Score]:
    return problem(type, gold, answers, prediction=prediction, year=rng.choice(YEARS[part]))


def _shuffled(items: list, rng: random.Random) -> list:
    rng.shuffle(items)
    return items


def _with(record, **changes):
    return type(record)(**{name: getattr(record, name) for name in record.__struct_fields__} | changes)
