"""CSV files that a person writes, which may be as a spreadsheet saves them (byte-order mark, CRLF)."""

import csv
from collections.abc import Iterator
from typing import NamedTuple

from evaltrail.errors import InputError


class Line(NamedTuple):
    """A row: the line it ends on, counted from 1, and its cells by column."""

    number: int
    cells: dict[str, str]


def read(path, columns: list[str]) -> Iterator[Line]:
    """The rows below the header. Raises InputError for another header, a row of another length, no CSV, no UTF-8."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file, strict=True)
        try:
            if next(rows, []) != columns:
                raise InputError(path, "has another header", row=1, fix=f"the header is {','.join(columns)}")
            for cells in rows:
                if len(cells) != len(columns):
                    what = f"has {len(cells)} cells instead of {len(columns)}"
                    raise InputError(path, what, row=rows.line_num, fix="quote cells that hold commas")
                yield Line(rows.line_num, dict(zip(columns, cells, strict=True)))
        except csv.Error as error:
            what = f"is no CSV: {error}"
            raise InputError(path, what, row=rows.line_num, fix="save it again as CSV") from None
        except UnicodeDecodeError as error:
            raise InputError(path, f"is not UTF-8: {error.reason}", fix="save it as UTF-8") from None
