"""The rows in which two row files differ, read as streams: lines are compared as bytes and decoded only where they
differ, and memory grows only with the rows that stand at other places in the two files."""

import json
from collections.abc import Iterator
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from evaltrail.audit.diff_sides import Pair, Side
from evaltrail.errors import InputError

At = tuple[
    int | None, int | None
]  # where a row begins in A's file and in B's, in bytes; None: it lacks the row


class Head(msgspec.Struct):
    """What is read of every row that differs: its instance and sample, and its score where it has one."""

    instance: str = ""
    id: str = ""  # stands in instances.jsonl for `instance`
    sample: int = 0
    score: Any = None


class Line(NamedTuple):
    """A row as it stands in its file: where it begins, in bytes, its text, and the head of it."""

    at: int
    text: bytes
    instance: str
    sample: int
    score: Any


class Differing(NamedTuple):
    """A row that differs, or that one side lacks (None)."""

    a: Line | None
    b: Line | None

    @property
    def instance(self) -> str:
        return (self.a or self.b).instance

    @property
    def sample(self) -> int:
        return (self.a or self.b).sample

    @property
    def at(self) -> At:
        return self.a and self.a.at, self.b and self.b.at

    @property
    def scores(self) -> tuple[Any, Any]:
        return self.a and self.a.score, self.b and self.b.score

    def fields(self) -> list[str]:
        """The names of the fields that differ, in the order of the row; none where only the writing does."""
        if self.a is None or self.b is None:
            return []
        return fields_differing(_decode(self.a.text), _decode(self.b.text))


def fields_differing(a: dict, b: dict) -> list[str]:
    return [name for name in {**a, **b} if a.get(name, ...) != b.get(name, ...)]


def differing(pair: Pair, file: str) -> Iterator[Differing]:
    """The rows of `file` whose bytes differ between the sides, matched by instance and sample, in no set order.

    Raises InputError for a line that is no row, and for two rows of one instance and sample.
    """
    a, b = _Reader(pair.a, file), _Reader(pair.b, file)
    with open(a.path, "rb") as file_a, open(b.path, "rb") as file_b:
        for number, (text_a, text_b) in enumerate(zip_longest(file_a, file_b, fillvalue=b""), start=1):
            if text_a != text_b:
                line_a, line_b = a.line(text_a, number), b.line(text_b, number)
                if line_a and line_b and _key(line_a) == _key(line_b):
                    yield Differing(line_a, line_b)
                else:
                    if line_a and (before := b.partner_of(line_a, a)):
                        yield Differing(line_a, before)
                    if line_b and (before := a.partner_of(line_b, b)):
                        yield Differing(before, line_b)
            a.at += len(text_a)
            b.at += len(text_b)
    yield from (Differing(a.again(at), None) for at, _ in a.waiting.values())
    yield from (Differing(None, b.again(at)) for at, _ in b.waiting.values())


class _Reader:
    """One side's reading of a file: where it is, and its rows that wait for the other side's (place and digest)."""

    def __init__(self, side: Side, file: str):
        self.path, self.shown = side.path(file), side.shown(file)
        self.at = 0
        self.waiting: dict[tuple[str, int], tuple[int, bytes]] = {}

    def line(self, text: bytes, number: int | None = None) -> Line | None:
        """The row `text`, which begins here; None at the end of the file."""
        if not text:
            return None
        try:
            head = _head(text)
        except ValueError:
            head = Head()
        if not (head.instance or head.id):
            fix = "the file was changed by hand: remove it and run again"
            raise InputError(self.shown, "is no row of an instance", row=number, fix=fix)
        return Line(self.at, text, head.instance or head.id, head.sample, head.score)

    def again(self, at: int) -> Line:
        """The row that begins at `at`."""
        text = line_at(self.path, at)
        return self.line(text)._replace(at=at)

    def partner_of(self, line: Line, other: "_Reader") -> Line | None:
        """This side's row of the same key, if it came before and has other bytes; else `line` waits in `other`."""
        key, digest = _key(line), blake2b(line.text.rstrip(b"\n"), digest_size=16).digest()
        if key in self.waiting:
            at, own = self.waiting.pop(key)
            return None if own == digest else self.again(at)
        if key in other.waiting:
            raise InputError(other.shown, "occurs twice", row=key[0], fix="remove the file and run again")
        other.waiting[key] = line.at, digest
        return None


def instances_in(side: Side, file: str, wanted) -> Iterator[str]:
    """Those of the ids `wanted` that have a row in the side's file."""
    reader = _Reader(side, file)
    with open(reader.path, "rb") as lines:
        for number, text in enumerate(lines, start=1):
            if (id := reader.line(text, number).instance) in wanted:
                yield id


def rows_at(pair: Pair, file: str, at: At) -> tuple[dict | None, dict | None]:
    """The rows of `file` that begin at the given places in A and in B."""
    a, b = (
        None if begin is None else _decode(line_at(side.path(file), begin))
        for side, begin in zip((pair.a, pair.b), at, strict=True)
    )
    return a, b


def line_at(path: Path, at: int) -> bytes:
    with open(path, "rb") as file:
        file.seek(at)
        return file.readline()


def _key(line: Line) -> tuple[str, int]:
    return line.instance, line.sample


_HEADS = msgspec.json.Decoder(Head)


def _head(text: bytes) -> Head:
    """Raises ValueError for what is no row."""
    try:
        return _HEADS.decode(text)
    except msgspec.DecodeError:  # msgspec refuses the escape of a lone surrogate, json does not
        return msgspec.convert(json.loads(text), type=Head)


def _decode(text: bytes) -> dict:
    try:
        return msgspec.json.decode(text)
    except (
        msgspec.DecodeError
    ):  # a lone surrogate, or bytes that are no UTF-8, which stay apart as surrogates
        return json.loads(text.decode("utf-8", "surrogateescape"))
