"""Find the final answer in a model's reply to a JEE Advanced problem, by rules.

People read the published replies by hand. These rules stand in for them, so that replies nobody has read can be
scored. Each rule has a name, which is kept beside the answer with the place where it stands. No reply is ever
executed, and none takes longer than its last 16,000 characters need.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from .extraction import arithmetic, letters, numbers, options
from .extraction.recorded import LETTER_KINDS, agrees, number_as, recorded_answer
from .extraction.text import Statement, boxes, plain, statements

__all__ = ["VERSION", "Extraction", "agrees", "predict", "recorded_answer"]

VERSION = "1"  # of the rules; goes into each prediction


class Extraction(NamedTuple):
    """`answer`: sorted letters, an integer, or a plain decimal; None when there is none, and then `rule` may say why.
    `start` and `end`: where it stands, in code points of the reply."""

    answer: str | None
    rule: str | None
    start: int | None
    end: int | None


NOTHING = Extraction(None, None, None, None)


class Reply(NamedTuple):
    kind: str
    text: str
    cut_off: bool
    statements: list[Statement]
    readings: list[letters.Reading]
    options: dict[str, str]


def predict(kind: str, question: str, text: str, finish: str | None) -> Extraction:
    """The final answer of the reply `text`.

    `kind` is "MCQ", "MCQ(multiple)", "Integer" or "Numeric"; `finish` is the reason why the reply ended, of which
    only "length" matters: a reply that was cut off has an answer only where one was stated before the cut.
    Raises ValueError for another kind, nothing else.
    """
    if kind not in RULES:
        raise ValueError(f"unknown kind of problem: {kind!r}; known: {', '.join(RULES)}")
    found = statements(text)
    readings = []
    if kind in LETTER_KINDS:
        asked = letters.asked_for(question)
        readings = [letters.read(plain(statement.text), asked) for statement in found]
    reply = Reply(kind, text, finish == "length", found, readings, options.parse(question))
    for rule in RULES[kind]:
        if (extraction := rule(reply)) is not None:
            return extraction
    return Extraction(None, "cut-off", None, None) if reply.cut_off else NOTHING


# --- letters ---------------------------------------------------------------------------------------------------

_CONCLUDES = re.compile(
    r"^[\s*#>\-•$\\]*(?:so|therefore|thus|hence|finally|consequently|accordingly|in conclusion|in summary|to summari[sz]e|overall|to conclude|∴|final answer|answer)\b"
    r"|\b(?:therefore|thus|hence|so)\b|\bwhich\s+(?:is|corresponds|matches)\b[\w\s]{0,30}\W{0,3}[(\[]?[A-D]\b",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\W*[A-D](?:(?:\W|\band\b)*[A-D]\b){0,3}\W*")
_ONLY = re.compile(
    r"\bonly\s+(?:the\s+)?(?:options?|statements?|choices?)?\s*[(\[]?[A-D]\b|\b[A-D][)\]]?\s+(?:is\s+|are\s+)?(?:only|alone)\b"
)
# A line on one option of several.
_ITEM = re.compile(
    r"^[\s*#>$\-•\d.\\]*(?:textbf\{|text\{)?(?:[Oo]ption\s+|[Ss]tatement\s+)?[(\[]?([A-D])[)\].:]",
    re.MULTILINE,
)


def stated_letters(reply: Reply) -> Extraction | None:
    """The last sentence that gives an answer: "the correct options are", a box, "Hence, (A) and (D)", "none of"."""
    last = len(reply.statements) - 1
    later: set[str] = set()  # letters judged behind the place
    for index in range(last, -1, -1):
        statement, reading = reply.statements[index], reply.readings[index]
        if reply.cut_off and index == last and not statement.text.rstrip().endswith((".", "}", "$", ")")):
            continue
        if reading.none:
            return Extraction(None, "none-of-options", None, None)
        rule, chosen = _claim(reply, statement, reading, index == last)
        if len(chosen) == 1 and reply.kind != "MCQ" and later - chosen:
            return None  # options taken one by one
        if chosen:
            return _letters(reply, chosen, rule, statement)
        later |= reading.chosen | reading.rejected
    return None


def _claim(
    reply: Reply, statement: Statement, reading: letters.Reading, is_last: bool
) -> tuple[str, frozenset[str]]:
    """The letters that a sentence claims as the answer, and by which of its signs."""
    if reading.opens and reading.chosen:
        return "stated", reading.chosen
    boxed = _boxed_letters(statement)
    if boxed and not boxed & reading.rejected:
        return "boxed", boxed | reading.chosen
    if _ALONE.fullmatch(plain(statement.text)):
        return "bare", letters.read("answer: " + plain(statement.text)).chosen
    taken = reading.chosen or (frozenset() if reading.rejected else reading.named)
    if reply.cut_off or not taken or (_ITEM.match(statement.text) and len(taken) == 1):
        return "", frozenset()
    # Of several options, "option (B) is correct" judges one and does not give the answer.
    whole = reply.kind == "MCQ" or len(taken) > 1 or not reading.judged or _ONLY.search(plain(statement.text))
    if whole and (_CONCLUDES.search(statement.text) or (is_last and reading.chosen)):
        return "concluded", taken
    return "", frozenset()


def _boxed_letters(statement: Statement) -> frozenset[str]:
    found: set[str] = set()
    for box in boxes(statement.text):
        inside = letters.read("answer: " + plain(box.text))
        found |= inside.chosen
    return frozenset(found)


def judged_letters(reply: Reply) -> Extraction | None:
    """The options judged one by one: "(A) is true. ... (B) is false"."""
    if reply.cut_off:
        return None
    verdict: dict[str, tuple[bool, Statement]] = {}
    current: str | None = None
    for statement, reading in zip(reply.statements, reply.readings):
        if items := _ITEM.findall(statement.text):
            current = items[-1]
        for letter in reading.rejected:
            verdict[letter] = (False, statement)
        for letter in reading.chosen:
            verdict[letter] = (True, statement)
        if (
            current
            and not reading.chosen
            and not reading.rejected
            and (holds := _this_option(plain(statement.text))) is not None
        ):
            verdict[current] = (holds, statement)
    chosen = {letter for letter, (holds, _) in verdict.items() if holds}
    if not chosen and reply.kind == "MCQ" and len(verdict) == 3:
        chosen = set("ABCD") - verdict.keys()
    if not chosen and len(verdict) == 4:
        return Extraction(None, "none-of-options", None, None)
    if not chosen:
        return None
    return _letters(reply, frozenset(chosen), "judged", list(verdict.values())[-1][1])


_THIS = re.compile(
    r"\b(?:this|that|it|(?:this|the|that)\s+(?:option|statement|choice))\s+(?:is|must be)\s+(?:also\s+|therefore\s+|indeed\s+|clearly\s+)?(?:(?P<no>false|incorrect|wrong|not\s+(?:correct|true))|(?P<yes>correct|true))"
    r"|^[\s*(]*(?:(?P<no2>false|incorrect)|(?P<yes2>true|correct))\b",
    re.IGNORECASE,
)


def _this_option(text: str) -> bool | None:
    match = _THIS.search(text)
    return None if match is None else bool(match["yes"] or match["yes2"])


def last_named_letters(reply: Reply) -> Extraction | None:
    """Letters that the last sentence names, without any word on them: "the interval that holds it is (B)"."""
    if reply.cut_off or not reply.statements or reply.readings[-1].rejected:
        return None
    named = reply.readings[-1].named
    if not named or _ITEM.match(reply.statements[-1].text):
        return None
    return _letters(reply, named, "last-named", reply.statements[-1])


def value_of_option(reply: Reply) -> Extraction | None:
    """An option given by its text or its value: a box without a letter, or the last conclusion."""
    if reply.cut_off or not reply.options:
        return None
    for box in reversed(boxes(reply.text[-4000:])):
        shift = max(0, len(reply.text) - 4000)
        for value in (box.text, box.text.rpartition("=")[2]):
            if letter := options.matching(value, reply.options):
                return Extraction(letter, "option-text", box.start + shift, box.end + shift)
        return None
    for statement in reply.statements[:-4:-1]:
        if not _CONCLUDES.search(statement.text):
            continue
        for part in re.split(r"=|\bis\b|\bare\b|:", statement.text)[:0:-1]:
            if letter := options.matching(part, reply.options):
                return Extraction(letter, "option-text", statement.start, statement.end)
    return None


def _letters(reply: Reply, chosen: frozenset[str], rule: str, statement: Statement) -> Extraction:
    if reply.kind == "MCQ" and len(chosen) > 1:
        return Extraction(None, "forbidden", statement.start, statement.end)
    return Extraction("".join(sorted(chosen)), rule, statement.start, statement.end)


# --- numbers ---------------------------------------------------------------------------------------------------


def stated_number(reply: Reply) -> Extraction | None:
    """The last sentence that gives a value: an answer by name, a box, a conclusion; else the very last sentence."""
    last = len(reply.statements) - 1
    fallback: Extraction | None = None
    for index in range(last, -1, -1):
        statement = reply.statements[index]
        if reply.cut_off and index == last:
            continue
        if fallback and index < last - 2:
            return fallback
        text = numbers.without_notes(statement.text)
        rule = _number_rule(reply, text, index == last)
        value = None
        if rule:
            value = (numbers.boxed_value if rule == "boxed" else numbers.value_of)(text)
        if value is None:
            if index >= last - 2 and not fallback and numbers.refuses(text):
                return Extraction(None, "refused", None, None)
        elif rule == "last-sentence":
            fallback = _number(reply, value, rule, statement.start)
        else:
            return _number(reply, value, rule, statement.start)
    return fallback


def _number_rule(reply: Reply, text: str, is_last: bool) -> str:
    if boxes(text):
        return "boxed"
    if numbers.labels_answer(text):
        return "stated"
    if reply.cut_off:
        return ""
    if numbers.concludes(text):
        return "concluded"
    if is_last and numbers.relates(text):
        return "last-sentence"
    return "bare" if is_last and arithmetic.evaluate(text) is not None else ""


def _number(reply: Reply, value: numbers.Value, rule: str, shift: int) -> Extraction:
    start, end = value.start + shift, value.end + shift
    if value.number is None:
        return Extraction(None, "symbolic", start, end)
    answer = number_as(reply.kind, value.number)
    return Extraction(answer, rule if answer is not None else "forbidden", start, end)


Rule = Callable[[Reply], Extraction | None]
_LETTER_RULES: tuple[Rule, ...] = (stated_letters, judged_letters, last_named_letters, value_of_option)
_NUMBER_RULES: tuple[Rule, ...] = (stated_number,)
RULES: dict[str, tuple[Rule, ...]] = {
    "MCQ": _LETTER_RULES,
    "MCQ(multiple)": _LETTER_RULES,
    "Integer": _NUMBER_RULES,
    "Numeric": _NUMBER_RULES,
}
