"""A reply on the table: its sentences as the rules see them, and what a rule brings back."""

import re
from decimal import Decimal
from typing import NamedTuple

from evaltrail.benchmarks.jeebench.extraction import letters, options
from evaltrail.benchmarks.jeebench.extraction.text import Box, boxes, first_problem, plain, statements

_CONCLUDES = re.compile(
    r"^[\s*#>\-•$\\\[\]]*(?:finally|consequently|accordingly|in conclusion|in summary|to summari[sz]e|overall"
    r"|to conclude|∴|\\therefore|final answer|answer)\b|\b(?:therefore|thus|hence|so)\b",
    re.IGNORECASE,
)
_EITHER = re.compile(r"\beither\s+(?:options?\s+|statements?\s+)?[(\[]?\s?[A-D]\b", re.IGNORECASE)


class Finding(NamedTuple):
    """What a rule found: option letters, or a number; None where the reply plainly gives no answer that counts."""

    value: frozenset[str] | Decimal | None
    start: int
    end: int


class Sentence(NamedTuple):
    """One sentence; `start` and `end` count code points of the reply."""

    start: int
    end: int
    text: str
    plain: str  # of the same length, mark-up blanked
    boxes: list[Box]
    concludes: bool  # "therefore", "in conclusion"
    is_last: bool
    reading: letters.Reading  # what it says about options; nothing where the problem has none

    def finding(self, value, start: int | None = None, end: int | None = None) -> Finding:
        """`value`, standing at `start` to `end` of the sentence, or being the whole of it."""
        if start is None or end is None:
            return Finding(value, self.start, self.end)
        return Finding(value, self.start + start, self.start + end)


class Reply(NamedTuple):
    kind: str
    text: str
    cut_off: bool
    sentences: list[Sentence]
    options: dict[str, str]  # letter to text, of the question

    @property
    def single(self) -> bool:
        """Whether exactly one option is right."""
        return self.kind == "MCQ"


def reply_to(kind: str, question: str, text: str, cut_off: bool, has_options: bool) -> Reply:
    answered = first_problem(text)
    cut_off = cut_off and answered == len(text)
    found = statements(text[:answered])
    asked = letters.asked_for(question) if has_options else ""
    sentences = []
    for index, (start, end, sentence) in enumerate(found):
        unmarked = plain(sentence)
        reading = letters.read(unmarked, asked) if has_options else letters.Reading()
        if kind != "MCQ" and _EITHER.search(unmarked):
            reading = letters.Reading()
        concludes = bool(_CONCLUDES.search(sentence))
        is_last = index == len(found) - 1
        sentences.append(
            Sentence(start, end, sentence, unmarked, boxes(sentence), concludes, is_last, reading)
        )
    return Reply(kind, text, cut_off, sentences, options.parse(question) if has_options else {})
