"""Each part of Gscore for each instance."""

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.cgeval.tables.parts import PARTS
from evaltrail.benchmarks.cgeval.tables.signatures import encoder_of
from evaltrail.records import Instance, Score
from evaltrail.tables import TableRow

COLUMNS = ["system", "instance", "category", "subject", "type", "gscore", *PARTS, "encoder"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system and instance, all values from 0 to 1; a part that the type has not is empty."""
    by_id = {instance.id: instance for instance in instances}
    lines = []
    for row in rows:
        encoder = encoder_of(jsonl.read_document(row.files["metrics.json"]))
        for score in jsonl.read(row.files["scores.jsonl"], Score):
            one = by_id[score.instance]
            head = {"system": row.label, "instance": one.id, "category": one.extra["category"]}
            head |= {"subject": one.subject, "type": one.type, "gscore": score.score}
            lines.append(head | score.parts | {"encoder": encoder})
    return pandas.DataFrame(lines, columns=COLUMNS)
