"""Gscore of each system by subject, within one category (paper, tables 3 to 8)."""

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.cgeval.score import subject_of
from evaltrail.benchmarks.cgeval.tables.signatures import encoder_of
from evaltrail.benchmarks.cgeval.tables.table2 import per_cent
from evaltrail.records import Instance
from evaltrail.tables import TableRow


def table(instances: list[Instance], rows: list[TableRow], *, category: str) -> pandas.DataFrame:
    """A row a system, a column a subject of the category in the order of the questions; in per cent.

    questions: the mean over all questions of the category. encoder: as in table2.
    """
    subjects = list(dict.fromkeys(one.subject for one in instances if one.extra["category"] == category))
    groups = [*(subject_of(category, subject) for subject in subjects), category]
    lines = []
    for row in rows:
        metrics = jsonl.read_document(row.files["metrics.json"])
        lines.append([row.label, *(per_cent(metrics, group) for group in groups), encoder_of(metrics)])
    return pandas.DataFrame(lines, columns=["system", *subjects, "questions", "encoder"])
