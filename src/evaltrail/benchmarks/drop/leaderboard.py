"""A person's leaderboard.csv: a system's id and the average that a leaderboard gives it, in any unit."""

from evaltrail import person
from evaltrail.errors import InputError
from evaltrail.tables import TableRow

COLUMNS = ["system", "average"]


def averages(rows: list[TableRow]) -> dict[str, float]:
    """The averages by system, in the order of the rows; systems that the file lacks are left out.

    Raises InputError naming the line for an unknown system, one that stands twice, and an average that is no number.
    """
    if not rows:
        return {}
    path = rows[0].files["leaderboard.csv"]
    known, found = [row.system for row in rows], {}
    for number, cells in person.read(path, COLUMNS):
        system = cells["system"]
        if system not in known:
            fix = f"known: {', '.join(known)}"
            raise InputError(path, f"is {system!r}", row=number, field="system", fix=fix)
        if system in found:
            raise InputError(path, "stands twice", row=number, field="system", fix="remove one of the rows")
        found[system] = person.number(cells["average"], path, number, "average", "61.3")
    return {system: found[system] for system in known if system in found}
