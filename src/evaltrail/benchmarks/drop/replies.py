"""Kept replies, cut at a stop sequence and scored: what the tables share that compare stop sequences."""

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from evaltrail import jsonl
from evaltrail.benchmarks.drop.predict import read
from evaltrail.benchmarks.drop.score import parts
from evaltrail.cut import cut
from evaltrail.records import Generation, Instance
from evaltrail.tables import TableRow


class Scored(NamedTuple):
    """A reply up to a stop sequence, and its exact match and F1 by each normaliser ({normaliser}_EM, ..._F1)."""

    instance: Instance
    text: str
    parts: dict[str, float]


def first_replies(row: TableRow) -> Iterator[Generation]:
    """The first sample of each instance, as the model gave it."""
    return (reply for reply in jsonl.read(row.files["generations.jsonl"], Generation) if reply.sample == 0)


def cut_at(instances: list[Instance], row: TableRow, stop: str) -> list[Scored]:
    """The first replies of a system, each cut at `stop`, read as the system's own are, and scored."""
    by_id = {instance.id: instance for instance in instances}
    found = []
    for reply in first_replies(row):
        instance, completion = by_id[reply.instance], cut(reply, [stop])
        answer = read(instance, completion, row.settings["extraction"]).answer or ""
        found.append(
            Scored(instance, completion.text, parts(answer, instance.references, row.settings["spans"]))
        )
    return found


def mean(values: Iterable[float]) -> float:
    """The exact sum of `values`, divided once."""
    values = list(values)
    return math.fsum(values) / len(values)


def shown(stop: str | Sequence[str] | None) -> str:
    """A stop setting in a table's cell: a line end as \\n, several as a list, `none` for none."""
    if isinstance(stop, str):
        return json.dumps(stop, ensure_ascii=False)[1:-1]
    return json.dumps(stop, ensure_ascii=False) if stop else "none"
