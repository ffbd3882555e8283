"""Gscore of each system by category, with intervals."""

import pandas

from evaltrail import jsonl, statistics
from evaltrail.benchmarks.cgeval.kinds import CATEGORIES
from evaltrail.benchmarks.cgeval.score import TOTAL, groups_of
from evaltrail.benchmarks.cgeval.tables.signatures import encoder_of
from evaltrail.means import mean
from evaltrail.records import Instance, Score
from evaltrail.tables import TableRow

COLUMNS = ["system", "category", "instances", "gscore", "low", "high", "encoder"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system and category that it has; low, high: the 95 % bootstrap interval over instances; per cent."""
    groups = {instance.id: groups_of(instance) for instance in instances}
    lines = []
    for row in rows:
        encoder = encoder_of(jsonl.read_document(row.files["metrics.json"]))
        scores = list(jsonl.read(row.files["scores.jsonl"], Score))
        for category in (*CATEGORIES, TOTAL):
            own = [100 * score.score for score in scores if category in groups[score.instance]]
            if own:
                low, high = statistics.interval(own)
                found = {"instances": len(own), "gscore": mean(own)}
                found |= {"low": low, "high": high, "encoder": encoder}
                lines.append({"system": row.label, "category": category, **found})
    return pandas.DataFrame(lines, columns=COLUMNS)
