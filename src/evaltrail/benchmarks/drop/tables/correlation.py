"""Whether F1 ranks systems as a leaderboard's average does, at each of the dataset's stop sequences."""

import statistics

import pandas

from evaltrail.benchmarks.drop.tables import averages
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = ["stop", "normaliser", "systems", "pearson", "spearman"]


def table(instances: list[Instance], rows: list[TableRow], *, stops: list[str]) -> pandas.DataFrame:
    """A row a stop and normaliser: the correlation of F1 with the average over the systems of leaderboard.csv.

    spearman is Pearson's of the ranks, equal values sharing their mean rank. Empty where it is not defined: fewer than
    two systems, or all with the same value.
    """
    points = averages.table(instances, rows, stops=stops)
    lines = []
    for (stop, name), own in points.groupby(["stop", "normaliser"], sort=False):
        average = own["average"].astype(float)
        pearson = correlation(average, own["F1"])
        spearman = correlation(average.rank(), own["F1"].rank())
        lines.append(
            {"stop": stop, "normaliser": name, "systems": len(own), "pearson": pearson, "spearman": spearman}
        )
    return pandas.DataFrame(lines, columns=COLUMNS)


def correlation(first: pandas.Series, second: pandas.Series) -> float | None:
    """Pearson's correlation; None where it is not defined."""
    try:
        return statistics.correlation(first.tolist(), second.tolist())
    except statistics.StatisticsError:
        return None
