r"""Numbers: the value that one statement gives, and what a whole reply comes to.

A statement is cut at its relations ("is", "=", "\approx", ":"); the value stands behind the last of them.
"""

import re
from decimal import Decimal
from typing import NamedTuple

from . import arithmetic
from .text import boxes

# "(rounded to 2 decimal places)" tells of the value, and is not the value.
_NOTES = re.compile(
    r"\(?\s*(?:\b(?:correct|round(?:ed|ing)?|accurate|approximated?|expressed|given)\s+(?:off\s+)?(?:up\s*)?)?"
    r"\b(?:to|upto|up\s+to|till|with|in|at)\s+(?:the\s+|only\s+)*(?:nearest\s+)?\$?"
    r"(?:\d\d?|one|two|three|four|five|first|second|third|fourth)\s*(?:\^?\s*\{?\s*(?:\\(?:text|mathrm|rm)\s*\{?)?\s*(?:st|nd|rd|th)\s*\}{0,2})?\s*\$?[\s-]*"
    r"(?:decimals?|significant|d\.?p\b|sig\b|s\.?f\b)(?:\s+(?:places?|digits?|figures?|points?))?\s*\)?"
    r"|\(?\s*(?:rounded\s+)?to\s+the\s+nearest\s+(?:whole\s+)?(?:integer|number|hundredth|tenth)\s*\)?",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r",?\s*\bnot\s+\S{1,40}\s+but\b|,?\s*(?:\bnot|\binstead of|\brather than)\s+\$?-?\d[\d.]*\$?",
    re.IGNORECASE,
)
_RELATION = re.compile(
    r"\\(?:approx|simeq|cong|sim|equiv|Rightarrow|implies|Longrightarrow|longrightarrow|therefore|to|rightarrow|leq?|geq?)(?![A-Za-z])"
    r"|[=≈≃≅⇒→]|&|:(?!\s*\d+\s*(?:$|\$))|\\\\(?![A-Za-z])"
    r"|\b(?:equal\s+to|is|are|was|be|equals?|becomes?|approximately|approx\.?|about|around|nearly|roughly|exactly|gives?|get|obtain|have|has)\b",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"\b(?:final|correct|required|right)?\s*(?:answers?|result)\b[\s*_,]*(?::|=|\bis\b|\bare\b|\bwould be\b|\bwill be\b|\bto\b|(?=[\s*$]*\\boxed)|(?=[\s*$]*-?\d))",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"^[\s*#>\-•$\\\]\[]*(?:so|therefore|thus|hence|finally|consequently|then|accordingly|in conclusion|in summary|in total|to conclude|overall|this (?:means|gives|implies)|we (?:get|have|find|obtain|conclude)|∴|\\therefore)\b|\b(?:therefore|thus|hence|so)\b",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"\b(?:does\s+not\s+exist|cannot\s+be\s+(?:\w+\s+)?(?:determined|found|calculated|solved|evaluated)|can't\s+be\s+determined|not\s+possible|impossible"
    r"|no\s+(?:real\s+)?(?:solution|such|tension|valid|answer|final answer)|not\s+(?:have\s+)?enough\s+information|insufficient|contradiction|ill-posed|unable\s+to|undefined|not\s+solvable"
    r"|(?:error|mistake|typo)s?\s+in\s+the\s+(?:problem|question|given))\b",
    re.IGNORECASE,
)
# What follows tells of the value, and has relations of its own.
_ASIDE = re.compile(r"[,;(]?\s*\b(?:where|which|for\s+which|since|because|when)\b", re.IGNORECASE)
_WORDS = dict(zip("zero one two three four five six seven eight nine ten eleven twelve".split(), range(13)))
_WORD = re.compile(rf"[\s$*]*(?:only\s+|just\s+)?({'|'.join(_WORDS)})\b(?!\s+of\b|-|\s+to\b)", re.IGNORECASE)
_NUMBER = r"[-+−–]?\s*(?:\d{1,3}(?:(?:,|\{,\})\d{3})+(?!\d)|\d{1,40})?(?:(?<=\d)\.\d{0,40}|(?<![\d.])\.\d{1,40}|(?<=\d))(?:\s*(?:\\times|\\cdot|×|\*|[xX](?=\s*10\s*\^?))\s*10\s*(?:\^\s*(?:\{\s*[-+−]?\s*\d{1,3}\s*\}|[-+−]?\d{1,3})|[⁻⁰¹²³⁴-⁹]+)|[eE][+-]?\d{1,3})?"
_LEADING = re.compile(
    rf"[\s$*(\[{{~]*(?:\\(?:left|mathbf|text|textbf|mathrm|boxed)[\s({{\[]*)*(?P<number>{_NUMBER})"
)
# What may stand behind a number that is a value: an end, a unit, a word. A symbol makes it a coefficient.
_FOLLOWS = re.compile(
    r"[\s$*~}]*(?:$|[,.;:)\]%°]|\\(?:text|mathrm|rm|[,;: %)\]]|quad|degree|Omega|circ|mu\s*(?:\\(?:mathrm|text)|[mFCAsgLHTN]\b))"
    r"|\^\s*\{?\\circ|\((?=[A-Za-z\s])|/\s*[A-Za-z])"
    rf"|(?=[\s]|[A-Za-zμΩ]{{2}})\s*{arithmetic.UNIT}(?!\s*[\^_=+*]|\\)|[\s$*~]+[A-Za-z]{{2}}"
)
_STANDALONE = re.compile(rf"(?<![\w.^_{{}}\\(\[])(?P<number>{_NUMBER})(?![\w^_{{}}(]|\.\d)")
_SEVERAL = re.compile(r"[\s$*]*(?:,|\band\b|\bor\b)[\s$*]*(?:and\s+|or\s+)?-?\d")
_MATHS = re.compile(r"\\[A-Za-z]+|[_^{}+|]|\d\s*[a-z]\b")


_MINUS_BEFORE_BOX = re.compile(r"(?:[=≈$\[:]|\\approx|\bis|^)\s*[-−]\s*\\f?boxe?d?\s?\{$")


class Value(NamedTuple):
    """A statement's value; `number` is None where mathematics stands in its place that has no value."""

    number: Decimal | None
    start: int
    end: int


def without_notes(text: str) -> str:
    """`text` with remarks on rounding, and values that are named to be denied, blanked; of the same length."""
    for pattern in (_NOTES, _CONTRAST):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return text


def labels_answer(text: str) -> bool:
    return bool(_ANSWER.search(text))


def concludes(text: str) -> bool:
    return bool(_CONCLUDES.search(text))


def refuses(text: str) -> bool:
    return bool(_REFUSES.search(text))


def relates(text: str) -> bool:
    return bool(re.search(r"[=≈]|\\approx|\b(?:is|are)\b", text))


def value_of(text: str, related: bool = False) -> Value | None:
    """The value that `text` states; None where it states none. Positions count from the start of `text`.

    `related`: a value is expected, also where no relation stands."""
    first = max((match.end() for match in _ANSWER.finditer(text)), default=0)
    aside = _ASIDE.search(text, first)
    last = aside.start() if aside and re.search(r"\d", text[first : aside.start()]) else len(text)
    cuts = list(_RELATION.finditer(text, first, last))
    starts = [first] + [match.end() for match in cuts]
    ends = [match.start() for match in cuts] + [last]
    for start, end in list(zip(starts, ends))[:-20:-1]:
        value = _part(text, start, end, first, related or bool(cuts) or first > 0)
        if value is not None:
            return value
    return None


def _part(text: str, start: int, end: int, first: int, related: bool) -> Value | None:
    part = text[start:end]
    if not re.search(r"\w", part):
        return None
    if (number := arithmetic.evaluate(part)) is not None:
        return Value(number, start, end)
    if word := _WORD.match(part):
        return Value(Decimal(_WORDS[word[1].lower()]), start + word.start(1), start + word.end(1))
    if chunk := re.match(r"[\s*(]*(?:\$\$?|\\\(|\\\[)([^$]{1,300}?)(?:\$|\\\)|\\\])", part):
        number = arithmetic.evaluate(chunk[1])
        rest = part[chunk.end() :]
        if (
            number is not None
            and not _SEVERAL.match(rest)
            and not re.match(r"\s*\$?\s*\\(?:cdot|frac|times)", rest)
        ):
            return Value(number, start + chunk.start(1), start + chunk.end(1))
    if related and (leading := _LEADING.match(part)):
        rest = part[leading.end() :]
        if _SEVERAL.match(rest) or not _FOLLOWS.match(rest):
            return Value(None, start, end)
        return Value(
            arithmetic.evaluate(leading["number"]),
            start + leading.start("number"),
            start + leading.end("number"),
        )
    if not related and (last := list(_STANDALONE.finditer(part))[-1:]):
        return Value(
            arithmetic.evaluate(last[0]["number"]),
            start + last[0].start("number"),
            start + last[0].end("number"),
        )
    if (
        start == first
        and end < len(text)
        and text[end:].strip(" .$")
        and (last := list(_STANDALONE.finditer(part))[-1:])
        and not part[last[0].end() :].strip(" $")
    ):
        return Value(
            arithmetic.evaluate(last[0]["number"]),
            start + last[0].start("number"),
            start + last[0].end("number"),
        )
    if re.search(r"\\infty|∞|\binfin", part) or (
        _MATHS.search(part)
        and len(part) < 200
        and re.match(r"[\s$*(\[]*(?:\\|[a-zA-Z\d]{1,2}(?![a-zA-Z]))", part)
    ):
        return Value(None, start, end)
    return None


def boxed_value(text: str) -> Value | None:
    r"""The value of the last `\boxed{...}`; None where there is no box."""
    found = boxes(text)
    if not found:
        return None
    box = found[-1]
    value = value_of(box.text, related=True)
    if value is None:
        return Value(None, box.start, box.end)
    number = value.number
    if number is not None and _MINUS_BEFORE_BOX.search(text[max(0, box.start - 60) : box.start]):
        number = -number
    return Value(number, box.start + value.start, box.start + value.end)
