"""Kendall's tau of Gscore and a person's scores of texts, over a grid of weights."""

from itertools import product

import pandas

from evaltrail.benchmarks.cgeval.gscore import WEIGHTS, gscore
from evaltrail.benchmarks.cgeval.kinds import TEXT_TYPES
from evaltrail.benchmarks.cgeval.tables import judged
from evaltrail.benchmarks.cgeval.tables.correlation import correlations
from evaltrail.records import Instance
from evaltrail.tables import TableRow

STEPS = 10  # weights are multiples of a tenth
COLUMNS = [*WEIGHTS, "replies", "kendall"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row for each choice of weights that are multiples of 0.1 and sum to 1, and one for the published weights.

    Best first; of equal ones as the grid runs. Over the scored replies to 名词解释 and 简答题.
    """
    points = judged.table(instances, rows)
    points = points[points["type"].isin(TEXT_TYPES)].reset_index(drop=True)
    if not len(points):
        return pandas.DataFrame(columns=COLUMNS)
    parts = {name: points[name].to_numpy() for name in WEIGHTS}
    lines = []
    for tenths in [None, *(t for t in product(range(STEPS + 1), repeat=len(WEIGHTS)) if sum(t) == STEPS)]:
        weights = WEIGHTS if tenths is None else dict(zip(WEIGHTS, (n / STEPS for n in tenths), strict=True))
        scored = points.assign(gscore=gscore(parts, weights))
        lines.append({**weights, "replies": len(points), "kendall": correlations(scored)["kendall"]})
    frame = pandas.DataFrame(lines, columns=COLUMNS)
    return frame.sort_values("kendall", ascending=False, kind="stable")
