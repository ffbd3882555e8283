"""What each number is: the definitions of the metrics in one line each, with the versions that computed them."""

from typing import Any

import pandas

from evaltrail import jsonl
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = ["system", "number", "signature"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system and number, from its metrics.json."""
    lines = []
    for row in rows:
        metrics = jsonl.read_document(row.files["metrics.json"])
        for number, signature in metrics["signature"]["definitions"].items():
            lines.append({"system": row.label, "number": number, "signature": signature})
    return pandas.DataFrame(lines, columns=COLUMNS)


def encoder_of(metrics: dict[str, Any]) -> str:
    """The encoder's name with the first digits of its revision or its version, as tables show it; "none"."""
    signature = metrics["signature"]["definitions"].get("similarity", "none")
    known = dict(part.split(":", 1) for part in signature.split("|") if ":" in part)
    if not known:
        return signature
    revision = known.get("revision", known["version"]).removeprefix("sha256:")
    return f"{known['encoder']}@{revision[:12]}"
