r"""The value that one statement gives.

A statement is cut at its relations ("is", "=", "\approx", ":"); the value stands behind the last of them.
"""

import re
from decimal import Decimal
from typing import NamedTuple

from evaltrail.benchmarks.jeebench.extraction import arithmetic, units

# "(rounded to 2 decimal places)" tells of the value, and is not the value.
_NOTES = re.compile(
    r"\(?\s?(?:\b(?:correct|round(?:ed|ing)?|accurate|approximated?|expressed|given)\s+(?:off\s+)?(?:up\s?)?)?"
    r"\b(?:to|upto|up\s+to|till|with|in|at)\s+(?:the\s+|only\s+){0,2}(?:nearest\s+)?\$?"
    r"(?:\d\d?|one|two|three|four|five|first|second|third|fourth)\s?"
    r"(?:\^?\s?\{?\s?(?:\\(?:text|mathrm|rm)\s?\{?)?\s?(?:st|nd|rd|th)\s?\}{0,2})?\s?\$?[\s-]{0,3}"
    r"(?:decimals?|significant|d\.?p\b|sig\b|s\.?f\b)(?:\s+(?:places?|digits?|figures?|points?))?\s?\)?"
    r"|\(?\s?(?:rounded\s+)?to\s+the\s+nearest\s+(?:whole\s+)?(?:integer|number|hundredth|tenth)\s?\)?"
    r"|\(\s?(?:exactly|approx(?:imately|\.)?)\s?\)|(?<=\d)\s?\$?\s?(?:±|\\pm)\s?\d{0,9}\.\d{1,9}|</answer>",
    re.IGNORECASE,
)
# "not 5 but 7", "7 instead of 5".
_DENIED = re.compile(
    r",?\s?\bnot\s+\S{1,40}\s+but\b|,?\s?(?:\bnot|\binstead\s+of|\brather\s+than)\s+\$?-?\d[\d.]{0,20}\$?",
    re.IGNORECASE,
)
_ADVERB = r"(?:\s+(?:therefore|thus|hence|indeed|then|clearly|simply|only)\b)?"
_RELATION = re.compile(
    r"\\(?:approx|simeq|cong|sim|equiv|Rightarrow|implies|Longrightarrow|longrightarrow|therefore|to|rightarrow|leq?|geq?)"
    r"(?![A-Za-z])|[=≈≃≅⇒→]|&|:(?!\s?\d+\s?(?:$|\$))|\\\\(?![A-Za-z])"
    r"|\b(?:equal\s+to|is|are|was|be|equals?|becomes?|approximately|approx\.?|about|around|nearly|roughly|exactly"
    rf"|gives?|yields?|get|obtain|have|has)\b{_ADVERB}",
    re.IGNORECASE,
)
_ANSWER = re.compile(
    r"<answer>|\b(?:answers?|ans\.?|result)(?!\w)[\s*_,]*+"
    rf"(?:[:=]|(?:is|are|would\s+be|will\s+be|to)\b{_ADVERB}|(?=[\s*$]*+(?:\\boxed|-?\d)))",
    re.IGNORECASE,
)
# What follows tells of the value, and has relations of its own.
_ASIDE = re.compile(
    r"[,;(]?\s?\b(?:where|which|since|because|when)\b|,\s?as\b(?!.{0,200}\b(?:is|are|we)\b)", re.IGNORECASE
)
# "at x = 2", "taking g = 9.8", "(x = 0, 1, 2)" behind a value, unless the sentence goes on to another one.
_CONDITION = re.compile(
    r"(?:[,;(]?\s?\b(?<!and )(?:(?:for|at|with|if|as|attained|namely)\b[^=\d\n]{1,30}"
    r"|(?:taking|using|assuming|given(?!\s+by\b)|(?:for|if)\s+we\s+(?:take|use|assume))\b[^=\n]{1,30})="
    r"(?!.{0,200}\b(?:is|are|gives?|get|have|equals?|so|then|thus|hence|therefore)\b)"
    r"|(?<=[\s$])\((?=[^()=]{0,30}=[^()]{0,60}\)(?!\s*[=≈])))",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"(?:[=≈:]|\\approx|\b(?:is|are|be|equals?|gives?|get)\b).{0,200}?\d", re.DOTALL | re.IGNORECASE
)
# A value said twice: "1/2 (0.5)", "0.375 or 37.5%".
_TWICE = re.compile(r"(?P<one>[^()\n]{1,60}?)[\s$]*(?:\bor\b|\()(?P<other>[^()\n]{1,60})\)?[\s$*.,]*")
# What stands before a number that is a strict bound, one of two values, or the end of an interval. A bound that
# may be reached is a value: people read "at most 6" as 6.
_OPEN = re.compile(
    r"(?:(?<![-=])>|<|\\(?:lt|gt)(?![A-Za-z]))[\s$({\\]*\Z"
    r"|\d[\s$})]*,?\s*\bor\b[\s$]*[A-Za-z\\][A-Za-z_\d]{0,10}\s*=[\s$]*\Z"
    r"|(?:∈|\\in(?![A-Za-z])|\bin\b|=|\bis\b)[\s$]*(?:\\left\s?)?[\[(]\s*[-−]?[\d.]{1,20}\s*,\s*\Z"
)
_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
_WORD = re.compile(rf"[\s$*]*+(?:only\s+|just\s+)?({'|'.join(_WORDS)})\b(?!\s+of\b|-|\s+to\b)", re.IGNORECASE)
_MATHS = re.compile(r"[\s*(]*+(?:\$\$?|\\\(|\\\[)([^$]{1,300}?)(?:\$|\\\)|\\\])")
_DIGITS = (
    r"(?:\d{1,3}(?:(?:,|\{,\})\d{3}){1,10}(?!\d)|\d{1,40})?(?:(?<=\d)\.\d{0,40}|(?<![\d.])\.\d{1,40}|(?<=\d))"
)
_POWER = (
    r"(?:\s{0,2}(?:\\times|\\cdot|×|\*|[xX](?=\s?10\s?\^?))\s{0,2}10\s?"
    r"(?:\^\s?(?:\{\s?[-+−]?\s?\d{1,3}\s?\}|[-+−]?\d{1,3})|[⁻⁰¹²³⁴-⁹]{1,4})|[eE][+-]?\d{1,3})?"
)
_NUMBER = rf"(?P<number>[-+−–]?\s{{0,2}}{_DIGITS}{_POWER})"
_LEADING = re.compile(rf"[\s$*(\[{{~]*+(?:\\(?:left|mathbf|text|textbf|mathrm|boxed)[\s({{\[]*+)*+{_NUMBER}")
_STANDALONE = re.compile(rf"(?<![\w.^_{{}}\\(\[]){_NUMBER}(?![\w^_{{}}(]|\.\d)")
# What may stand behind a number that is a value: an end, a unit, a word. A symbol makes it a coefficient.
_FOLLOWS = re.compile(
    r"[\s$*~}]*+(?:$|[,.;:\]%°]|\)(?!\s*[\^!]|\\?[A-Za-z])|\\(?:text|mathrm|rm|[,;: %)\]]|quad|degree|Omega|circ)"
    r"|\\mu\s*(?:\\(?:mathrm|text)|[mFCAsgLHTN]\b)|\^\s*\{?\\circ|\((?=[A-Za-z\s])|/\s*[A-Za-z])"
    rf"|(?=\s|[A-Za-zμΩ]{{2}})\s*{units.UNIT}(?!\s*[\^_=+*]|\\)|[\s$*~]++[A-Za-z]{{2}}"
)
_MORE_MATHS = re.compile(r"\s*\$?\s*\\(?:cdot|frac|times)")
_SEVERAL = re.compile(r"[\s$*]*+(?:\\text\s?\{\s*)?(?:,|\band\b|\bor\b)[\s$*}]*+(?:and\s+|or\s+)?-?\s?\d")
_SYMBOLIC = re.compile(r"[\s$*(\[]*+(?:\\|[a-zA-Z\d]{1,2}(?![a-zA-Z]))")
_SYMBOLS = re.compile(r"\\[A-Za-z]+|[_^{}+|]|\d\s*[a-z]\b")
_MINUS = re.compile(r"(?:[=≈$\[:]|\\approx|\bis|^)\s*[-−]\s*\\[a-z]+\s?\{$")
_MOST_PARTS = 20
_LONGEST_FORMULA = 200


class Value(NamedTuple):
    """A statement's value and its place; `number` is None where mathematics without a value stands there."""

    number: Decimal | None
    start: int
    end: int


def without_notes(text: str) -> str:
    """`text` with remarks on rounding, and values that are named to be denied, blanked; of the same length."""
    for pattern in (_NOTES, _DENIED):
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return text


def names_answer(text: str) -> bool:
    """Whether "the answer is", "Answer:" or the like stands in `text`."""
    return bool(_ANSWER.search(text))


def is_negated(before_box: str) -> bool:
    r"""Whether a minus sign stands before the box, as in `= -\boxed{5}`."""
    return bool(_MINUS.search(before_box[-60:]))


def value_of(text: str, expected: bool = False) -> Value | None:
    """The value that `text` states; None where it states none. Positions count from the start of `text`.

    `expected`: a value is expected although no relation stands before it.
    """
    first = max((match.end() for match in _ANSWER.finditer(text)), default=0)
    last = _without_asides(text, first)
    cuts = list(_RELATION.finditer(text, first, last))
    starts = [first] + [match.end() for match in cuts]
    ends = [match.start() for match in cuts] + [last]
    expected = expected or bool(cuts) or first > 0
    for start, end in list(zip(starts, ends, strict=True))[: -_MOST_PARTS - 1 : -1]:
        value = _read(text[start:end], expected)
        if value is None and start == first and end < last:
            value = _at_end(text[start:end])  # "so 6 is the answer"
        if value is not None:
            place = _trimmed(text, start + value.start, start + value.end)
            is_open = _OPEN.search(text[max(first, place[0] - 80) : place[0]])
            return Value(None if is_open else value.number, *place)
    return None


def _without_asides(text: str, first: int) -> int:
    """Where the text from `first` on ends, asides behind a value left out."""
    aside = _ASIDE.search(text, first)
    last = aside.start() if aside and re.search(r"\d", text[first : aside.start()]) else len(text)
    for condition in _CONDITION.finditer(text, first, last):
        before = text[first : condition.start()]
        if _STATES.search(before) or (first and re.search(r"\d", before)):
            return condition.start()
    return last


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without blanks and punctuation at its ends."""
    inside = text[start:end]
    shorter = inside.strip(" \t\r\n$*,;:~").rstrip(".")
    offset = inside.find(shorter)
    return start + offset, start + offset + len(shorter)


def _read(part: str, expected: bool) -> Value | None:
    """The value of one part between relations."""
    if not re.search(r"\w", part):
        return None
    if (twice := _TWICE.fullmatch(part)) and _same(twice["one"], twice["other"]):
        return Value(arithmetic.evaluate(twice["one"]), *twice.span("one"))
    if (number := arithmetic.evaluate(part)) is not None:
        return Value(number, 0, len(part))
    if word := _WORD.match(part):
        return Value(Decimal(_WORDS.index(word[1].lower())), word.start(1), word.end(1))
    if (formula := _MATHS.match(part)) and (number := arithmetic.evaluate(formula[1])) is not None:
        rest = part[formula.end() :]
        if not _SEVERAL.match(rest) and not _MORE_MATHS.match(rest):
            return Value(number, *formula.span(1))
    if expected and (leading := _LEADING.match(part)):
        rest = part[leading.end() :]
        if _SEVERAL.match(rest) or not _FOLLOWS.match(rest):
            return Value(None, 0, len(part))
        return Value(arithmetic.evaluate(leading["number"]), *leading.span("number"))
    if not expected and (found := list(_STANDALONE.finditer(part))):
        return Value(arithmetic.evaluate(found[-1]["number"]), *found[-1].span("number"))
    if re.search(r"\\infty|∞|\binfin", part):
        return Value(None, 0, len(part))
    if len(part) < _LONGEST_FORMULA and _SYMBOLS.search(part) and _SYMBOLIC.match(part):
        return Value(None, 0, len(part))
    return None


def _same(one: str, other: str) -> bool:
    """Whether two texts give the same value, perhaps one of them rounded, or in per cent."""
    a, b = arithmetic.evaluate(one), arithmetic.evaluate(other)
    if a is None or b is None:
        return False
    factors = (1, 100, Decimal("0.01")) if "%" in one + other else (1,)
    return any(abs(a * factor - b) <= abs(b) / 50 for factor in factors)


def _at_end(part: str) -> Value | None:
    """The number that ends a part."""
    found = list(_STANDALONE.finditer(part))
    if not found or part[found[-1].end() :].strip(" $"):
        return None
    return Value(arithmetic.evaluate(found[-1]["number"]), *found[-1].span("number"))
