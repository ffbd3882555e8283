"""Table 6: exam marks on the test years' multiple-choice problems, without and with thresholds on confidence."""

import pandas

from evaltrail import jsonl
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = [
    "system",
    "thresholds",
    "tau_single",
    "tau_multiple",
    "positive",
    "negative",
    "total",
    "maximum",
    "instances",
]
TAUS = {"tau_single": "MCQ", "tau_multiple": "MCQ(multiple)"}


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system without thresholds, and for one with more than one sample a second row with them.

    thresholds: without or with; tau_single, tau_multiple: the share of samples that an answer needs, found on the
    validation years, `abstains` where not answering earned most there; positive, negative, total: marks won, lost
    and both; maximum: full marks on the same problems (Arora et al. 2023, table 6).
    """
    lines = []
    for row in rows:
        thresholds = jsonl.read_document(row.files["thresholds.json"])
        test = thresholds["marks"]["test"]
        size = {"maximum": test["maximum"], "instances": test["instances"]}
        lines.append({"system": row.label, "thresholds": "without", **test["without"], **size})
        if thresholds["samples"] > 1:
            taus = {column: _tau(thresholds, type) for column, type in TAUS.items()}
            lines.append({"system": row.label, "thresholds": "with", **taus, **test["with"], **size})
    return pandas.DataFrame(lines, columns=COLUMNS, dtype=object)


def _tau(thresholds: dict, type: str) -> str | None:
    found = thresholds["types"].get(type)
    if found is None:
        return None
    return "abstains" if found["abstains"] else f"{found['tau']:.3f}"
