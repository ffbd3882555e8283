"""The form in which CG-Eval's site takes replies: the published columns and 回答."""

from collections.abc import Iterable

from evaltrail.benchmarks.cgeval import sheets
from evaltrail.jsonl import as_utf8
from evaltrail.records import Completion, Instance
from evaltrail.tables import csv_line

COLUMNS = (*sheets.QUESTION_COLUMNS, sheets.REPLY)


def text(instances: dict[str, Instance], prompts: dict[str, str], completions: Iterable[Completion]) -> str:
    """The CSV, a row a completion, with the byte-order mark that the published file has. A lone surrogate becomes ?."""
    rows = [COLUMNS]
    for completion in completions:
        one = instances[completion.instance]
        reply = as_utf8(completion.text)
        extra = one.extra
        key = (extra["category"], extra["raw_subject"], one.type, extra["number"])
        rows.append((*key, one.question, extra["length"], prompts[one.id], reply))
    return "\ufeff" + "".join(map(csv_line, rows))
