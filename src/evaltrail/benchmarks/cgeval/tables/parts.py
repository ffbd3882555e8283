"""The parts of Gscore by the type of the question."""

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.cgeval.kinds import TYPES
from evaltrail.benchmarks.cgeval.tables.signatures import encoder_of
from evaltrail.means import mean
from evaltrail.records import Instance, Score
from evaltrail.tables import TableRow

PARTS = ["bleu4", "rouge2", "chrf", "similarity", "accuracy", "step_chrf"]
COLUMNS = ["system", "type", "instances", "gscore", *PARTS, "encoder"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system and type that it has: the means of the parts that the type has, 0 to 1."""
    types = {instance.id: instance.type for instance in instances}
    lines = []
    for row in rows:
        encoder = encoder_of(jsonl.read_document(row.files["metrics.json"]))
        scores = list(jsonl.read(row.files["scores.jsonl"], Score))
        for type in TYPES:
            own = [score for score in scores if types[score.instance] == type]
            if own:
                line = {"system": row.label, "type": type, "instances": len(own)}
                line["gscore"] = mean([score.score for score in own])
                line |= {name: mean([score.parts[name] for score in own]) for name in own[0].parts}
                lines.append(line | {"encoder": encoder})
    return pandas.DataFrame(lines, columns=COLUMNS)
