"""JEEBench's score: 1 for the right answer; for several right options a quarter for each when none is wrong.

Arora et al. 2023, section 4; the numeric rule is that of the authors' compute_metrics.py.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations

from evaltrail.benchmarks.jeebench import authors
from evaltrail.benchmarks.jeebench.answers import NUMBERS, OPTIONS, read_recorded
from evaltrail.benchmarks.jeebench.kinds import SUBJECTS, TYPES
from evaltrail.records import Instance, Score

# Whether two numbers are the same answer. The paper's rule subtracts floats: 0.63 - 0.62 exceeds 0.01 there and
# 13.33 - 13.32 does not. On decimals both differ by exactly 0.01 and count.
WITHIN = {
    "paper": lambda gold, answer: abs(float(gold) - float(answer)) <= 0.01,
    "exact": lambda gold, answer: abs(Decimal(gold) - Decimal(answer)) <= Decimal("0.01"),
}


def groups_of(instance: Instance) -> list[str]:
    """The columns of Table 2 that an instance counts in."""
    return [SUBJECTS[instance.subject], TYPES[instance.type], "Total"]


def scores(items, spec: dict) -> Iterator[Score]:
    """The score of each item (`evaltrail.score.Answered`)."""
    return (score(item.instance, item.answers, spec) for item in items)


def score(instance: Instance, answers: list[str | None], spec: dict) -> Score:
    """The score of an instance's samples together. `answers` are the rules' or, by the spec, a person's readings."""
    gold = instance.references[0]
    readings = [answer or "None" for answer in answers]
    if spec["answers"] == "recorded":
        answers = [read_recorded(instance.type, reading) for reading in readings]
    if spec["compat"] == "authors":
        reading = authors.aggregate(instance.type, readings)
        answer = authors.as_answer(instance.type, reading)
        points = authors.score(instance.type, gold, reading)
    else:
        answer = aggregate(instance.type, answers, Decimal(str(spec["tau"])))
        points = score_answer(instance.type, gold, answer, spec["tolerance"])
    return Score(instance.id, answer, instance.references, points, tuple(answers))


HALF = Decimal("0.5")


def aggregate(type: str, answers: Sequence[str | None], tau: Decimal = HALF) -> str | None:
    """One answer out of n samples (paper, section 5.4: self-consistency). None when there is none.

    Several right options: those in a share of at least `tau` of ALL samples. Else the most frequent answer of those
    given, numbers compared as numbers; of equally frequent ones that which was given first.
    """
    if type == "MCQ(multiple)":
        kept = [
            option
            for option in OPTIONS
            if sum(option in (answer or "") for answer in answers) >= tau * len(answers)
        ]
        return "".join(kept) or None
    given = [answer for answer in answers if answer is not None]
    keys = [answer if type == "MCQ" else Decimal(answer) for answer in given]
    if not keys:
        return None
    return given[keys.index(Counter(keys).most_common(1)[0][0])]


def score_answer(type: str, gold: str, answer: str | None, tolerance: str) -> float:
    """The score of one answer, 0 to 1."""
    if answer is None:
        return 0.0
    if type in NUMBERS:
        return float(WITHIN[tolerance](gold, answer))
    if set(answer) == set(gold):
        return 1.0
    if type == "MCQ(multiple)" and set(answer) < set(gold):
        return 0.25 * len(set(answer))
    return 0.0


def expected_random(type: str, gold: str) -> float:
    """The expected score of a random answer: one of the options, or any of the 16 sets of options; 0 for a number."""
    if type in NUMBERS:
        return 0.0
    if type == "MCQ":
        draws = list(OPTIONS)
    else:
        draws = ["".join(options) for size in range(5) for options in combinations(OPTIONS, size)]
    return sum(score_answer(type, gold, draw or None, "exact") for draw in draws) / len(draws)
