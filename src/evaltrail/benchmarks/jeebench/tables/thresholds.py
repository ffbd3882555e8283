"""Figure 7: exam marks by threshold on confidence, for both types, on the validation and on the test years."""

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.jeebench.kinds import TYPES
from evaltrail.benchmarks.jeebench.tune import PARTS
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = [
    "system",
    "type",
    "part",
    "tau",
    "positive",
    "negative",
    "total",
    "instances",
    "abstains",
    "chosen",
]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system (with more than one sample), type, part of the years and threshold that was tried.

    tau: the share of samples that an answer needs; positive, negative, total: marks won, lost and both, over
    `instances` problems; abstains: yes at the point above every confidence, where nothing is answered; chosen: yes
    at the threshold that earns most on the validation years.
    """
    lines = []
    for row in rows:
        thresholds = jsonl.read_document(row.files["thresholds.json"])
        if thresholds["samples"] == 1:
            continue
        for type, name in TYPES.items():
            if type in thresholds["types"]:
                lines += _curves(row.label, name, thresholds["types"][type], thresholds["samples"])
    return pandas.DataFrame(lines, columns=COLUMNS)


def _curves(label: str, name: str, found: dict, samples: int) -> list[dict]:
    return [
        {
            "system": label,
            "type": name,
            "part": part,
            **{key: point[key] for key in ("tau", "positive", "negative", "total")},
            "instances": found["instances"][part],
            "abstains": "yes" if point["count"] > samples else "no",
            "chosen": "yes" if point["count"] == found["count"] else "no",
        }
        for part in PARTS
        for point in found["curve"][part]
    ]
