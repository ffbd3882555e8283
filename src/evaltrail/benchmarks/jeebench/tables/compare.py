"""Each pair of systems on the instances that both answered to: the difference, and whether chance explains it."""

from itertools import combinations

import pandas

from evaltrail import statistics
from evaltrail.benchmarks.jeebench import marks
from evaltrail.benchmarks.jeebench.kinds import TYPES
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = ["first", "second", "group", "instances", "difference", "low", "high", "p", "test"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a pair of systems, over all common instances (Total) and over those of each type; none for no instance.

    difference: mean score of first less mean of second; low, high: its 95 % paired bootstrap interval; p: two-sided,
    by `test`: McNemar (exact) where all scores are 0 or 1, else paired bootstrap. No p is corrected for the number
    of pairs: with k rows in view, compare with 0.05 / k.
    """
    systems = [
        (row.label, {each.instance.id: each for each in marks.answered(instances, row.files["scores.jsonl"])})
        for row in rows
    ]
    lines = [
        {"first": label, "second": other, **line}
        for (label, first), (other, second) in combinations(systems, 2)
        for line in _lines(first, second)
    ]
    return pandas.DataFrame(lines, columns=COLUMNS)


def _lines(first: dict[str, marks.Answered], second: dict[str, marks.Answered]) -> list[dict]:
    common = [id for id in first if id in second]
    groups = {"Total": common} | {
        name: [id for id in common if first[id].instance.type == type] for type, name in TYPES.items()
    }
    return [
        {
            "group": group,
            "instances": len(ids),
            **compared([first[id].score.score for id in ids], [second[id].score.score for id in ids]),
        }
        for group, ids in groups.items()
        if ids
    ]


def compared(first: list[float], second: list[float]) -> dict:
    """Difference of the means, interval, p (three figures, as text) and the test, for the same instances."""
    found = statistics.paired(first, second)
    if {*first, *second} <= {0, 1}:
        p, test = statistics.mcnemar(first, second), "McNemar"
    else:
        p, test = found.p, "paired bootstrap"
    return {
        "difference": found.difference,
        "low": found.low,
        "high": found.high,
        "p": f"{p:.3g}",
        "test": test,
    }
