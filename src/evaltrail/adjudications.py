"""data/{dataset}/adjudications.csv: a person's rulings on what a reply answers, over what the rules read.

Columns: system, instance, sample (from 0), answer ("None" for a reply without answer), reason.
"""

from typing import NamedTuple

from evaltrail import person
from evaltrail.errors import InputError

COLUMNS = ["system", "instance", "sample", "answer", "reason"]
RULE = "adjudicated"  # stands in a prediction in place of the name of a rule


class Ruling(NamedTuple):
    """A ruling on one reply, and the line it stands on."""

    answer: str | None
    line: int


def check_systems(path, systems: list[str]) -> None:
    """Raises InputError when the file rules on a system that is not among `systems`."""
    for number, cells in person.read(path, COLUMNS):
        if cells["system"] not in systems:
            what = f"{cells['system']!r} is no system of the dataset"
            raise InputError(path, what, row=number, field="system", fix="give its id in params.yaml")


def read(path, system: str) -> dict[tuple[str, int], Ruling]:
    """The rulings on the replies of `system`, by instance and sample.

    Raises InputError for a sample that is no number, an empty answer or reason, and two rulings on one reply.
    """
    rulings: dict[tuple[str, int], Ruling] = {}
    for number, cells in person.read(path, COLUMNS):
        if cells["system"] != system:
            continue
        if not cells["sample"].isdecimal():
            raise InputError(
                path, f"{cells['sample']!r} is no number", row=number, field="sample", fix="count from 0"
            )
        for field, fix in (
            ("answer", 'write it, or "None" for a reply without answer'),
            ("reason", "say why"),
        ):
            if not cells[field].strip():
                raise InputError(path, "is empty", row=number, field=field, fix=fix)
        key = cells["instance"], int(cells["sample"])
        if key in rulings:
            raise InputError(path, "rules twice on one reply", row=number, fix="remove one of the rows")
        answer = cells["answer"].strip()
        rulings[key] = Ruling(None if answer == "None" else answer, number)
    return rulings
