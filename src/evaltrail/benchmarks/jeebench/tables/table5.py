"""Table 5: exam marks on all multiple-choice problems, with and without the marking scheme in the prompt."""

import pandas

from evaltrail.benchmarks.jeebench import marks
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = [
    "system",
    "positive",
    "negative",
    "total",
    "maximum",
    "instances",
    "none",
    "compared_with",
    "common",
    "difference",
]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system, in marks over the multiple-choice problems that it answered to (Arora et al. 2023, table 5).

    positive, negative: marks won and lost; total: both; maximum: full marks on the same problems; instances: those
    problems; none: those of them that it left out. For a system that names a pair, `compared_with` is the pair's
    label, `common` the problems that both have, and `difference` its total there less the pair's; else empty.
    """
    systems = {row.system: marks.mcqs(marks.answered(instances, row.files["scores.jsonl"])) for row in rows}
    labels = {row.system: row.label for row in rows}
    lines = []
    for row in rows:
        own = systems[row.system]
        tally = marks.tally(own)
        line = {
            "system": row.label,
            "positive": tally.positive,
            "negative": tally.negative,
            "total": tally.total,
            "maximum": marks.maximum(answered.instance for answered in own),
            "instances": len(own),
            "none": sum(answered.score.prediction is None for answered in own),
        }
        if other := row.settings["pairs_with"]:
            line |= {"compared_with": labels[other], **_difference(own, systems[other])}
        lines.append(line)
    return pandas.DataFrame(lines, columns=COLUMNS, dtype=object)


def _difference(own: list[marks.Answered], pair: list[marks.Answered]) -> dict[str, int]:
    """Over the problems that both have: how many, and the difference of the totals."""
    first, second = ({row.instance.id: marks.earned(row) for row in rows} for rows in (own, pair))
    common = first.keys() & second.keys()
    return {"common": len(common), "difference": sum(first[id] - second[id] for id in common)}
