"""The subjects of the questions, and which of their published names were mended."""

import pandas

from evaltrail.benchmarks.cgeval.kinds import TYPES
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = ["category", "subject", *TYPES, "instances", "mended"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a subject in the order of the questions; mended: its other spellings, in quotes, which prompts keep."""
    own: dict[tuple[str, str], list[Instance]] = {}
    for instance in instances:
        own.setdefault((instance.extra["category"], instance.subject), []).append(instance)
    lines = []
    for (category, subject), members in own.items():
        raw = dict.fromkeys(one.extra["raw_subject"] for one in members)
        counts = {type: sum(one.type == type for one in members) for type in TYPES}
        mended = "; ".join(repr(name) for name in raw if name != subject)
        head = {"category": category, "subject": subject}
        lines.append({**head, **counts, "instances": len(members), "mended": mended})
    return pandas.DataFrame(lines, columns=COLUMNS)
