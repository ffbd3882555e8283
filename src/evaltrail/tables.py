"""tables: one CSV of a dataset, over its systems in the order of params.yaml."""

import csv
import io
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

from evaltrail import files, jsonl, steps
from evaltrail.errors import InputError
from evaltrail.records import Instance

csv.field_size_limit(sys.maxsize)  # a cell may hold a reply, which may have any length


class TableRow(NamedTuple):
    """A system as a table sees it: its files by name, and those of its settings that the table looks at."""

    system: str
    label: str
    settings: dict[str, Any]
    files: dict[str, str]


def rows_of(spec: dict, paths: list[str], person: str | None) -> list[TableRow]:
    """The spec's rows, each with its share of `paths`, which are listed row by row, and a person's file for all.

    Raises InputError when the table needs a person's file and there is none.
    """
    shared = [person] if person else []
    if spec["person"] and not shared:
        raise InputError(spec["person"], "no such file", fix="README.md says what to write there")
    each, rest = divmod(len(paths), max(1, len(spec["rows"])))
    if rest:
        raise InputError(
            "--files", f"{len(paths)} files for {len(spec['rows'])} rows", fix="give each row its own"
        )
    rows = []
    for number, row in enumerate(spec["rows"]):
        own = paths[number * each : (number + 1) * each] + shared
        by_name = {path.rpartition("/")[2]: path for path in own}
        rows.append(TableRow(row["id"], row["label"], row["settings"], by_name))
    return rows


def as_csv(frame, decimals: int) -> str:
    """A pandas DataFrame as CSV, lines ending with LF."""
    text = frame.to_csv(index=False, float_format=f"%.{decimals}f", lineterminator="\r\n")
    return "".join(map(csv_line, csv.reader(io.StringIO(text, newline=""))))


def csv_line(cells: Iterable) -> str:
    """The cells as a line that ends with LF. The writer quotes what is in its own line end, and \\r must be quoted."""
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\r\n").writerow(cells)
    return file.getvalue().removesuffix("\r\n") + "\n"


def as_text(path) -> str:
    """The CSV file at `path` as people read it: aligned, every cell as it is written, numbers to the right.

    Raises InputError when it is no table.
    """
    from tabulate import tabulate

    try:
        with open(path, encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        aligned = sides([header, *rows])
    except (ValueError, IndexError, csv.Error):
        raise InputError(path, "is no CSV table", fix="name a CSV file under results/") from None
    return tabulate(rows, headers=header, disable_numparse=True, colalign=aligned if rows else None)


def sides(rows: list[list[str]]) -> list[str]:
    """Where each column of a table, the header first, is aligned: "left" if it holds words, else "right"."""
    header, *rows = rows
    return ["left" if any(_is_word(row[n]) for row in rows) else "right" for n in range(len(header))]


def _is_word(cell: str) -> bool:
    return bool(cell) and not cell.lstrip("+-")[:1].isdigit()


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "instances", "table", many=("files",), optional=("person",), argv=argv)
    make = steps.plugin(args.spec["benchmark"], f"tables.{args.spec['table']}").table
    rows = rows_of(args.spec, args.files, args.person)
    frame = make(list(jsonl.read(args.instances, Instance)), rows, **args.spec["settings"])
    text = as_csv(frame, args.spec.get("decimals", 3))
    # Without the mark a spreadsheet takes UTF-8 for something else.
    files.write_text(args.table, "\ufeff" * args.spec.get("spreadsheet", False) + text)


if __name__ == "__main__":
    steps.run(main)
