"""Table 2: the mean score of each system by subject, by type and in all."""

import math

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.jeebench.kinds import SUBJECTS, TYPES
from evaltrail.benchmarks.jeebench.score import expected_random, groups_of
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = [*SUBJECTS.values(), *TYPES.values(), "Total"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """The row of a random answerer (its expected score, over all instances), then a row a system.

    A group in which a system has no instance is empty. `instances` counts those that the system answered to,
    `none` those of them without an answer; `answers` says who read the replies.
    """
    lines = [_random(instances)]
    for row in rows:
        metrics = jsonl.read_document(row.files["metrics.json"])
        lines.append(
            {
                "system": row.label,
                **{column: metrics["score"].get(column) for column in COLUMNS},
                "instances": _how_many(metrics),
                "none": metrics["none"],
                "answers": _who(metrics["signature"]),
                "tolerance": metrics["signature"]["tolerance"],
            }
        )
    return pandas.DataFrame(lines)


def _how_many(metrics: dict) -> int | str:
    """The number of instances, and which part of all they are where they are not all."""
    count, part = metrics["instances"]["Total"], metrics["signature"]["instances"]
    return count if part == "all" else f"{count} ({part})"


def _who(signature: dict) -> str:
    """Who read the replies that are scored, and in how many a person's ruling stands in for the rules."""
    ruled = signature["adjudicated"]
    return f"{signature['answers']}, {ruled} adjudicated" if ruled else signature["answers"]


def _random(instances: list[Instance]) -> dict:
    scores: dict[str, list[float]] = {}
    for instance in instances:
        for group in groups_of(instance):
            scores.setdefault(group, []).append(expected_random(instance.type, instance.references[0]))
    means = {
        column: math.fsum(scores[column]) / len(scores[column]) for column in COLUMNS if column in scores
    }
    counts = {"instances": len(instances), "none": 0, "answers": "expected", "tolerance": ""}
    return {"system": "Random", **{column: means.get(column) for column in COLUMNS}, **counts}
