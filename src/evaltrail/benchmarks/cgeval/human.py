"""A person's scores of replies: human_scores.csv, which is the table `sample` with its column `score` filled in.

`system` and `instance` name the reply, `score` is a number on any one scale, higher for better; rows without a score
are not judged, other columns are not read again.
"""

import hashlib
from typing import NamedTuple

from evaltrail import jsonl, person
from evaltrail.errors import InputError
from evaltrail.records import Instance, Score
from evaltrail.tables import TableRow

FILE = "human_scores.csv"
COLUMNS = ["system", "instance", "score"]
PER_SUBJECT = 20
SEED = 0


class Judged(NamedTuple):
    """A reply that a person scored, beside what it earned."""

    row: TableRow
    instance: Instance
    score: Score
    human: float


def sample(
    instances: list[Instance], systems_by_id: dict[str, list[str]], seed: int = SEED
) -> list[tuple[Instance, str]]:
    """`PER_SUBJECT` instances of each subject, in the order of the instances, and a system drawn for each.

    systems_by_id: which systems have a reply to an instance; those without any are not drawn. Drawn are those with the
    smallest sha256 of "seed:id" in their category and subject, and of "seed:id:system" the system. So it is the same
    anywhere, and one more instance or system moves few others.
    """
    strata: dict[tuple[str, str], list[str]] = {}
    for one in instances:
        if one.id in systems_by_id:
            strata.setdefault((one.extra["category"], one.subject), []).append(one.id)
    chosen = {
        id for ids in strata.values() for id in sorted(ids, key=lambda id: _digest(seed, id))[:PER_SUBJECT]
    }
    return [
        (one, min(systems_by_id[one.id], key=lambda system: _digest(seed, one.id, system)))
        for one in instances
        if one.id in chosen
    ]


def _digest(*parts) -> bytes:
    return hashlib.sha256(":".join(map(str, parts)).encode()).digest()


def judged(instances: list[Instance], rows: list[TableRow]) -> list[Judged]:
    """The replies of human_scores.csv, in its order. Raises InputError naming row and field."""
    if not rows:
        return []
    by_id = {instance.id: instance for instance in instances}
    systems = {row.system: row for row in rows}
    scores = {
        row.system: {one.instance: one for one in jsonl.read(row.files["scores.jsonl"], Score)}
        for row in rows
    }
    path, found = rows[0].files[FILE], {}
    for number, cells in person.read(path, COLUMNS, more=True, encodings=("utf-8", "gb18030")):
        if not cells["score"].strip():
            continue
        system, id = cells["system"], cells["instance"]
        if system not in systems:
            fix = f"known: {', '.join(systems)}"
            raise InputError(path, f"is {system!r}", row=number, field="system", fix=fix)
        if id not in scores[system]:
            what = f"{system} has no reply to {id!r}"
            raise InputError(path, what, row=number, field="instance", fix="mend or remove the row")
        if (system, id) in found:
            raise InputError(path, "stands twice", row=number, fix="remove one of the rows")
        found[system, id] = Judged(
            systems[system],
            by_id[id],
            scores[system][id],
            person.number(cells["score"], path, number, "score", "4"),
        )
    return list(found.values())
