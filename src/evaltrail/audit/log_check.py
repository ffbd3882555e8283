"""`evaltrail log check`: every line of every segment is read and held against what wrote it."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from evaltrail import responses, reuse, segments
from evaltrail.errors import InputError
from evaltrail.exchange import Reply


class _Logged(NamedTuple):
    path: Path
    row: int
    entry: segments.Entry


def report(folders: list[Path]) -> int:
    """Prints how much was read of each segment and what is wrong; the exit status, 1 when something is."""
    wrong = 0
    for folder in folders:
        for problem in problems(folder):
            print(problem)
            wrong += 1
    print(f"{wrong:,} wrong" if wrong else "nothing is wrong")
    return int(wrong > 0)


def problems(folder: Path) -> Iterator[InputError]:
    """All that is wrong in the log of one model, with file and row. Prints a line for each segment."""
    try:
        identity = responses.read_identity(folder)
    except InputError as error:
        yield error
        return
    index = segments.Index()
    paths = responses.segments_of(folder)
    for number, path in enumerate(paths):
        rows = torn = 0
        for line in segments.read(path):
            rows, torn = line.row, torn + line.is_torn
            try:
                segments.decode(path, line, identity)
            except InputError as error:
                yield error
            else:
                index.add(line.key, number, line.offset)
        print(f"{path}: {rows:,} lines, {torn} torn")
    for key in index.doubled():
        yield from _differing([_logged(paths[n], offset, identity) for n, offset in index.places(key)])


def _logged(path: Path, offset: int, identity: dict[str, str]) -> _Logged:
    entry = segments.decode(path, segments.read_at(path, offset), identity)
    return _Logged(path, segments.row_at(path, offset), entry)


def _differing(logged: list[_Logged]) -> Iterator[InputError]:
    """The pairs of one key in which one proves another reply than the other has: the model said two things."""
    for pair in combinations(logged, 2):
        for one, other in (pair, pair[::-1]):
            proven = reuse.prove(one.entry.exchange, other.entry.request)
            if proven is not None and _said(proven) != _said(other.entry.reply):
                what = f"differs from {one.path}: row {one.row}, of the same key {one.entry.key[:12]}"
                yield InputError(other.path, what, row=other.row, fix="keep the line that is to be used")
                break


def _said(reply: Reply) -> tuple[Any, ...]:
    return reply.text, reply.finish, reply.reasoning, reply.tool_calls
