"""Replies for a person to score: 20 questions of each subject, each with the reply of a system drawn at random."""

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.cgeval import human
from evaltrail.records import Completion, Instance, Score
from evaltrail.tables import TableRow

COLUMNS = ["system", "instance", "category", "subject", "type", "question", "reference", "reply", "score"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a reply, `score` empty: filled in and saved as data/{dataset}/human_scores.csv it makes `correlation`."""
    if not rows:
        return pandas.DataFrame(columns=COLUMNS)
    replies = {
        (row.system, one.instance): jsonl.as_utf8(one.text)
        for row in rows
        for one in jsonl.read(row.files["completions.jsonl"], Completion)
        if one.sample == 0
    }
    references = {
        one.instance: one.references[0]
        for row in rows
        for one in jsonl.read(row.files["scores.jsonl"], Score)
    }
    lines = []
    systems_by_id: dict[str, list[str]] = {}
    for system, id in replies:
        systems_by_id.setdefault(id, []).append(system)
    for one, system in human.sample(instances, systems_by_id):
        head = {"system": system, "instance": one.id, "category": one.extra["category"]}
        head |= {"subject": one.subject, "type": one.type, "question": one.question}
        lines.append(head | {"reference": references[one.id], "reply": replies[system, one.id], "score": ""})
    return pandas.DataFrame(lines, columns=COLUMNS)
