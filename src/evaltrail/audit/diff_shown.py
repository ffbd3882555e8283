"""What the text and the page of `evaltrail diff` share: which instances are shown, and how values read."""

import json
from typing import Any, NamedTuple

from evaltrail.audit.diff import DatasetDiff, Report
from evaltrail.audit.diff_chain import STEPS, Parting
from evaltrail.audit.diff_rows import fields_differing, rows_at
from evaltrail.audit.diff_settings import ABSENT

SHOWN = 5  # instances shown of each kind unless all are asked for


class Field(NamedTuple):
    """A field of a row that differs, and its values as they read; `sample` None in rows without samples."""

    sample: int | None
    name: str
    a: str | None
    b: str | None


class File(NamedTuple):
    """A file, or what is kept in files, and what is to be said of it."""

    name: str
    state: str


def parting(dataset: DatasetDiff, system: str | None, instance: str) -> Parting:
    return (dataset.instances if system is None else dataset.systems[system].partings)[instance]


def fields(report: Report, found: Parting) -> list[Field]:
    """The fields that differ at the parting step, all samples; a row that one side lacks has all its fields."""
    shown = []
    for at in found.rows:
        a, b = rows_at(report.pair, found.file, at)
        for name in fields_differing(a or {}, b or {}):
            if (a and b) or name not in ("instance", "id", "sample"):
                values = ((row or {}).get(name, ABSENT) for row in (a, b))
                shown.append(Field((a or b).get("sample"), name, *map(reads, values)))
    return shown


def files(report: Report) -> list[File]:
    """What is to be said of whole files: one side lacks it, an input differs, no row differs though the file does."""
    found = [File(f"{entry.kind} {entry.name}", entry.state) for entry in report.one_sided]
    for dataset in report.datasets:
        found += [File(*entry) for entry in dataset.inputs.items()]
        rewritten = [
            *dataset.rewritten,
            *(file for one in dataset.systems.values() for file in one.rewritten),
        ]
        found += [File(file, "the same rows, in another order or writing") for file in rewritten]
    for system in report.systems:
        folder = f"results/{system.dataset}/{system.system}"
        if system.thresholds.startswith("only"):
            found.append(File(f"{folder}/thresholds.json", system.thresholds))
        if system.metrics and not system.partings:
            found.append(File(f"{folder}/metrics.json", "differs, though no instance does"))
    return found


TOTALS = ["system", *STEPS, "instances", "other score"]


def totals(report: Report) -> list[list[str | int]]:
    """How many instances of each system part at each step and in all, and in how many the score differs."""
    rows = [
        [f"{one.dataset}/{one.system}", *one.steps().values(), len(one.partings), len(one.scores)]
        for one in report.systems
    ]
    sums = [sum(column) for column in list(zip(*rows, strict=True))[1:]]
    return [*rows, ["all", *sums]] if rows else []


def reads(value: Any) -> str | None:
    """A value as a person reads it: a text as it is, others as JSON; None where there is no value."""
    if value is ABSENT:
        return None
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def visible(text: str, keep: str = "") -> str:
    """`text` with its invisible characters, but those in `keep`, as escapes: controls, direction marks, surrogates."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in keep else c.encode("unicode_escape").decode("ascii") for c in text
    )


def number(count: int, what: str = "instance") -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
