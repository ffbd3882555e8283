"""F1 beside the average that a leaderboard gives each system, at each of the dataset's stop sequences."""

import pandas

from evaltrail.benchmarks.drop.leaderboard import averages
from evaltrail.benchmarks.drop.normalisers import NORMALISERS
from evaltrail.benchmarks.drop.replies import cut_at, mean, shown
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = ["system", "average", "stop", "normaliser", "EM", "F1"]


def table(instances: list[Instance], rows: list[TableRow], *, stops: list[str]) -> pandas.DataFrame:
    """A row a system of leaderboard.csv, stop and normaliser."""
    lines = []
    known = averages(rows)
    for row in rows:
        for stop in stops if row.system in known else ():
            scored = cut_at(instances, row, stop)
            for name in NORMALISERS:
                head = {
                    "system": row.label,
                    "average": known[row.system],
                    "stop": shown(stop),
                    "normaliser": name,
                }
                means = {part: mean(one.parts[f"{name}_{part}"] for one in scored) for part in ("EM", "F1")}
                lines.append(head | means)
    return pandas.DataFrame(lines, columns=COLUMNS)
