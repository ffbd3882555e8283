"""The replies that a person is asked to judge; filled in, it is annotations.csv."""

import pandas

from evaltrail.benchmarks.jeebench import annotations, marks
from evaltrail.records import Instance
from evaltrail.tables import TableRow


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system and sampled instance: 100 of those that it answered to, the same for systems with the same ones.

    system is the id of params.yaml. prediction is empty where there is no answer; score is 0 to 1; error, verifier
    and note are to be filled in (see `annotations`), with the replies of completions.jsonl at hand.
    """
    lines = []
    for row in rows:
        answered = {each.instance.id: each for each in marks.answered(instances, row.files["scores.jsonl"])}
        for id in annotations.sample(answered):
            instance, score = answered[id]
            lines.append(
                {
                    "system": row.system,
                    "instance": id,
                    "type": instance.type,
                    "gold": instance.references[0],
                    "prediction": score.prediction,
                    "score": score.score,
                }
            )
    return pandas.DataFrame(lines, columns=annotations.COLUMNS)
