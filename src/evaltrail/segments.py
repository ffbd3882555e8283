"""The segments of the response log: JSONL files of exchanges, each with one writer for all its life.

A line is `{"crc32":C,"key":K,"rank":N,"request":...,"reply":...,"origin":...}`. K says which model was asked what, C is
the CRC-32 of all behind it; both are hexadecimal and stand at a fixed place, so that an index is made without parsing
JSON, and damage is seen. N counts what the log held of the key when the line was written.
"""

import contextlib
import hashlib
import json
import os
import secrets
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from evaltrail import jsonl
from evaltrail.errors import InputError
from evaltrail.exchange import Exchange, Reply, Request

# Where these stand in a line.
_CRC, _BODY, _KEY = slice(10, 18), slice(20, None), slice(27, 91)
_READ_AHEAD = 1 << 20

_NOT_IN_KEY = ("stop", "max_tokens")
_DEFAULTS = msgspec.to_builtins(Request(messages=""))


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a line holds."""

    crc32: str
    key: str
    rank: int
    request: Request
    reply: Reply
    origin: dict[str, Any]

    @property
    def exchange(self) -> Exchange:
        return Exchange(self.request, self.reply, self.origin)


class Line(NamedTuple):
    """A line as it stands in its file. row counts from 1, offset in bytes; key: 64 digits, None where it is damaged."""

    row: int
    offset: int
    content: bytes
    key: bytes | None

    @property
    def is_torn(self) -> bool:
        """Whether its end is missing: its writer was stopped, or is at it. No append of it has returned."""
        return not self.content.endswith(b"\n")


class Index:
    """Where the lines of each key stand, as (segment's number, offset)."""

    def __init__(self):
        self._first: dict[bytes, int] = {}  # one number a line, for there may be millions
        self._more: dict[bytes, list[int]] = {}

    def add(self, key: bytes, segment: int, offset: int) -> None:
        place = segment << 48 | offset
        if self._first.setdefault(key, place) != place:
            self._more.setdefault(key, []).append(place)

    def places(self, key: bytes) -> list[tuple[int, int]]:
        first = [self._first[key]] if key in self._first else []
        return [(place >> 48, place & (1 << 48) - 1) for place in (*first, *self._more.get(key, ()))]

    def doubled(self) -> list[bytes]:
        """The keys with several lines."""
        return list(self._more)


def key_of(identity: dict[str, str], request: Request) -> str:
    """64 digits: the sha256 of the model's identity and the request less stop and max_tokens.

    What stands at its default is left out, so that a field more in requests to come changes no key of the past.
    """
    sent = msgspec.to_builtins(request).items()
    kept = {name: value for name, value in sent if name not in _NOT_IN_KEY and value != _DEFAULTS[name]}
    return hashlib.sha256(jsonl.canonical([identity, kept]).encode()).hexdigest()


def encode(key: str, rank: int, exchange: Exchange) -> bytes:
    """The line of an exchange. Raises ValueError for a number that JSON lacks (NaN, infinity)."""
    value = {"key": key, "rank": rank, **msgspec.to_builtins(exchange)}
    body = jsonl.encode(value, separators=(",", ":"))[1:] + b"\n"
    return b'{"crc32":"%08x",' % zlib.crc32(body) + body


def decode(path: Path, line: Line, identity: dict[str, str]) -> Entry:
    """What a line of the segment `path` holds. Raises InputError, with file and row, when it is not what was written.

    identity: of the model whose log the segment lies in; a line of another model is refused too.
    """
    try:
        if line.key is None:
            raise ValueError("the line is torn" if line.is_torn else "the line was changed or damaged")
        entry = msgspec.convert(json.loads(line.content), type=Entry)
        if key_of(identity, entry.request) != entry.key:
            raise ValueError("the key is not that of the request to this model")
        return entry
    except (ValueError, msgspec.ValidationError) as error:
        fix = "bring the file back as it was; without the line its reply is asked for again"
        raise InputError(path, str(error), row=line.row or row_at(path, line.offset), fix=fix) from None


def order(entry: Entry, line: Line) -> tuple[int, bytes]:
    """What the entries of a key are sorted by: as they were logged, at the same time by their text, not their file."""
    return entry.rank, line.content


def read(path: Path) -> Iterator[Line]:
    """The lines of a segment, the damaged ones too."""
    offset = 0
    with open(path, "rb", buffering=_READ_AHEAD) as file:
        for row, content in enumerate(file, start=1):
            yield Line(row, offset, content, _checked_key(content))
            offset += len(content)


def read_at(path: Path, offset: int) -> Line:
    """The line that begins at `offset`; its row is not counted and 0."""
    with open(path, "rb") as file:
        file.seek(offset)
        content = file.readline()
    return Line(0, offset, content, _checked_key(content))


def row_at(path: Path, offset: int) -> int:
    """The number of the line that begins at `offset`."""
    with open(path, "rb") as file:
        return file.read(offset).count(b"\n") + 1


def _checked_key(content: bytes) -> bytes | None:
    return content[_KEY] if content[_CRC] == b"%08x" % zlib.crc32(content[_BODY]) else None


class Writer:
    """A new segment in `folder`, whose parents may be new too. What fails raises InputError, in one line.

    For several threads: those that wait for the disk share one wait. has_failed: it takes no more lines, so that a
    torn one is always the last.
    """

    def __init__(self, folder: Path):
        name = f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{secrets.token_hex(4)}.jsonl"
        self.path = folder / name
        self.has_failed = False
        self._size = self._synced = 0
        self._unsynced: OSError | None = None
        self._syncing = threading.Lock()
        with telling(self.path):
            self._file = open(self.path, "xb", buffering=0)  # noqa: SIM115 - until close
            for made in (folder, *folder.parents[:2]):
                _sync_folder(made)

    def write(self, line: bytes) -> int:
        """Writes a line, one thread at a time, and returns the offset where it begins."""
        offset, left = self._size, memoryview(line)
        with telling(self.path):
            try:
                while left:
                    left = left[self._file.write(left) :]
                self._size += len(line)
            except BaseException:  # Ctrl-C too may come between two parts of a line
                self.has_failed = True
                raise
        return offset

    def sync(self, offset: int) -> None:
        """Returns when the line that begins at `offset` is on the disk."""
        with self._syncing, telling(self.path):
            if self._synced > offset:
                return
            if self._unsynced:  # asked again, the system would call it written
                raise self._unsynced
            size = self._size
            try:
                os.fsync(self._file.fileno())
            except OSError as error:
                self.has_failed, self._unsynced = True, error
                raise
            self._synced = size

    def close(self) -> None:
        self._file.close()


@contextlib.contextmanager
def telling(path: Path) -> Iterator[None]:
    """Makes an error of the file system an InputError that names `path`."""
    try:
        yield
    except OSError as error:
        fix = "see to the folder or the disk and run again: all replies before this one are kept"
        raise InputError(path, f"cannot be written: {error.strerror or error}", fix=fix) from error


def _sync_folder(folder: Path) -> None:
    with contextlib.suppress(OSError):  # not every file system can, nor every user
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
