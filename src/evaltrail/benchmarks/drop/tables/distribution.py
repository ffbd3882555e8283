"""How F1 is distributed: the share of replies in each tenth, by stop sequence and normaliser."""

import math
from collections import Counter

import pandas

from evaltrail.benchmarks.drop.normalisers import NORMALISERS
from evaltrail.benchmarks.drop.replies import cut_at, shown
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = ["system", "stop", "normaliser", "F1", "instances", "share"]


def table(instances: list[Instance], rows: list[TableRow], *, stops: list[str]) -> pandas.DataFrame:
    """A row a system, stop, normaliser and F1: 0.0 for F1 of 0, else the upper end of the tenth that it is in."""
    lines = []
    for row in rows:
        for stop in stops:
            scored = cut_at(instances, row, stop)
            for name in NORMALISERS:
                counts = Counter(tenth(one.parts[f"{name}_F1"]) for one in scored)
                head = {"system": row.label, "stop": shown(stop), "normaliser": name}
                for step in range(11):
                    count = counts[step]
                    lines.append(
                        head | {"F1": f"{step / 10:.1f}", "instances": count, "share": count / len(scored)}
                    )
    return pandas.DataFrame(lines, columns=COLUMNS)


def tenth(f1: float) -> int:
    """0 for 0, else n where F1 is above (n - 1) / 10 and at most n / 10. F1 has two decimals."""
    return math.ceil(round(f1 * 100) / 10)
