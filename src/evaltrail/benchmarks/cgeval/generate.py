"""Replies in the form in which CG-Eval's site takes them: the published CSV with a column 回答."""

from collections.abc import Iterator

from evaltrail.benchmarks.cgeval import sheets
from evaltrail.errors import InputError
from evaltrail.records import Generation, Instance


def recorded(
    path, name: str, instances: dict[str, Instance], prompts: dict[str, str], present: bool
) -> Iterator[Generation]:
    """The replies of a file to `prompts`, in the order of the prompts; a cell is the reply as it is, `None` too.

    present: leave out the instances that the file lacks, instead of raising. A prompt that the file keeps must be the
    rendered one. Raises InputError for a row of no question, another prompt, and an instance without a row.
    """
    found: dict[str, str] = {}
    for row, id, cells in sheets.read(path, (*sheets.KEY, sheets.REPLY)):
        if id not in instances:
            raise InputError(path, f"is of no question: {id}", row=row, fix="mend or remove the row")
        if id in prompts and cells.get(sheets.PROMPT, prompts[id]) != prompts[id]:
            what = "was made from another prompt"
            raise InputError(path, what, row=row, field=sheets.PROMPT, fix="check dataset and method")
        found[id] = cells[sheets.REPLY]
    missing = [id for id in prompts if id not in found]
    if (missing and not present) or len(missing) == len(prompts):
        what = f"no reply to this instance ({len(missing)} of {len(prompts)} have none)"
        raise InputError(path, what, row=missing[0], fix="complete the file or set `instances: present`")
    for id in prompts:
        if id in found:
            yield Generation(id, 0, found[id], finish=None, model=None, usage=None, recorded_answer=None)
