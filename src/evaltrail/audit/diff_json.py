"""`evaltrail diff --json`: all that differs as one JSON object, the instances one a line, written as a stream.

Keys are sorted; lists stand in the order of the projects' files. A cell's `behind` counts, from 0, in the list
`behind`, since many cells share the same instances; `system: null` there means the dataset's instances themselves.
"""

from collections.abc import Iterator
from typing import Any

from evaltrail import jsonl
from evaltrail.audit.diff import DatasetDiff, Report
from evaltrail.audit.diff_cells import Behind, TableDiff
from evaltrail.audit.diff_chain import SystemDiff
from evaltrail.audit.diff_rows import fields_differing, rows_at
from evaltrail.audit.diff_settings import ABSENT, Setting
from evaltrail.audit.diff_shown import parting


def chunks(report: Report) -> Iterator[bytes]:
    """The JSON text, piece by piece: memory does not grow with the texts of the instances."""
    behind: dict[int, tuple[int, Behind]] = {}
    tables = [_table(table, behind) for table in report.tables]
    document = {
        "a": report.names[0],
        "b": report.names[1],
        "behind": [_behind(found) for _, found in behind.values()],
        "datasets": [_dataset(dataset) for dataset in report.datasets],
        "differs": report.differs,
        "one_sided": [entry._asdict() for entry in report.one_sided],
        "partings": None,
        "reordered": report.reordered,
        "settings": [_setting(setting) for setting in report.settings],
        "systems": [_system(system) for system in report.systems],
        "tables": tables,
        "totals": report.totals(),
    }
    for position, (key, value) in enumerate(document.items()):
        yield (b",\n " if position else b"{\n ") + jsonl.encode(key) + b": "
        if key == "partings":
            yield from _listed(_parting(report, *found) for found in report.partings())
        elif isinstance(value, list):
            yield from _listed(value)
        else:
            yield jsonl.encode(value, sort_keys=True)
    yield b"\n}\n"


def _listed(values) -> Iterator[bytes]:
    """A list, one value a line."""
    yield b"["
    for position, value in enumerate(values):
        yield (b",\n  " if position else b"\n  ") + jsonl.encode(value, sort_keys=True)
    yield b"]"


def _table(table: TableDiff, behind: dict[int, tuple[int, Behind]]) -> dict[str, Any]:
    """`behind` numbers what the cells share, by identity, and keeps it alive."""
    cells = [
        {
            "row": cell.row,
            "column": cell.column,
            "a": cell.a,
            "b": cell.b,
            "systems": cell.systems,
            "behind": behind.setdefault(id(cell.behind), (len(behind), cell.behind))[0],
        }
        for cell in table.cells
    ]
    return {
        "file": table.file,
        "cells": cells,
        "columns_only_in": dict(zip("ab", table.columns, strict=True)),
        "rows_only_in": dict(zip("ab", table.rows, strict=True)),
        "reordered": table.reordered,
    }


def _behind(found: Behind) -> list[dict[str, Any]]:
    return [{"system": system, "instances": ids} for system, ids in found.items()]


def _dataset(dataset: DatasetDiff) -> dict[str, Any]:
    return {
        "dataset": dataset.dataset,
        "inputs": dataset.inputs,
        "instances": len(dataset.instances),
        "rewritten": dataset.rewritten,
    }


def _system(system: SystemDiff) -> dict[str, Any]:
    return {
        "dataset": system.dataset,
        "system": system.system,
        "instances": len(system.partings),
        "steps": system.steps(),
        "scores": len(system.scores),
        "thresholds": system.thresholds,
        "metrics": system.metrics,
        "rewritten": system.rewritten,
    }


def _setting(setting: Setting) -> dict[str, Any]:
    """A key that a side lacks has no value there."""
    return {"key": setting.key, **_present(a=setting.a, b=setting.b)}


def _parting(report: Report, dataset: DatasetDiff, system: str | None, instance: str) -> dict[str, Any]:
    found = parting(dataset, system, instance)
    scores = dataset.systems[system].scores.get(instance) if system else None
    return {
        "dataset": dataset.dataset,
        "system": system,
        "instance": instance,
        "step": found.step,
        "file": found.file,
        **({"raw": found.raw} if found.raw else {}),
        **({"score": dict(zip("ab", scores, strict=True))} if scores else {}),
        "rows": [_row(*rows_at(report.pair, found.file, at)) for at in found.rows],
    }


def _row(a: dict | None, b: dict | None) -> dict[str, Any]:
    """The fields that differ on each side; null for a side that lacks the row."""
    names = fields_differing(a or {}, b or {})
    sides = [row and {name: row[name] for name in names if name in row} for row in (a, b)]
    sample = (a or b).get("sample")
    return {**({} if sample is None else {"sample": sample}), **dict(zip("ab", sides, strict=True))}


def _present(**values) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not ABSENT}
