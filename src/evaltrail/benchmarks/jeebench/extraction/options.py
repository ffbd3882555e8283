r"""The options of a question, and the option that a value written in place of a letter stands for."""

import re
from itertools import pairwise

from evaltrail.benchmarks.jeebench.extraction import arithmetic

_OPTION = re.compile(
    r"(?:^|(?<=[\n.:?$ ]))\$?[(\[]\s?(?:\\mathrm\s?\{)?\s?([A-D])\s?\}?\s?[)\]](?=[\s$\\\w])"
)
_NOISE = re.compile(
    r"\\(?:left|right|mathrm|text|textbf|mathbf|displaystyle|quad|qquad|[,;:! ])|[\s$~{}*.,]|(?<=\\)[dt](?=frac)"
)
_LONGEST = 600
LONGEST_QUESTION = 20_000  # the longest published question has 3,000 characters


def parse(question: str) -> dict[str, str]:
    """Letter to text of each option; empty when the four letters do not stand in order."""
    last: dict[str, re.Match[str]] = {}
    for match in _OPTION.finditer(question, max(0, len(question) - LONGEST_QUESTION)):
        last[match[1]] = match
    starts = [last[letter] for letter in "ABCD" if letter in last]
    if len(starts) < 4 or any(a.end() > b.start() for a, b in pairwise(starts)):
        return {}
    ends = [match.start() for match in starts[1:]] + [len(question)]
    return {match[1]: question[match.end() : end].strip() for match, end in zip(starts, ends, strict=True)}


def matching(value: str, options: dict[str, str]) -> str | None:
    """The one option whose text, or whose number, is `value`; None when there is none or more than one."""
    wanted = _bare(value)
    if not wanted or len(value) > _LONGEST:
        return None
    same = [letter for letter, text in options.items() if _bare(text) == wanted]
    if not same:
        number = arithmetic.evaluate(value)
        if number is not None:
            same = [letter for letter, text in options.items() if _equal(arithmetic.evaluate(text), number)]
    return same[0] if len(same) == 1 else None


def _bare(text: str) -> str:
    return _NOISE.sub("", text[:_LONGEST]).replace("\\%", "")


def _equal(a, b) -> bool:
    return a is not None and abs(a - b) <= abs(b) / 1_000_000
