"""A model's text split into spans, for those who want it: the official scripts take a reply as one span."""

import re

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_SHORT = "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_MARK = re.compile(r"\s*(?:[-*•]|\d{1,3}[.)])\s+(?=\S)")
_KEPT_OR_CUT = re.compile(
    rf"(?P<kept>(?<=\d),(?=\d)|\b(?:{_MONTHS}|(?:{_SHORT})\.?)\s\d{{1,2}},(?=\s\d{{4}}\b))|[,;]|(?<!\S)and(?!\S)",
    re.IGNORECASE,
)


def split_spans(text: str) -> list[str]:
    """The spans of `text`, without white space around them; [] for a blank text.

    A span ends at the end of a line, at a comma or semicolon and at the word "and". It does not end at a comma between
    two digits (1,001,360) or in a date (May 5, 2001). A mark of a list (-, *, •, 1., 1)) before a line's text goes.
    Names that hold an "and" of their own come apart.
    """
    return [span for line in text.splitlines() for span in map(str.strip, _pieces(line)) if span]


def _pieces(line: str) -> list[str]:
    mark = _MARK.match(line)
    start, pieces = mark.end() if mark else 0, []
    for found in _KEPT_OR_CUT.finditer(line, start):
        if found["kept"] is None:
            pieces.append(line[start : found.start()])
            start = found.end()
    return [*pieces, line[start:]]
