"""`evaltrail log show KEY`: what was asked under a key, and all that came back, for people to read."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from evaltrail import responses, segments
from evaltrail.errors import InputError

# What a terminal obeys or cannot show: escapes, marks of direction, halves of characters. Tabs and line ends stay.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class _Found(NamedTuple):
    path: Path
    line: segments.Line


def report(folders: list[Path], key: str) -> int:
    """Prints the entries of the one key that begins with `key`. Raises InputError when none does, or several."""
    found: dict[bytes, list[_Found]] = {}
    for path in (path for folder in folders for path in responses.segments_of(folder)):
        for line in segments.read(path):
            if line.key and line.key.startswith(key.lower().encode()):
                found.setdefault(line.key, []).append(_Found(path, line))
    if not found:
        raise InputError(folders[0].parent, f"no key begins with {key}", fix="mend the key")
    if len(found) > 1:
        some = " ".join(name[: len(key) + 8].decode() for name in sorted(found)[:9])
        raise InputError(
            folders[0].parent, f"{len(found):,} keys begin with it: {some}", fix="give more digits"
        )
    [lines] = found.values()
    for line in _page(lines):
        print(_CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode(), line))
    return 0


def _page(found: list[_Found]) -> Iterator[str]:
    """What the entries of the key share, then each reply with its stop and max_tokens, in the order they answer in."""
    identity = responses.read_identity(found[0].path.parent)
    decoded = [(segments.decode(path, line, identity), path, line) for path, line in found]
    decoded.sort(key=lambda each: segments.order(each[0], each[2]))
    request = msgspec.to_builtins(decoded[0][0].request)
    messages, *_ = (request.pop(name) for name in ("messages", "stop", "max_tokens"))
    yield f"key      {decoded[0][0].key}"
    yield f"model    {_settings(identity)}"
    yield f"request  {_settings(request)}"
    for message in [{"content": messages}] if isinstance(messages, str) else messages:
        role, content = message.get("role", "text"), message.get("content")
        others = {name: value for name, value in message.items() if name not in ("role", "content")}
        yield from _block(f"{role}  {_settings(others)}".rstrip(), content)
    for entry, path, line in decoded:
        reply = msgspec.to_builtins(entry.reply)
        texts = {name: reply.pop(name) for name in ("text", "reasoning", "tool_calls", "logprobs")}
        yield ""
        yield f"reply    {path}: row {line.row}"
        yield f"sent     {_settings({'stop': entry.request.stop, 'max_tokens': entry.request.max_tokens})}"
        yield f"came     {_settings(reply)}"
        yield f"origin   {_settings(entry.origin)}".rstrip()
        for name, value in texts.items():
            if value or name == "text":
                yield from _block(name, value)


def _settings(values: dict[str, Any]) -> str:
    return "  ".join(f"{name} {json.dumps(value, ensure_ascii=False)}" for name, value in values.items())


def _block(title: str, content: Any) -> Iterator[str]:
    """A title and, indented, a text; what is no text as JSON."""
    yield f"  {title}"
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    yield from (f"    {line}" for line in text.split("\n"))
