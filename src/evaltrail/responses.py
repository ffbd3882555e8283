"""The response log: all that models ever replied, kept for good, so that nothing is asked twice.

    data/responses/{model}-{12 digits}/identity.json          client, model, and revision or endpoint
                                       {time}-{random}.jsonl  segments, one for each process that wrote

Append-only, and outside the DAG: times, devices and versions stand here alone. Many processes may write at once, each
its own segment; each sees what stood in the others when it opened the log.
"""

import hashlib
import re
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import msgspec

from evaltrail import jsonl, reuse, segments
from evaltrail.errors import InputError
from evaltrail.exchange import Exchange, Reply, Request

IDENTITY = "identity.json"


def folder_name(identity: Mapping[str, str]) -> str:
    """The folder of a model: its name as far as any file system takes it, and 12 digits of its whole identity."""
    slug = re.sub(r"[^A-Za-z0-9._]+", "-", identity.get("model", ""))[-60:].strip("-.")
    digest = hashlib.sha256(jsonl.canonical(identity).encode()).hexdigest()
    return f"{slug or 'model'}-{digest[:12]}"


def segments_of(folder: Path) -> list[Path]:
    """The segments in a model's folder; none where there is no folder."""
    return sorted(folder.glob("*.jsonl"))


def read_identity(folder: Path) -> dict[str, str]:
    """The identity of the model whose folder this is. Raises InputError when it is missing or of another folder."""
    path = folder / IDENTITY
    fix = "bring it back as it was: no reply of an unknown model is used"
    if not path.exists():
        raise InputError(path, "is missing", fix=fix)
    identity = jsonl.convert(jsonl.read_document(path), dict[str, str], path, None, fix)
    if folder_name(identity) != folder.name:
        raise InputError(path, f"is not the identity that {folder.name} is named for", fix=fix)
    return identity


class ResponseLog:
    """The log of one model, open to answer and to append, for several threads.

    root: the folder of all logs; it is made, as the model's own is, when the first reply is appended. identity: what
    the model is (client, model, and revision or endpoint); a log of any other identity is never looked at.
    Opening raises InputError that names file and row for a line that is not as it was written. A torn last line, as a
    killed writer leaves it, is set aside and told on stderr: no append returned for it.
    """

    def __init__(self, root: Path, identity: Mapping[str, str]):
        self.identity = dict(identity)
        self.folder = Path(root) / folder_name(self.identity)
        self._segments = segments_of(self.folder)
        self._index = segments.Index()
        self._writer: segments.Writer | None = None
        self._lock = threading.Lock()
        if self._segments:
            read_identity(self.folder)
        self._read_segments()

    def __enter__(self) -> "ResponseLog":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        if self._writer:
            self._writer.close()

    def answer(self, request: Request) -> Reply | None:
        """The reply that a deterministic backend would give now, if the log proves it (see `reuse`), else None.

        Raises InputError that names file and row when a line is no longer as it was written.
        """
        return reuse.choose(self._logged(segments.key_of(self.identity, request)), request)

    def append(self, exchange: Exchange) -> None:
        """Keeps an exchange: once this returns, it is on the disk.

        Raises InputError when it cannot be written, or could not be read again: an endpoint sends what it likes.
        """
        _check(exchange, self.folder)
        key = segments.key_of(self.identity, exchange.request)
        with self._lock:
            if self._writer is None or self._writer.has_failed:
                self._writer = self._new_writer()
            writer, segment = self._writer, len(self._segments) - 1
            rank = len(self._index.places(key.encode()))
            offset = writer.write(segments.encode(key, rank, exchange))
        writer.sync(offset)
        with self._lock:
            self._index.add(key.encode(), segment, offset)

    def missing(self, request: Request, row: str | None = None) -> InputError:
        """What to raise where no model may be asked and `answer` gave None. row: what the user knows the request by."""
        key = segments.key_of(self.identity, request)
        others = len(self._logged(key))
        what = f"sample {request.sample} has no reply here (key {key[:12]})"
        if others:
            limits = f"stop {list(request.stop)!r} and max_tokens {request.max_tokens}"
            what = f"sample {request.sample}: {others} logged (key {key[:12]}), but not for {limits}"
        return InputError(self.folder, what, row=row, fix="ask the model (live), or bring a log that has it")

    def _logged(self, key: str) -> list[Exchange]:
        """The exchanges of a key in their order."""
        found = []
        for segment, offset in self._index.places(key.encode()):
            path = self._segments[segment]
            line = segments.read_at(path, offset)
            entry = segments.decode(path, line, self.identity)
            if entry.key != key:
                raise InputError(path, "was changed since the log was opened", fix="run again")
            found.append((segments.order(entry, line), entry.exchange))
        return [exchange for _, exchange in sorted(found, key=lambda each: each[0])]

    def _read_segments(self) -> None:
        torn = []
        for number, path in enumerate(self._segments):
            for line in segments.read(path):
                if line.key:
                    self._index.add(line.key, number, line.offset)
                elif line.is_torn:
                    torn.append(f"{path}: row {line.row}")
                else:
                    segments.decode(path, line, self.identity)
        if torn:
            more = f" (and {len(torn) - 1} more, see `evaltrail log check`)" if len(torn) > 1 else ""
            what = "is set aside, for it has no end: its writer was stopped, or is at it"
            print(f"evaltrail: {torn[0]}: {what}{more}", file=sys.stderr)

    def _new_writer(self) -> segments.Writer:
        path = self.folder / IDENTITY
        with segments.telling(path):
            self.folder.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                jsonl.write_document(path, self.identity)
        read_identity(self.folder)
        writer = segments.Writer(self.folder)
        self._segments.append(writer.path)
        return writer


def _check(exchange: Exchange, folder: Path) -> None:
    try:
        jsonl.encode(msgspec.to_builtins(msgspec.convert(msgspec.to_builtins(exchange), Exchange)))
    except (msgspec.ValidationError, ValueError) as error:
        what = f"a reply to sample {exchange.request.sample} has a form that no log holds: {error}"
        raise InputError(
            folder, what, fix="check endpoint and api: it is not as OpenAI's API has it"
        ) from None
