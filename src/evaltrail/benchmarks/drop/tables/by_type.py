"""Exact match and F1 by the type of the answer, with intervals."""

import pandas

from evaltrail import jsonl, statistics
from evaltrail.benchmarks.drop.normalisers import NORMALISERS
from evaltrail.benchmarks.drop.score import groups_of
from evaltrail.means import mean
from evaltrail.records import Instance, Score
from evaltrail.tables import TableRow

GROUPS = ["number", "date", "span", "spans", "none", "Total"]
COLUMNS = ["system", "type", "normaliser", "instances", "EM", "EM_low", "EM_high", "F1", "F1_low", "F1_high"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system, answer type and normaliser; low, high: the 95 % bootstrap interval over instances."""
    groups = {instance.id: groups_of(instance) for instance in instances}
    lines = []
    for row in rows:
        scores = list(jsonl.read(row.files["scores.jsonl"], Score))
        for group in GROUPS:
            own = [score.parts for score in scores if group in groups[score.instance]]
            for name in NORMALISERS if own else ():
                line = {"system": row.label, "type": group, "normaliser": name, "instances": len(own)}
                for part in ("EM", "F1"):
                    values = [parts[f"{name}_{part}"] for parts in own]
                    low, high = statistics.interval(values)
                    line |= {part: mean(values), f"{part}_low": low, f"{part}_high": high}
                lines.append(line)
    return pandas.DataFrame(lines, columns=COLUMNS)
