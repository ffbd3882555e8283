"""tables: one CSV of a dataset, over its systems in the order of params.yaml."""

import csv
from typing import NamedTuple

from evaltrail import files, jsonl, steps
from evaltrail.records import Instance


class TableRow(NamedTuple):
    """A system as a table sees it: its files by name, and the system that it is paired with."""

    system: str
    label: str
    pairs_with: str | None
    files: dict[str, str]


def rows_of(spec: dict, paths: list[str]) -> list[TableRow]:
    """The spec's rows, each with its share of `paths`, which are listed row by row."""
    each = len(paths) // len(spec["rows"]) if spec["rows"] else 0
    rows = []
    for number, row in enumerate(spec["rows"]):
        own = paths[number * each : (number + 1) * each]
        rows.append(
            TableRow(
                row["system"],
                row["label"],
                row["pairs_with"],
                {path.rpartition("/")[2]: path for path in own},
            )
        )
    return rows


def as_text(path) -> str:
    """The CSV file at `path` as people read it: aligned, every cell as it is written, numbers to the right."""
    from tabulate import tabulate

    with open(path, encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    sides = ["left" if any(_is_word(row[n]) for row in rows) else "right" for n in range(len(header))]
    return tabulate(rows, headers=header, disable_numparse=True, colalign=sides if rows else None)


def _is_word(cell: str) -> bool:
    return bool(cell) and not cell.lstrip("+-")[:1].isdigit()


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "instances", "table", many=("files",), argv=argv)
    make = steps.plugin(args.spec["benchmark"], f"tables.{args.spec['table']}").table
    frame = make(list(jsonl.read(args.instances, Instance)), rows_of(args.spec, args.files))
    files.write_text(args.table, frame.to_csv(index=False, float_format="%.3f", lineterminator="\n"))


if __name__ == "__main__":
    steps.run(main)
