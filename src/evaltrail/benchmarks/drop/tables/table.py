"""Exact match and F1 of each system by the three normalisers, side by side."""

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.drop.normalisers import NORMALISERS
from evaltrail.benchmarks.drop.replies import shown
from evaltrail.benchmarks.drop.score import TOTAL
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = ["system", "stop", "normaliser", "EM", "F1", "instances", "none"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system and normaliser: means over the instances, 0 to 1; none: those whose reply is blank."""
    lines = []
    for row in rows:
        metrics = jsonl.read_document(row.files["metrics.json"])
        means = metrics["parts"][TOTAL]
        for name in NORMALISERS:
            lines.append(
                {
                    "system": row.label,
                    "stop": shown(row.settings["stop"]),
                    "normaliser": name,
                    "EM": means[f"{name}_EM"],
                    "F1": means[f"{name}_F1"],
                    "instances": metrics["instances"][TOTAL],
                    "none": metrics["none"],
                }
            )
    return pandas.DataFrame(lines, columns=COLUMNS)
