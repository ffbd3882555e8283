"""A person's judgements of replies: annotations.csv, and which replies to judge.

The file is the table `annotate`, filled in by hand; rows without error and verifier are not judged. Its columns:

    system, instance                 the reply
    type, gold, prediction, score    what the person was shown; not read again
    error       the first error in the reply (Arora et al. 2023, table 3):
                conceptual       a concept or formula is missing or wrong
                grounding        the concepts are right, their translation into equations is not
                computation      the equations are right, the algebra or arithmetic is not
                miscomprehension the problem was misread
                none             the reply is right from start to end
    verifier    what a second pass over the reply (self-critique) made of it; empty where there was none:
                missed           the error was not found
                found            it was found and not mended
                fixed            it was found and mended
                kept             a right reply stayed right
                spoiled          a right reply became wrong
    note        free text
"""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from evaltrail import person
from evaltrail.errors import InputError

COLUMNS = ["system", "instance", "type", "gold", "prediction", "score", "error", "verifier", "note"]
ERRORS = ("conceptual", "grounding", "computation", "miscomprehension", "none")
# What a verifier can make of a reply with an error, and of one without.
WITH_ERROR = ("missed", "found", "fixed")
WITHOUT = ("kept", "spoiled")

SAMPLE = 100
SEED = 0


class Annotation(NamedTuple):
    """One judged reply; verifier is None where there was no second pass."""

    system: str
    instance: str
    error: str
    verifier: str | None


def sample(ids: Iterable[str], size: int = SAMPLE, seed: int = SEED) -> list[str]:
    """`size` of the ids, drawn evenly, in their own order; all when there are fewer.

    The ids with the smallest sha256 of "seed:id": the same anywhere, and one more id in the dataset moves one at most.
    """
    ids = list(ids)
    chosen = set(sorted(ids, key=lambda id: hashlib.sha256(f"{seed}:{id}".encode()).digest())[:size])
    return [id for id in ids if id in chosen]


def read(path, instances: dict[str, set[str]]) -> list[Annotation]:
    """The annotations of a file, which may be as a spreadsheet saves it (byte-order mark, CRLF).

    instances: the ids that each system answered to. Raises InputError naming line and field for a wrong header, an
    unknown value, a reply that there is not, a verifier's ruling that the error excludes, and a row that stands twice.
    """
    found: dict[tuple[str, str], Annotation] = {}
    for number, cells in person.read(path, COLUMNS):
        if not cells["error"] and not cells["verifier"]:
            continue
        annotation = _annotation(cells, path, number, instances)
        if annotation[:2] in found:
            raise InputError(path, "stands twice", row=number, fix="remove one of the rows")
        found[annotation[:2]] = annotation
    return list(found.values())


def _annotation(cells: dict[str, str], path, row: int, instances: dict[str, set[str]]) -> Annotation:
    system, instance, error, verifier = (cells[key] for key in ("system", "instance", "error", "verifier"))
    rulings = WITHOUT if error == "none" else WITH_ERROR
    checks = [
        ("system", system, instances),
        ("instance", instance, instances.get(system, ())),
        ("error", error, ERRORS),
        ("verifier", verifier, ("", *rulings)),
    ]
    for field, value, known in checks:
        if value not in known:
            raise InputError(path, _what(field, value, error), row=row, field=field, fix=_FIXES[field])
    return Annotation(system, instance, error, verifier or None)


def _what(field: str, value: str, error: str) -> str:
    if not value:
        return "is empty"
    return f"is {value!r} beside the error {error!r}" if field == "verifier" else f"is {value!r}"


_FIXES = {
    "system": "give the id of a system of the dataset",
    "instance": "give the id of an instance that the system answered to",
    "error": f"one of {', '.join(ERRORS)}; leave out rows that are not judged",
    "verifier": f"{', '.join(WITH_ERROR)} for a reply with an error, {', '.join(WITHOUT)} for one without, or empty",
}
