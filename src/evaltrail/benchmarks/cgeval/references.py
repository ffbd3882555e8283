"""The user's references.csv: what right answers look like, which CG-Eval does not publish."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from evaltrail.benchmarks.cgeval import sheets
from evaltrail.benchmarks.cgeval.kinds import MATH_TYPES
from evaltrail.errors import InputError
from evaltrail.records import Instance

COLUMNS = (*sheets.KEY, sheets.ANSWER)


class Reference(NamedTuple):
    answer: str
    solution: str  # the worked steps of a computation; "" where there are none


def columns_for(instances: Iterable[Instance]) -> tuple[str, ...]:
    """The columns that references of these questions need: computations have worked steps."""
    return (*COLUMNS, sheets.SOLUTION) if any(one.type in MATH_TYPES for one in instances) else COLUMNS


def read(path, instances: dict[str, Instance], asked: Collection[str] | None = None) -> dict[str, Reference]:
    """The references by instance. asked: which must have one; all of `instances` when left out.

    Raises InputError for a row of no instance, and for one of `asked` without a row.
    """
    asked = instances if asked is None else asked
    found: dict[str, Reference] = {}
    columns = columns_for(instances[id] for id in asked)
    for row, id, cells in sheets.read(path, columns):
        if id not in instances:
            raise InputError(path, f"is of no question: {id}", row=row, fix="mend or remove the row")
        found[id] = Reference(cells[sheets.ANSWER], cells.get(sheets.SOLUTION, ""))
    missing = [id for id in asked if id not in found]
    if missing:
        what = f"has no row for {missing[0]} ({len(missing)} of {len(asked)} have none)"
        raise InputError(path, what, fix=f"add rows with {','.join(columns)}")
    return found
