"""JEEBench's dataset.json: 515 problems, each with its paper (`description`) and number (`index`)."""

import re
from collections.abc import Iterator

import msgspec

from evaltrail import jsonl
from evaltrail.benchmarks.jeebench.answers import FORMS, is_answer
from evaltrail.benchmarks.jeebench.kinds import SUBJECTS
from evaltrail.errors import InputError
from evaltrail.records import Instance

_YEAR = re.compile(r"\b(20[0-9]{2})\b")


class Problem(msgspec.Struct):
    """One entry of dataset.json."""

    description: str
    index: int
    subject: str
    type: str
    question: str
    gold: str


def instance_id(description: str, index: int) -> str:
    """The id of a problem: its paper and its number there, unique in the dataset."""
    return f"{description} #{index}"


def load(path) -> Iterator[Instance]:
    """The problems in file order. Raises InputError naming row (from 1) and field."""
    document = jsonl.read_document(path)
    if not isinstance(document, list):
        raise InputError(path, "is no list of problems", fix="bring JEEBench's dataset.json")
    for row, entry in enumerate(document, start=1):
        problem = jsonl.convert(entry, Problem, path, row, "mend the problem")
        _check(problem, row, path)
        yield Instance(
            id=instance_id(problem.description, problem.index),
            subject=problem.subject,
            type=problem.type,
            question=problem.question,
            references=(problem.gold,),
            extra={
                "description": problem.description,
                "index": problem.index,
                "year": int(_YEAR.search(problem.description)[1]),
            },
        )


def _check(problem: Problem, row: int, path) -> None:
    for field, known in (("subject", SUBJECTS), ("type", FORMS)):
        if (value := getattr(problem, field)) not in known:
            what = f"unknown {field} {value!r}"
            raise InputError(path, what, row=row, field=field, fix=f"known: {', '.join(known)}")
    if not is_answer(problem.type, problem.gold):
        what = f"{problem.gold!r} is no answer of type {problem.type}"
        raise InputError(path, what, row=row, field="gold", fix="mend the gold")
    if not _YEAR.search(problem.description):
        raise InputError(path, "names no year", row=row, field="description", fix="e.g. JEE Adv 2016 Paper 1")
