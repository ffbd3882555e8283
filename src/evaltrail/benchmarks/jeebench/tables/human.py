"""Figure 8: marks on the 2023 paper, projected from its text-only problems to 360, against human candidates."""

from fractions import Fraction

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.jeebench import marks
from evaltrail.benchmarks.jeebench.answers import MCQS
from evaltrail.benchmarks.jeebench.tune import least_of
from evaltrail.records import Instance
from evaltrail.tables import TableRow

YEAR = 2023
PAPER = 360  # marks of the whole paper, problems with figures included
# Two points that the paper gives (figure 8): marks out of 360, and the share of candidates above, in per cent.
TOP = (97, 10)
LOW = (70, 20)
COLUMNS = [
    "system",
    "thresholds",
    "instances",
    "positive",
    "negative",
    "total",
    "maximum",
    "mcq_positive",
    "mcq_negative",
    "projected",
    "place",
]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system, and a second with thresholds for one with more than one sample.

    Marks of all four types of the 2023 problems: won, lost, total, maximum; mcq_positive, mcq_negative: won and lost
    on those with options alone. projected: the total scaled to 360;
    place: among human candidates, by linear interpolation between the two published points and never beyond them.
    A system that did not answer to every 2023 problem has neither.
    """
    paper = [instance for instance in instances if instance.extra["year"] == YEAR]
    lines = []
    for row in rows:
        answered = marks.answered(instances, row.files["scores.jsonl"])
        own = [each for each in answered if each.instance.extra["year"] == YEAR]
        lines.append(_line(row.label, "without", own, None, len(paper)))
        if marks.samples_of(own) > 1:
            least = least_of(jsonl.read_document(row.files["thresholds.json"]))
            lines.append(_line(row.label, "with", own, least, len(paper)))
    return pandas.DataFrame(lines, columns=COLUMNS, dtype=object)


def _line(label: str, thresholds: str, own: list[marks.Answered], least, problems: int) -> dict:
    tally = marks.tally(own, least)
    mcqs = marks.tally([each for each in own if each.instance.type in MCQS], least)
    line = {
        "system": label,
        "thresholds": thresholds,
        "instances": len(own),
        "positive": tally.positive,
        "negative": tally.negative,
        "total": tally.total,
        "maximum": marks.maximum(row.instance for row in own),
        "mcq_positive": mcqs.positive,
        "mcq_negative": mcqs.negative,
    }
    if own and len(own) == problems:
        projected = project(tally.total, line["maximum"])
        line |= {"projected": f"{float(projected):.3f}", "place": place(projected)}
    return line


def project(total: int, of: int) -> Fraction:
    """Marks out of `of` as marks out of 360: 49 out of 229 are 77."""
    return Fraction(total * PAPER, of)


def place(projected: Fraction | int) -> str:
    """Where marks out of 360 stand among candidates: `top 14.4 %`, or beyond which published point they lie."""
    if projected > TOP[0]:
        return f"above top {TOP[1]} %"
    if projected < LOW[0]:
        return f"below top {LOW[1]} %"
    share = TOP[1] + (TOP[0] - projected) * Fraction(LOW[1] - TOP[1], TOP[0] - LOW[0])
    return f"top {float(share):.1f} %"
