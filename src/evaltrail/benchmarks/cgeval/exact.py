r"""Exact numbers in canonical text (see `latex`): `-2.5`, `1/2`, `\frac{1}{2}`, `3又1/2`, `3\frac{1}{2}`, `25%`."""

import re
from fractions import Fraction

_DIGITS = r"\d{1,100}(?:\.\d{1,100})?"
PATTERN = (
    r"(?P<sign>[+-]?)"
    r"(?:(?:(?P<whole>\d{1,100})(?:又| |(?=\\frac)))?"
    rf"(?:\\frac\{{(?P<minus>-?)(?P<above>{_DIGITS})\}}\{{(?P<turned>-?)(?P<below>{_DIGITS})\}}|(?P<over>{_DIGITS})/(?P<under>{_DIGITS}))"
    rf"|(?P<plain>{_DIGITS}))(?P<percent>%?)"
)
_NUMBER = re.compile(PATTERN, re.ASCII)


def number(text: str) -> Fraction | None:
    """The value of `text`; None where it is no number or has a denominator of 0."""
    found = _NUMBER.fullmatch(text)
    return value(found) if found else None


def sides_differ(equation: str) -> bool:
    """Whether two sides of `1/2=0.5` that are numbers have different values."""
    return len({number(side) for side in equation.split("=")} - {None}) > 1


def value(found: re.Match) -> Fraction | None:
    """The value of a match of PATTERN."""
    above = Fraction(found["plain"] or found["above"] or found["over"])
    below = Fraction(found["below"] or found["under"] or 1)
    if below == 0:
        return None
    size = Fraction(found["whole"] or 0) + above / below * (-1 if found["minus"] != found["turned"] else 1)
    return size * (-1 if found["sign"] == "-" else 1) / (100 if found["percent"] else 1)
