"""A strict YAML 1.2 loader: the core schema, no doubled keys, no tags, and the line of every key.

Snakemake's own loader reads `1e-3` as text and `no` as false and takes the last of doubled keys; DVC reads all three
otherwise. params.yaml must mean one thing, so this is the only reader of it.
"""

import math
import re
from pathlib import Path
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from evaltrail.errors import InputError

# YAML 1.2.2, section 10.3.2 (core schema), in order; the first pattern that matches a plain scalar types it.
_CORE = [
    (re.compile(r"null|Null|NULL|~|"), lambda text: None),
    (re.compile(r"true|True|TRUE"), lambda text: True),
    (re.compile(r"false|False|FALSE"), lambda text: False),
    (re.compile(r"[-+]?[0-9]+"), int),
    (re.compile(r"0o[0-7]+"), lambda text: int(text[2:], 8)),
    (re.compile(r"0x[0-9a-fA-F]+"), lambda text: int(text[2:], 16)),
    (re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"), float),
    (re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"), lambda text: float(text.replace(".", ""))),
]
_LONGEST = 40  # characters of a number

Place = tuple[str | int, ...]  # where a value stands: ("systems", "GPT4", "stop")


class Document(NamedTuple):
    """A YAML file read: its data, and for each place in it the line (from 1) where its key or item begins."""

    data: Any
    lines: dict[Place, int]


def load(path) -> Document:
    """Reads the YAML file at `path`. Raises InputError with the line for anything that is not strict YAML 1.2."""
    content = Path(path).read_bytes()
    if content.startswith(b"\xef\xbb\xbf"):
        raise InputError(path, "starts with a byte-order mark", row=1, fix="save it as UTF-8 without BOM")
    lines: dict[Place, int] = {(): 1}
    try:
        text = content.decode("utf-8")
        _refuse_tags(text, path)
        node = YAML(typ="safe", pure=True).compose(text)
        return Document(None if node is None else _value(node, (), lines, path), lines)
    except UnicodeDecodeError as error:
        row = content[: error.start].count(b"\n") + 1
        raise InputError(path, "not UTF-8", row=row, fix="save it as UTF-8") from None
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        row = mark.line + 1 if mark else None
        what = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise InputError(path, f"no valid YAML: {what}", row=row, fix="mend it") from None
    except RecursionError:
        raise InputError(path, "nested too deeply, or within itself", fix="write it out") from None


def _refuse_tags(text: str, path) -> None:
    for event in YAML(typ="safe", pure=True).parse(text):
        if tag := getattr(event, "tag", None):
            raise InputError(
                path, f"has the tag {tag}", row=event.start_mark.line + 1, fix="write a plain value"
            )


def _value(node: Node, place: Place, lines: dict[Place, int], path) -> Any:
    """The value of `node`, which stands at `place`; notes the lines of all that it holds."""
    if isinstance(node, MappingNode):
        return _mapping(node, place, lines, path)
    if isinstance(node, SequenceNode):
        items = []
        for index, item in enumerate(node.value):
            lines[(*place, index)] = item.start_mark.line + 1
            items.append(_value(item, (*place, index), lines, path))
        return items
    return _scalar(node, path)


def _mapping(node: MappingNode, place: Place, lines: dict[Place, int], path) -> dict[str, Any]:
    mapping: dict[str, Any] = {}
    for key_node, value_node in node.value:
        row = key_node.start_mark.line + 1
        if not isinstance(key_node, ScalarNode):
            raise InputError(path, "a key that is no text", row=row, fix="write a plain key")
        key = key_node.value
        inner = (*place, key)
        if key in mapping:
            where = ".".join(map(str, inner))
            raise InputError(
                path, f"key given twice, first at row {lines[inner]}", row=row, field=where, fix="keep one"
            )
        lines[inner] = row
        mapping[key] = _value(value_node, inner, lines, path)
    return mapping


def _scalar(node: ScalarNode, path) -> Any:
    row = node.start_mark.line + 1
    if node.style is not None:  # quoted or block text
        return node.value
    for pattern, read in _CORE:
        if pattern.fullmatch(node.value):
            if len(node.value) > _LONGEST or not _is_finite(read(node.value)):
                what = f"{node.value[:_LONGEST]} is no finite number that anyone needs"
                raise InputError(path, what, row=row, fix="write a smaller one")
            return read(node.value)
    return node.value


def _is_finite(value: Any) -> bool:
    return not isinstance(value, float) or math.isfinite(value)
