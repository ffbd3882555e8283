"""The mean score by the year of the exam: a model that saw old papers would do worse on the latest one."""

import math

import pandas

from evaltrail import statistics
from evaltrail.benchmarks.jeebench import marks
from evaltrail.records import Instance
from evaltrail.tables import TableRow

LATEST = 2023  # after the training data of the models that the paper evaluates
COLUMNS = ["system", "years", "instances", "score", "low", "high"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system and year, one for all years but 2023, and one for the difference of 2023 against those.

    score: the mean, 0 to 1, or the difference of two; low, high: its 95 % bootstrap interval over instances. The
    years differ in their mix of types, so a difference is a hint and no proof. Without problems of 2023, or without
    others, there is no difference.
    """
    lines = []
    for row in rows:
        years: dict[int, list[float]] = {}
        for instance, score in marks.answered(instances, row.files["scores.jsonl"]):
            years.setdefault(instance.extra["year"], []).append(score.score)
        lines += [{"system": row.label, **line} for line in _lines(years)]
    return pandas.DataFrame(lines, columns=COLUMNS)


def _lines(years: dict[int, list[float]]) -> list[dict]:
    lines = [_mean(str(year), years[year]) for year in sorted(years)]
    latest = years.get(LATEST, [])
    others = [score for year, scores in years.items() if year != LATEST for score in scores]
    if latest and others:
        lines.append(_mean(f"all but {LATEST}", others))
        low, high = statistics.difference_interval(latest, others)
        lines.append(
            {
                "years": f"{LATEST} less all others",
                "instances": len(latest) + len(others),
                "score": _average(latest) - _average(others),
                "low": low,
                "high": high,
            }
        )
    return lines


def _mean(years: str, scores: list[float]) -> dict:
    low, high = statistics.interval(scores)
    return {"years": years, "instances": len(scores), "score": _average(scores), "low": low, "high": high}


def _average(scores: list[float]) -> float:
    return math.fsum(scores) / len(scores)
