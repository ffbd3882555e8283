"""The means of Table 2, each with its interval."""

import math

import pandas

from evaltrail import statistics
from evaltrail.benchmarks.jeebench import marks
from evaltrail.benchmarks.jeebench.kinds import SUBJECTS, TYPES
from evaltrail.benchmarks.jeebench.score import groups_of
from evaltrail.records import Instance
from evaltrail.tables import TableRow

GROUPS = [*SUBJECTS.values(), *TYPES.values(), "Total"]
COLUMNS = ["system", "group", "instances", "score", "low", "high"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system and group of Table 2 in which it has instances; low, high: the 95 % bootstrap interval."""
    lines = []
    for row in rows:
        answered = marks.answered(instances, row.files["scores.jsonl"])
        for group in GROUPS:
            scores = [each.score.score for each in answered if group in groups_of(each.instance)]
            if scores:
                low, high = statistics.interval(scores)
                counts = {"instances": len(scores), "score": math.fsum(scores) / len(scores)}
                lines.append({"system": row.label, "group": group, **counts, "low": low, "high": high})
    return pandas.DataFrame(lines, columns=COLUMNS)
