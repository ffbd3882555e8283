"""How often the rules read the answer that a person read in the same reply."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas

from evaltrail import adjudications, jsonl, statistics
from evaltrail.benchmarks.jeebench.answers import agrees, allowed, read_recorded
from evaltrail.benchmarks.jeebench.kinds import TYPES
from evaltrail.benchmarks.jeebench.score import score_answer
from evaltrail.records import Instance, Prediction
from evaltrail.tables import TableRow

COLUMNS = ["system", "type", "n", "agreement", "low", "high", "same_score", "adjudicated"]


class Read(NamedTuple):
    """A reply that both the rules and a person read, with the person's answer as its type allows it."""

    instance: Instance
    prediction: Prediction
    recorded: str | None

    @property
    def ruled(self) -> bool:
        return self.prediction.rule == adjudications.RULE

    @property
    def agree(self) -> bool:
        return agrees(self.instance.type, self.prediction.prediction, self.recorded)


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system and type, and one for all types; none for a system whose replies nobody read.

    n: replies that the rules and a person read; agreement: the share in which both read the same answer (see
    `agrees`; an answer that the type forbids is none), with its 95 % interval; same_score: the share in which both
    readings earn the same; adjudicated: replies in which a person's later ruling stands in for the rules, which
    count in no share.
    """
    lines = []
    for row in rows:
        tolerance = jsonl.read_document(row.files["metrics.json"])["signature"]["tolerance"]
        replies = list(replies_of(row, instances))
        for type, name in [*TYPES.items(), (None, "Total")]:
            own = [reply for reply in replies if type in (reply.instance.type, None)]
            if any(not reply.ruled for reply in own):
                lines.append({"system": row.label, "type": name, **_line(own, tolerance)})
    return pandas.DataFrame(lines, columns=COLUMNS)


def replies_of(row: TableRow, instances: list[Instance]) -> Iterator[Read]:
    """The replies of a system that a person read."""
    by_id = {instance.id: instance for instance in instances}
    for prediction in jsonl.read(row.files["predictions.jsonl"], Prediction):
        if prediction.recorded_answer is not None:
            instance = by_id[prediction.instance]
            recorded = allowed(instance.type, read_recorded(instance.type, prediction.recorded_answer))
            yield Read(instance, prediction, recorded)


def _line(replies: list[Read], tolerance: str) -> dict:
    ruled = sum(reply.ruled for reply in replies)
    replies = [reply for reply in replies if not reply.ruled]
    agree = [float(reply.agree) for reply in replies]
    low, high = statistics.interval(agree)
    return {
        "n": len(replies),
        "agreement": sum(agree) / len(agree),
        "low": low,
        "high": high,
        "same_score": sum(_same_score(reply, tolerance) for reply in replies) / len(replies),
        "adjudicated": ruled,
    }


def _same_score(reply: Read, tolerance: str) -> bool:
    type, gold = reply.instance.type, reply.instance.references[0]
    both = (reply.prediction.prediction, reply.recorded)
    return len({score_answer(type, gold, answer, tolerance) for answer in both}) == 1
