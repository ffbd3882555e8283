"""Gscore beside a person's score, reply by reply."""

import pandas

from evaltrail.benchmarks.cgeval import human
from evaltrail.benchmarks.cgeval.tables.parts import PARTS
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = ["system", "instance", "category", "type", "human", "gscore", *PARTS]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a reply of human_scores.csv that has a score."""
    lines = [
        {
            "system": one.row.label,
            "instance": one.instance.id,
            "category": one.instance.extra["category"],
            "type": one.instance.type,
            "human": one.human,
            "gscore": one.score.score,
            **one.score.parts,
        }
        for one in human.judged(instances, rows)
    ]
    return pandas.DataFrame(lines, columns=COLUMNS)
