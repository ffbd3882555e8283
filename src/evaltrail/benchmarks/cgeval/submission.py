"""The form in which CG-Eval's site takes replies: the published columns and 回答."""

import csv
import io
from collections.abc import Iterable

from evaltrail.benchmarks.cgeval import sheets
from evaltrail.records import Completion, Instance

COLUMNS = (*sheets.QUESTION_COLUMNS, sheets.REPLY)


def text(instances: dict[str, Instance], prompts: dict[str, str], completions: Iterable[Completion]) -> str:
    """The CSV, a row a completion, with the byte-order mark that the published file has. A lone surrogate becomes ?."""
    rows = [COLUMNS]
    for completion in completions:
        one = instances[completion.instance]
        reply = completion.text.encode("utf-8", "replace").decode("utf-8")
        extra = one.extra
        key = (extra["category"], extra["raw_subject"], one.type, extra["number"])
        rows.append((*key, one.question, extra["length"], prompts[one.id], reply))
    return "\ufeff" + "".join(map(_line, rows))


def _line(cells: tuple) -> str:
    """The cells as a line that ends with LF. The writer quotes what is in its own line end, and \\r must be quoted."""
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\r\n").writerow(cells)
    return file.getvalue().removesuffix("\r\n") + "\n"
