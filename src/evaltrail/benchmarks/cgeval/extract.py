"""CG-Eval's questions. References are not published, so they are no part of the instances (see `references`)."""

import re
from collections.abc import Iterator

from evaltrail.benchmarks.cgeval import sheets
from evaltrail.benchmarks.cgeval.kinds import CATEGORIES, TYPES
from evaltrail.errors import InputError
from evaltrail.records import Instance


def load(path) -> Iterator[Instance]:
    """The questions in file order. Raises InputError naming row and field.

    extra: `category`; `raw_subject`, which the prompts use, slips included; `number`; `length`, that of the reference
    in characters, which the prompts ask for.
    """
    for row, id, cells in sheets.read(path, sheets.QUESTION_COLUMNS):
        for field, known in ((sheets.CATEGORY, CATEGORIES), (sheets.TYPE, TYPES)):
            if cells[field] not in known:
                what, fix = f"unknown {cells[field]!r}", f"known: {', '.join(known)}"
                raise InputError(path, what, row=row, field=field, fix=fix)
        for field in (sheets.SUBJECT, sheets.NUMBER, sheets.QUESTION):
            if not cells[field].strip():
                raise InputError(path, "is empty", row=row, field=field, fix="fill it in")
        length = cells[sheets.LENGTH].strip()
        if not re.fullmatch("[0-9]{1,9}", length):
            what = f"{length[:20]!r} is no number of characters"
            raise InputError(path, what, row=row, field=sheets.LENGTH, fix="write e.g. 60")
        yield Instance(
            id=id,
            subject=sheets.mended(cells[sheets.SUBJECT]),
            type=cells[sheets.TYPE],
            question=cells[sheets.QUESTION],
            references=(),
            extra={
                "category": cells[sheets.CATEGORY],
                "raw_subject": cells[sheets.SUBJECT],
                "number": cells[sheets.NUMBER].strip(),
                "length": int(length),
            },
        )
