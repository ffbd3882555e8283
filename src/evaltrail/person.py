"""CSV files that a person writes, which may be as a spreadsheet saves them (byte-order mark, CRLF)."""

import csv
import io
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from evaltrail.errors import InputError

MOST = 1e9  # of numbers, which figures are drawn of


class Line(NamedTuple):
    """A row: the line it ends on, counted from 1, and its cells by column."""

    number: int
    cells: dict[str, str]


def read(path, columns: list[str], *, more: bool = False, encodings=("utf-8",)) -> Iterator[Line]:
    """The rows below the header.

    more: columns may stand in any order, and others beside them. encodings: the first that fits all of the file counts.
    Rows of empty cells, which spreadsheets leave behind, are left out.
    Raises InputError for another header, a row of another length, no CSV, another encoding.
    """
    csv.field_size_limit(sys.maxsize)
    rows = csv.reader(io.StringIO(_text(path, encodings), newline=""), strict=True)
    try:
        header = next(rows, [])
        if more and len(set(header)) < len(header):
            raise InputError(path, "has a column twice", row=1, fix="remove one of the two")
        if more and (missing := [column for column in columns if column not in header]):
            what, fix = f"lacks the column {missing[0]}", f"it needs {','.join(columns)}"
            raise InputError(path, what, row=1, fix=fix)
        if not more and header != columns:
            fix = f"the header is {','.join(columns)}"
            raise InputError(path, "has another header", row=1, fix=fix)
        for cells in filter(any, rows):
            if len(cells) != len(header):
                what = f"has {len(cells)} cells instead of {len(header)}"
                raise InputError(path, what, row=rows.line_num, fix="quote cells that hold commas")
            yield Line(rows.line_num, dict(zip(header, cells, strict=True)))
    except csv.Error as error:
        raise InputError(path, f"is no CSV: {error}", row=rows.line_num, fix="save it again as CSV") from None


def number(text: str, path, row: int, field: str, example: str) -> float:
    """The number that a cell holds, at most MOST up or down. Raises InputError naming row and field.

    example: what one might write.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not abs(value) <= MOST:
        what = "is too large" if math.isfinite(value) else "is no number"
        raise InputError(path, f"{text[:60]!r} {what}", row=row, field=field, fix=f"write e.g. {example}")
    return value


def _text(path, encodings) -> str:
    content, errors = Path(path).read_bytes(), []
    for encoding in encodings:
        try:
            return content.decode(encoding).removeprefix("\ufeff")
        except UnicodeDecodeError as error:
            errors.append(error)
    names = " or ".join(encoding.upper() for encoding in encodings)
    first = errors[0]
    row = content.count(b"\n", 0, first.start) + 1
    raise InputError(path, f"is not {names}: {first.reason}", row=row, fix="save it as UTF-8") from None
