"""Gscore of each system by category, and its averages over categories and over questions (paper, table 2)."""

from typing import Any

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.cgeval.kinds import CATEGORIES
from evaltrail.benchmarks.cgeval.tables.signatures import encoder_of
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = ["system", *CATEGORIES, "categories", "questions", "instances", "none", "encoder"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system, in per cent: each category, the mean of the categories that it has, the mean of all questions.

    none: how many replies are blank or, to a computation, have no final answer; a text without reply scores 0.
    encoder: whose similarity it is; no two encoders' Gscores compare.
    """
    lines = []
    for row in rows:
        metrics = jsonl.read_document(row.files["metrics.json"])
        own = {category: per_cent(metrics, category) for category in CATEGORIES}
        there = [value for value in own.values() if value is not None]
        lines.append(
            {
                "system": row.label,
                **own,
                "categories": sum(there) / len(there),
                "questions": per_cent(metrics, "Total"),
                "instances": metrics["instances"]["Total"],
                "none": metrics["none"],
                "encoder": encoder_of(metrics),
            }
        )
    return pandas.DataFrame(lines, columns=COLUMNS)


def per_cent(metrics: dict[str, Any], group: str) -> float | None:
    """A system's mean Gscore in a group, None where it has no instance there. metrics: its metrics.json."""
    return 100 * metrics["score"][group] if group in metrics["score"] else None
