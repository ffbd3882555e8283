"""`evaltrail diff --html`: one self-contained page; the two texts of each instance side by side where they part."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

from jinja2 import Environment, StrictUndefined

from evaltrail import files
from evaltrail.audit import diff_marks, diff_shown
from evaltrail.audit.diff import DatasetDiff, Report
from evaltrail.audit.diff_cells import Cell, TableDiff
from evaltrail.audit.diff_marks import CHANGED, LEFT_OUT, SAME, Part
from evaltrail.audit.diff_page_template import PAGE
from evaltrail.audit.diff_shown import SHOWN, fields, number, parting, reads, visible

Place = tuple[str, str | None, str]  # dataset, system, instance


class Marked(NamedTuple):
    """A field that differs: its title, and the parts of both values."""

    title: str
    a: list[Part]
    b: list[Part]


class Shown(NamedTuple):
    """An instance on the page."""

    anchor: str
    title: str
    step: str
    file: str
    raw: str | None
    only: str | None
    score: str | None
    fields: list[Marked]


class Link(NamedTuple):
    """An instance behind a cell, with the place on the page where it is shown."""

    title: str
    step: str
    score: str | None
    anchor: str


def write(report: Report, path, all: bool) -> None:
    """Writes the page to `path`. `all`: all instances, not just the first of each cell, and of each system and step."""
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "visible": lambda text: visible(str(text)),
        "marked": _visible_part,
        "number": number,
    }
    anchors = {place: f"i{n}" for n, place in enumerate(_places(report, None if all else SHOWN), start=1)}
    content = environment.from_string(PAGE).generate(
        report=report,
        names=report.names,
        settings=[_marked(".".join(s.key), reads(s.a), reads(s.b)) for s in report.settings],
        files=diff_shown.files(report),
        totals=diff_shown.totals(report),
        totals_header=diff_shown.TOTALS,
        tables=[
            (table, list(_cells(table, dataset, anchors)))
            for dataset in report.datasets
            for table in dataset.tables
        ],
        instances=_instances(report, anchors),
        left_out=sum(1 for _ in report.partings()) - len(anchors),
    )
    with files.atomic_path(path) as partial, open(partial, "wb") as page:
        for chunk in content:
            page.write(chunk.encode("utf-8", "backslashreplace"))


def _places(report: Report, count: int | None) -> list[Place]:
    """The instances that are shown, in the order of the report: the first `count` of each cell, and of each step."""
    wanted: set[Place] = set()
    for dataset in report.datasets:
        for cell in (cell for table in dataset.tables for cell in table.cells):
            for system, ids in cell.behind.items():
                wanted |= {(dataset.dataset, system, id) for id in ids[:count]}
    room: dict[tuple, int] = {}
    places = []
    for dataset, system, id in report.partings():
        place = dataset.dataset, system, id
        kind = dataset.dataset, system, parting(dataset, system, id).step
        room[kind] = room.get(kind, 0) + 1
        if place in wanted or count is None or room[kind] <= count:
            places.append(place)
    return places


def _cells(table: TableDiff, dataset: DatasetDiff, anchors: dict[Place, str]) -> Iterator[dict[str, Any]]:
    """The changed cells; neighbours of a row with the same instances behind them together."""
    for _, group in groupby(table.cells, key=lambda cell: (cell.row, id(cell.behind))):
        cells = list(group)
        behind = [
            {
                "system": system or "the instances themselves",
                "count": len(ids),
                "links": [link for instance in ids if (link := _link(dataset, system, instance, anchors))],
            }
            for system, ids in cells[0].behind.items()
        ]
        yield {
            "row": " / ".join(cells[0].row),
            "cells": cells,
            "behind": behind,
            "thresholds": _thresholds(dataset, cells[0]),
        }


def _thresholds(dataset: DatasetDiff, cell: Cell) -> list[str]:
    """The systems of the cell's row whose thresholds differ though no score does."""
    return [system for system in cell.systems if system and dataset.systems[system].thresholds == "parts"]


def _link(dataset: DatasetDiff, system: str | None, instance: str, anchors: dict[Place, str]) -> Link | None:
    anchor = anchors.get((dataset.dataset, system, instance))
    return anchor and Link(
        instance, parting(dataset, system, instance).step, _score(dataset, system, instance), anchor
    )


def _instances(report: Report, anchors: dict[Place, str]) -> Iterator[Shown]:
    """The instances that are shown; their texts are read one by one, so that memory does not grow with them."""
    for dataset, system, instance in report.partings():
        if anchor := anchors.get((dataset.dataset, system, instance)):
            found = parting(dataset, system, instance)
            titles = (
                (f.name if f.sample is None else f"{f.name}, sample {f.sample}", f)
                for f in fields(report, found)
            )
            marked = [_marked(title, field.a, field.b) for title, field in titles]
            title = " / ".join(filter(None, (dataset.dataset, system, instance)))
            score = _score(dataset, system, instance)
            yield Shown(anchor, title, found.step, found.file, found.raw, found.only, score, marked)


def _score(dataset: DatasetDiff, system: str | None, instance: str) -> str | None:
    scores = dataset.systems[system].scores.get(instance) if system else None
    return scores and " → ".join("absent" if score is None else repr(score) for score in scores)


def _marked(title: str, a: str | None, b: str | None) -> Marked:
    if a is None or b is None:
        return Marked(
            title, *([Part(LEFT_OUT, "absent") if text is None else Part(SAME, text)] for text in (a, b))
        )
    return Marked(title, *diff_marks.side_by_side(a, b))


def _visible_part(part: Part) -> str:
    """A part as it is shown: invisible characters as escapes, and a changed line end as a sign."""
    text = part.text.replace("\n", "⏎\n") if part.kind == CHANGED else part.text
    return visible(text, keep="\n")
