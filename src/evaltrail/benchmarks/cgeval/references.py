"""The user's references.csv: what right answers look like, which CG-Eval does not publish."""

from typing import NamedTuple

from evaltrail.benchmarks.cgeval import sheets
from evaltrail.benchmarks.cgeval.kinds import MATH_TYPES
from evaltrail.errors import InputError
from evaltrail.records import Instance

COLUMNS = (*sheets.KEY, sheets.ANSWER)


class Reference(NamedTuple):
    answer: str
    solution: str  # the worked steps of a computation; "" where there are none


def read(path, instances: dict[str, Instance]) -> dict[str, Reference]:
    """The references by instance; the column of solutions may be missing where no question is a computation.

    Raises InputError for a row of no instance, and for an instance without a row.
    """
    found: dict[str, Reference] = {}
    needs_solutions = any(instance.type in MATH_TYPES for instance in instances.values())
    columns = (*COLUMNS, sheets.SOLUTION) if needs_solutions else COLUMNS
    for row, id, cells in sheets.read(path, columns):
        if id not in instances:
            raise InputError(path, f"is of no question: {id}", row=row, fix="mend or remove the row")
        found[id] = Reference(cells[sheets.ANSWER], cells.get(sheets.SOLUTION, ""))
    missing = [id for id in instances if id not in found]
    if missing:
        what = f"has no row for {missing[0]} ({len(missing)} of {len(instances)} have none)"
        raise InputError(path, what, fix=f"add rows with {','.join(columns)}")
    return found
