"""Thresholds on confidence that earn most under negative marking, found on past papers (Arora et al. 2023,
figure 7 and table 6).

For each type on its own, every confidence that an option has on the validation problems is tried, and one point above
all of them, where nothing is answered. An option that no sample named is never answered, so 0 is not tried. Of
thresholds that earn the same total the lowest wins: it leaves fewest problems out.
"""

from evaltrail.benchmarks.jeebench import marks
from evaltrail.benchmarks.jeebench.answers import MCQS
from evaltrail.benchmarks.jeebench.marks import Answered, Tally
from evaltrail.errors import InputError

# The years of each part, both ends included.
PARTS = {"validation": range(2016, 2022), "test": range(2022, 2024)}


def tune(instances, path) -> dict:
    """thresholds.json of the system whose scores.jsonl is `path`.

    samples: the samples of each instance; years: the parts.
    types: for each type `count`, the samples that an answer needs, `tau`, the same as a share, and `abstains`, true
    where not answering at all earned most; `curve`: the marks of both parts at every tau that was tried.
    marks: of both types together, for each part `without` and `with` thresholds, beside instances and maximum.
    Raises InputError for a part without MCQs, and for a type that has test problems and none to tune on.
    """
    rows = marks.answered(instances, path)
    parts = {part: marks.mcqs(rows, years) for part, years in PARTS.items()}
    _check(parts, path)
    samples = marks.samples_of(rows)
    types = {
        type: _type(type, {part: _of(type, mcqs) for part, mcqs in parts.items()}, samples)
        for type in MCQS
        if _of(type, parts["validation"])
    }
    least = least_of({"types": types})
    return {
        "samples": samples,
        "years": {part: [years[0], years[-1]] for part, years in PARTS.items()},
        "types": types,
        "marks": {part: _marks(mcqs, least) for part, mcqs in parts.items()},
    }


def least_of(thresholds: dict) -> dict[str, int]:
    """By type, the samples that an answer needs, from a thresholds.json."""
    return {type: found["count"] for type, found in thresholds["types"].items()}


def grid(rows: list[Answered], samples: int) -> list[int]:
    """The thresholds to try, as numbers of samples: all that an option has in `rows`, and one that none can have."""
    counts = {count for row in rows for count in marks.option_counts(row.score.answers).values()}
    return [*sorted(counts - {0}), samples + 1]


def best(curve: dict[int, Tally]) -> int:
    """The threshold with the largest total; of several the lowest."""
    return max(curve, key=lambda count: (curve[count].total, -count))


def _type(type: str, parts: dict[str, list[Answered]], samples: int) -> dict:
    """What thresholds.json says of one type."""
    tried = grid(parts["validation"], samples)
    curves = {
        part: {count: marks.tally(rows, {type: count}) for count in tried} for part, rows in parts.items()
    }
    count = best(curves["validation"])
    return {
        "count": count,
        "tau": count / samples,
        "abstains": count > samples,
        "instances": {part: len(rows) for part, rows in parts.items()},
        "curve": {
            part: [{"count": count, "tau": count / samples, **_sums(found)} for count, found in curve.items()]
            for part, curve in curves.items()
        },
    }


def _marks(rows: list[Answered], least: dict[str, int]) -> dict:
    return {
        "instances": len(rows),
        "maximum": marks.maximum(row.instance for row in rows),
        "without": _sums(marks.tally(rows)),
        "with": _sums(marks.tally(rows, least)),
    }


def _sums(tally: Tally) -> dict[str, int]:
    return {"positive": tally.positive, "negative": tally.negative, "total": tally.total}


def _of(type: str, rows: list[Answered]) -> list[Answered]:
    return [row for row in rows if row.instance.type == type]


def _check(parts: dict[str, list[Answered]], path) -> None:
    for part, years in PARTS.items():
        if not parts[part]:
            what = f"has no multiple-choice problem of {years[0]}-{years[-1]}, the {part} years"
            raise InputError(path, what, fix="thresholds need problems of both parts")
    for type in MCQS:
        if _of(type, parts["test"]) and not _of(type, parts["validation"]):
            what = f"has {type} problems in the test years and none in the validation years"
            raise InputError(path, what, fix="thresholds need problems of both parts")
