"""The exam's marks: what an answer earns and costs, and when a system had better not answer (Arora et al. 2023,
tables 5 and 6).

The confidence of an option is the share of ALL samples whose answer has it, those without an answer included. It is
kept as a number of samples, so that no comparison with a threshold is rounded.
"""

from collections.abc import Iterable
from typing import NamedTuple

from evaltrail import jsonl
from evaltrail.benchmarks.jeebench.answers import MCQS, OPTIONS
from evaltrail.benchmarks.jeebench.score import score_answer
from evaltrail.errors import InputError
from evaltrail.records import Instance, Score


class Rule(NamedTuple):
    """Marks of a type: for the whole answer, for each right option where none is wrong, and for a wrong answer."""

    full: int
    each: int
    wrong: int


# The marking scheme of JEE Advanced as the paper gives it; a skipped problem earns 0.
SCHEME = {
    "MCQ": Rule(full=3, each=0, wrong=-1),
    "MCQ(multiple)": Rule(full=4, each=1, wrong=-2),
    "Integer": Rule(full=4, each=0, wrong=0),
    "Numeric": Rule(full=3, each=0, wrong=0),
}


class Answered(NamedTuple):
    """An instance and what a system made of it."""

    instance: Instance
    score: Score


class Tally(NamedTuple):
    """Marks won and marks lost; `negative` is 0 or less."""

    positive: int
    negative: int

    @property
    def total(self) -> int:
        return self.positive + self.negative


def marks(type: str, gold: str, answer: str | None, tolerance: str = "paper") -> int:
    """The marks of one answer. tolerance: the rule for numbers, `paper` or `exact`; 0 for no answer."""
    rule = SCHEME[type]
    if not answer:
        return 0
    if type not in MCQS:
        return rule.full if score_answer(type, gold, answer, tolerance) == 1 else rule.wrong
    right, given = set(gold), set(answer)
    if given == right:
        return rule.full
    return rule.each * len(given) if given < right else rule.wrong


def maximum(instances: Iterable[Instance]) -> int:
    """The marks of somebody who gets everything right: 1074 for JEEBench's MCQs, 229 for all of its 2023 problems."""
    return sum(SCHEME[instance.type].full for instance in instances)


def option_counts(answers: Iterable[str | None]) -> dict[str, int]:
    """For each option, the number of samples whose answer has it."""
    given = [answer or "" for answer in answers]
    return {option: sum(option in answer for answer in given) for option in OPTIONS}


def answer_under(
    type: str, prediction: str | None, answers: tuple[str | None, ...], least: int
) -> str | None:
    """The answer of a system that needs `least` samples behind what it says; None when it abstains.

    One right option: the prediction, which is the most frequent answer (ties as in `score.aggregate`: the one given
    first), where `least` samples have it. Several: every option that `least` samples have.
    """
    if type == "MCQ(multiple)":
        counts = option_counts(answers)
        return "".join(option for option in OPTIONS if counts[option] >= least) or None
    if prediction is None:
        return None
    support = sum(set(prediction) <= set(answer or "") for answer in answers)
    return prediction if support >= least else None


def earned(answered: Answered, least: dict[str, int] | None = None) -> int:
    """A system's marks on an instance. A number is right when it scored 1, so by the dataset's own tolerance.

    least: by type, the samples that an answer needs (thresholds); a type that is not named answers as predicted.
    """
    instance, row = answered
    if instance.type not in MCQS:
        rule = SCHEME[instance.type]
        return 0 if row.prediction is None else rule.full if row.score == 1 else rule.wrong
    answer = row.prediction
    if least and instance.type in least:
        answer = answer_under(instance.type, answer, row.answers, least[instance.type])
    return marks(instance.type, instance.references[0], answer)


def tally(rows: Iterable[Answered], least: dict[str, int] | None = None) -> Tally:
    """The marks of all `rows`, won and lost apart. least: as in `earned`."""
    each = [earned(row, least) for row in rows]
    return Tally(sum(mark for mark in each if mark > 0), sum(mark for mark in each if mark < 0))


def answered(instances: Iterable[Instance], path) -> list[Answered]:
    """The rows of a scores.jsonl, each with its instance, in the file's order.

    Raises InputError for an instance that is not in the dataset, and for rows with different numbers of samples.
    """
    known = {instance.id: instance for instance in instances}
    rows = []
    for row in jsonl.read(path, Score):
        if row.instance not in known:
            raise InputError(path, "is no instance of the dataset", row=row.instance, fix=_REMAKE)
        rows.append(Answered(known[row.instance], row))
        first, own = len(rows[0].score.answers), len(row.answers)
        if own != first:
            what = f"has {own} answers where the first row has {first}"
            raise InputError(path, what, row=row.instance, field="answers", fix=_REMAKE)
    return rows


_REMAKE = "remove the file and run again"


def samples_of(rows: list[Answered]) -> int:
    """How many samples each instance has; 0 for no rows."""
    return len(rows[0].score.answers) if rows else 0


def mcqs(rows: Iterable[Answered], years: Iterable[int] | None = None) -> list[Answered]:
    """The multiple-choice problems among `rows`, of `years` or of all."""
    return [
        row
        for row in rows
        if row.instance.type in MCQS and (years is None or row.instance.extra["year"] in years)
    ]
