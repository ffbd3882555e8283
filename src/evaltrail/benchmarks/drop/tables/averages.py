"""F1 beside the average that a leaderboard gives each system, at each of the dataset's stop sequences."""

import pandas

from evaltrail.benchmarks.drop.leaderboard import averages
from evaltrail.benchmarks.drop.normalisers import NORMALISERS
from evaltrail.benchmarks.drop.replies import cut_at, shown
from evaltrail.means import mean
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = ["system", "average", "stop", "normaliser", "instances", "EM", "F1"]


def table(instances: list[Instance], rows: list[TableRow], *, stops: list[str]) -> pandas.DataFrame:
    """A row a system of leaderboard.csv, stop and normaliser, over the first samples of what it answered."""
    lines = []
    known = averages(rows)
    for row in rows:
        for stop in stops if row.system in known else ():
            scored = cut_at(instances, row, stop)
            head = {"system": row.label, "average": repr(known[row.system]), "stop": shown(stop)}
            for name in NORMALISERS:
                means = {part: mean(one.parts[f"{name}_{part}"] for one in scored) for part in ("EM", "F1")}
                lines.append({**head, "normaliser": name, "instances": len(scored), **means})
    return pandas.DataFrame(lines, columns=COLUMNS)
