"""The two forms in which DROP is published: the official JSON, and the JSONL of OpenAI's simple-evals."""

import gzip
import json
import math
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from evaltrail import jsonl
from evaltrail.errors import InputError
from evaltrail.records import Reference

NO_TYPE = "none"  # of a question without an answer that could be met


class Question(NamedTuple):
    """A question of either form. references: the golds, each once; type: number, date, span, spans or NO_TYPE."""

    id: str
    passage_id: str
    passage: str
    question: str
    references: tuple[Reference, ...]
    type: str


class _Date(msgspec.Struct):
    day: str | int = ""
    month: str | int = ""
    year: str | int = ""


class _Answer(msgspec.Struct):
    number: str | int | float = ""
    date: _Date | None = None
    spans: list[str] = []


class _Pair(msgspec.Struct):
    question: str
    query_id: str
    answer: _Answer
    validated_answers: list[_Answer] = []


class _Passage(msgspec.Struct):
    passage: str
    qa_pairs: list[_Pair]


class _Line(msgspec.Struct):
    """A line of drop_v0_dev.jsonl; its `completion` is a blank and the first of the golds."""

    context: str
    ref_text: str
    completion: str | None = None


def questions(path) -> Iterator[Question]:
    """The questions of a file in its order: `.json` is the official form, `.jsonl` or `.jsonl.gz` simple-evals'.

    Raises InputError naming row and field.
    """
    name = str(path)
    if name.removesuffix(".gz").endswith(".jsonl"):
        return _lines(path)
    if name.endswith(".json"):
        return _passages(path)
    raise InputError(path, "is neither .json nor .jsonl", fix="name the file that holds DROP's questions")


def _passages(path) -> Iterator[Question]:
    document = jsonl.read_document(path)
    if not isinstance(document, dict):
        raise InputError(path, "is no object of passages", fix="bring drop_dataset_dev.json as published")
    for passage_id, value in document.items():
        passage = jsonl.convert(value, _Passage, path, passage_id, "mend the passage")
        for pair in passage.qa_pairs:
            golds: dict[Reference, str] = {}
            for answer in (pair.answer, *pair.validated_answers):
                if isinstance(answer.number, float) and not math.isfinite(answer.number):
                    what = f"{answer.number} is no number"
                    raise InputError(path, what, row=pair.query_id, field="number", fix="mend the answer")
                if read := read_answer(answer):
                    golds.setdefault(*read)
            type = next(iter(golds.values()), NO_TYPE)
            yield Question(pair.query_id, passage_id, passage.passage, pair.question, tuple(golds), type)


def read_answer(answer: _Answer) -> tuple[Reference, str] | None:
    """An official answer as reference and type; None when it says nothing.

    As allennlp's `answer_json_to_strings`: a number before spans, spans before a date, whose parts are joined by
    blanks. A number 0 is a number there only as a text; here it always is one. Spans of which the first is blank say
    nothing, as the official scripts pass over such a gold.
    """
    if str(answer.number).strip():
        return str(answer.number), "number"
    if answer.spans:
        first, *others = answer.spans
        several = (tuple(answer.spans), "spans") if others else (first, "span")
        return several if first.strip() else None
    date = answer.date or _Date()
    text = f"{date.day} {date.month} {date.year}".strip()
    return (text, "date") if text else None


_CONTEXT = re.compile(r"Passage: (.*)\nQuestion: (.*?)\nAnswer:", re.DOTALL)


def _lines(path) -> Iterator[Question]:
    """Lines have neither ids nor types: the id is the number of the line, the type is `inferred`."""
    for number, value in _json_lines(path):
        line = jsonl.convert(value, _Line, path, number, "bring the file as published")
        found = _CONTEXT.fullmatch(line.context)
        if not found:
            what = "is not of the form Passage: ... Question: ... Answer:"
            raise InputError(path, what, row=number, field="context", fix="bring the file as published")
        golds = tuple(dict.fromkeys(gold for gold in line.ref_text.split("|") if gold.strip()))
        type = inferred(golds[0]) if golds else NO_TYPE
        yield Question(str(number), "", found[1], found[2], golds, type)


def _json_lines(path) -> Iterator[tuple[int, Any]]:
    opened = gzip.open if str(path).endswith(".gz") else open
    number = 0
    try:
        with opened(Path(path), "rb") as file:
            for number, line in enumerate(file, start=1):
                yield number, json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        what = f"no JSON in UTF-8: {error}"[:200]
        raise InputError(path, what, row=number, fix="bring the file as published") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(path, f"is no whole gzip file: {error}", fix="fetch it again") from None


_NUMBER = re.compile(r"[-+]?(?:(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+)")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = re.compile(rf"(?=.*\S)(?:[0-9]{{1,2}})? (?:{_MONTHS})? (?:[0-9]{{1,4}})?")


def inferred(gold: str) -> str:
    """The type of an answer of which only the text is known, by the first rule that holds.

    number: nothing but a number. date: day, month and year with one blank between, each of which may be missing, as the
    official form is written out. spans: has the word "and", by which several spans were joined. span: all else.
    """
    if _NUMBER.fullmatch(gold):
        return "number"
    if _DATE.fullmatch(gold):
        return "date"
    return "spans" if " and " in gold else "span"
