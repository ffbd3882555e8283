"""How Gscore goes with a person's scores: Kendall's tau-b, Spearman, Pearson, by category."""

import warnings

import pandas

from evaltrail.benchmarks.cgeval.kinds import CATEGORIES
from evaltrail.benchmarks.cgeval.tables import judged
from evaltrail.records import Instance
from evaltrail.tables import TableRow

PUBLISHED = 0.614  # Kendall's tau of Gscore and people over all categories (Zeng et al. 2023)
COLUMNS = ["category", "replies", "kendall", "p", "spearman", "pearson", "published_kendall"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a category with scored replies, and one for all. p: two-sided, of Kendall's tau-b (scipy).

    Empty where a correlation is not defined: fewer than two replies, or all with the same score.
    """
    points = judged.table(instances, rows)
    lines = []
    for category in (*CATEGORIES, "Total"):
        own = points if category == "Total" else points[points["category"] == category]
        if len(own):
            found = correlations(own)
            found["p"] = None if found["p"] is None else f"{found['p']:.3g}"  # may be 1e-9
            published = PUBLISHED if category == "Total" else None
            head = {"category": category, "replies": len(own)}
            lines.append({**head, **found, "published_kendall": published})
    return pandas.DataFrame(lines, columns=COLUMNS)


def correlations(points: pandas.DataFrame, column: str = "gscore") -> dict[str, float | None]:
    """Kendall's tau-b with its p, Spearman's and Pearson's of `column` and `human`; None where not defined."""
    from scipy import stats

    first, second = points[column], points["human"]
    if len(points) < 2 or first.nunique() < 2 or second.nunique() < 2:
        return dict.fromkeys(("kendall", "p", "spearman", "pearson"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of nearly constant scores
        tau = stats.kendalltau(first, second)
        return {
            "kendall": float(tau.statistic),
            "p": float(tau.pvalue),
            "spearman": float(stats.spearmanr(first, second).statistic),
            "pearson": float(stats.pearsonr(first, second).statistic),
        }
