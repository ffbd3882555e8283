"""Replies read and scored anew, cut where a table wants it; what the tables about stop sequences share.

They look at the first sample of each instance.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaltrail import jsonl
from evaltrail.benchmarks.drop.predict import read
from evaltrail.benchmarks.drop.score import parts
from evaltrail.cut import cut
from evaltrail.records import Completion, Generation, Instance
from evaltrail.tables import TableRow

_DECIMAL = re.compile(r"[-+$€£]?[0-9,]*\.[0-9]+%?")


class Scored(NamedTuple):
    """A reply up to a stop sequence: what is scored of it, and its exact match and F1 ({normaliser}_EM, ..._F1)."""

    instance: Instance
    completion: Completion
    answer: str
    parts: dict[str, float]


def first_replies(row: TableRow) -> Iterator[Generation]:
    """The first sample of each instance, as the model gave it."""
    return (reply for reply in jsonl.read(row.files["generations.jsonl"], Generation) if reply.sample == 0)


def cut_at(instances: list[Instance], row: TableRow, stop: str) -> list[Scored]:
    """The first replies of a system, each cut at `stop`, read and scored as the system's own are."""
    return list(_scored(instances, row, (cut(reply, [stop]) for reply in first_replies(row))))


def as_cut(instances: list[Instance], row: TableRow) -> Iterator[Scored]:
    """The first replies of a system, as its own stop cuts them."""
    completions = jsonl.read(row.files["completions.jsonl"], Completion)
    return _scored(instances, row, (one for one in completions if one.sample == 0))


def _scored(instances: list[Instance], row: TableRow, completions) -> Iterator[Scored]:
    by_id = {instance.id: instance for instance in instances}
    for completion in completions:
        instance = by_id[completion.instance]
        answer = read(instance, completion, row.settings["extraction"]).answer or ""
        yield Scored(instance, completion, answer, parts(answer, instance.references, row.settings["spans"]))


def decimals(instance: Instance) -> list[str]:
    """The golds that are a number with a point in it, perhaps with a sign, a currency or a percent sign."""
    texts = (text for gold in instance.references for text in ([gold] if isinstance(gold, str) else gold))
    return [text for text in texts if _DECIMAL.fullmatch(text)]


def shown(stop: str | Sequence[str] | None) -> str:
    """A stop setting in a table's cell: a line end as \\n, several as a list, `none` for none.

    In quotes stands what could not be seen, or is the word none.
    """
    if not stop:
        return "none"
    if not isinstance(stop, str):
        return json.dumps(stop, ensure_ascii=False)
    text = stop if stop.isprintable() else json.dumps(stop)[1:-1]
    return f'"{text}"' if text == "none" or not text.strip() else text
