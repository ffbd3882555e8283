"""Table 4: what a second pass over its replies made of a system's errors, as a person judged it."""

from collections import Counter

import pandas

from evaltrail.benchmarks.jeebench import annotations
from evaltrail.benchmarks.jeebench.tables.table3 import judgements
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = ["system", "error", "replies", "found", "fixed", "kept", "spoiled"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a judged system and kind of error, and a row `all`; replies without a second pass do not count.

    replies: those with a ruling on the verifier; found: errors that it found, mended or not; fixed: those that it
    mended; kept, spoiled: right replies that stayed right or became wrong (Arora et al. 2023,
    table 4).
    """
    lines = []
    for row, judged in judgements(instances, rows):
        rulings = Counter(
            (annotation.error, annotation.verifier) for annotation, _ in judged if annotation.verifier
        )
        for error in (*annotations.ERRORS, "all"):
            if rulings:
                lines.append({"system": row.label, "error": error, **_counts(rulings, error)})
    return pandas.DataFrame(lines, columns=COLUMNS)


def _counts(rulings: Counter, error: str) -> dict[str, int]:
    own = Counter()
    for (kind, ruling), n in rulings.items():
        if error in (kind, "all"):
            own[ruling] += n
    return {
        "replies": own.total(),
        "found": own["found"] + own["fixed"],
        "fixed": own["fixed"],
        "kept": own["kept"],
        "spoiled": own["spoiled"],
    }
