"""The only reader and writer of evaltrail's row files (JSONL) and of its single-object JSON files.

Canonical form: UTF-8, LF, one object a line, fields in the order of the row type, floats by `repr`.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from evaltrail import files
from evaltrail.errors import InputError

Row = TypeVar("Row", bound=msgspec.Struct)

_SURROGATE = re.compile("[\ud800-\udfff]")


def encode(value, **options) -> bytes:
    """`value` as JSON in UTF-8. A lone surrogate, which UTF-8 cannot hold, stays as its JSON escape."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, **options)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text).encode("utf-8")


def is_utf8(text: str) -> bool:
    """Whether UTF-8 can hold the text: it has no lone surrogate."""
    return not _SURROGATE.search(text)


def as_utf8(text: str) -> str:
    """The text with ? for each lone surrogate."""
    return text.encode("utf-8", "replace").decode("utf-8")


def canonical(value: Any) -> str:
    """`value` as JSON that is equal for equal settings: sorted keys, 64.0 as 64, ASCII only (safe in any shell)."""
    return json.dumps(
        _plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    )


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def write(path, rows: Iterable[msgspec.Struct]) -> None:
    """Writes `rows` to `path`, one a line, whole or not at all. Streams: memory does not grow with the rows."""
    with files.atomic_path(path) as partial, open(partial, "wb") as file:
        for row in rows:
            file.write(encode(msgspec.to_builtins(row)) + b"\n")


def read(path, row_type: type[Row]) -> Iterator[Row]:
    """The rows of `path` in file order, each checked against `row_type`.

    Raises InputError naming file, line and field when a line is no JSON or no such row.
    """
    with open(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                yield msgspec.convert(json.loads(line.decode("utf-8")), type=row_type)
            except (ValueError, msgspec.ValidationError) as error:
                raise InputError(path, f"no {row_type.__name__}: {error}", row=number, fix=_REMAKE) from None


_REMAKE = "the file was changed by hand or by another version: remove it and run again"


def convert(value, row_type: type[Row], path, row, fix: str) -> Row:
    """A part of a document of `path` as `row_type`. Raises InputError that names the row and the field that differs."""
    try:
        return msgspec.convert(value, type=row_type)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$")
        field = place.strip("`.") or None
        if missing := re.fullmatch(r"Object missing required field `(.*)`", what):
            what, field = "is missing", ".".join(filter(None, [field, missing[1]]))
        raise InputError(path, what, row=row, field=field, fix=fix) from None


def read_document(path):
    """The JSON document that a person or another tool wrote to `path`.

    Raises InputError, with the line, for text that is not UTF-8, a byte-order mark, CRLF line ends or invalid JSON.
    """
    content = Path(path).read_bytes()
    if content.startswith(b"\xef\xbb\xbf"):
        raise InputError(path, "starts with a byte-order mark", row=1, fix="save it as UTF-8 without BOM")
    if b"\r\n" in content:
        row = content[: content.index(b"\r\n")].count(b"\n") + 1
        raise InputError(path, "line ends with CRLF", row=row, fix="save it with LF line ends")
    try:
        return json.loads(content.decode("utf-8"), object_pairs_hook=_object)
    except _DoubledKey as error:
        raise InputError(path, f"an object has the key {error} twice", fix="keep one") from None
    except UnicodeDecodeError as error:
        row = content[: error.start].count(b"\n") + 1
        raise InputError(path, f"byte {error.start} is not UTF-8", row=row, fix="save it as UTF-8") from None
    except json.JSONDecodeError as error:
        what = f"invalid JSON: {error.msg} at column {error.colno}"
        raise InputError(path, what, row=error.lineno, fix="mend it or fetch it again") from None
    except ValueError as error:  # a number of thousands of digits
        raise InputError(path, f"invalid JSON: {error}"[:200], fix="mend it or fetch it again") from None
    except RecursionError:
        raise InputError(path, "JSON nested too deeply", fix="fetch it again") from None


class _DoubledKey(Exception):
    """A key that stands twice in one object: which of its values is meant is anyone's guess."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        raise _DoubledKey(next(name for name in names if names.count(name) > 1))
    return made


def write_document(path, value) -> None:
    """Writes one JSON object to `path` as people read it: indented, keys sorted, whole or not at all."""
    with files.atomic_path(path) as partial:
        partial.write_bytes(encode(value, indent=2, sort_keys=True) + b"\n")
