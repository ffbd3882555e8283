"""Table 3: the kinds of errors that a person found in replies, and right answers with wrong reasons."""

from collections import Counter

import pandas

from evaltrail.benchmarks.jeebench import annotations, marks
from evaltrail.records import Instance
from evaltrail.tables import TableRow

FILE = "annotations.csv"
COLUMNS = ["system", "error", "replies", "of", "share"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a judged system and kind of error, and one for right answers with wrong reasons (the paper's table 3).

    replies: how many have the error; of: how many were judged, and in the last row how many of those have the right
    answer (score 1); share: one by the other.
    """
    lines = []
    for row, judged in judgements(instances, rows):
        counts = Counter(annotation.error for annotation, _ in judged)
        lines += [_line(row.label, error, counts[error], len(judged)) for error in annotations.ERRORS]
        right = [annotation for annotation, score in judged if score == 1]
        wrong = sum(annotation.error != "none" for annotation in right)
        lines.append(_line(row.label, "right answer, wrong reason", wrong, len(right)))
    return pandas.DataFrame(lines, columns=COLUMNS)


def judgements(instances: list[Instance], rows: list[TableRow]):
    """For each row that has judged replies: the row, and its annotations, each with the reply's score.

    All rows name the same annotations.csv.
    """
    if not rows:
        return
    scores = {
        row.system: {
            each.instance.id: each.score.score
            for each in marks.answered(instances, row.files["scores.jsonl"])
        }
        for row in rows
    }
    found = annotations.read(rows[0].files[FILE], {system: set(own) for system, own in scores.items()})
    for row in rows:
        own = [(each, scores[row.system][each.instance]) for each in found if each.system == row.system]
        if own:
            yield row, own


def _line(label: str, error: str, replies: int, of: int) -> dict:
    return {
        "system": label,
        "error": error,
        "replies": replies,
        "of": of,
        "share": replies / of if of else None,
    }
