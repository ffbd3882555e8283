"""`evaltrail diff` on a terminal: settings and inputs, the steps at which instances part, then table by table each
changed cell with the instances behind it."""

from collections.abc import Iterator
from itertools import groupby

from tabulate import tabulate

from evaltrail.audit.diff import DatasetDiff, Report
from evaltrail.audit.diff_cells import Behind, Cell, TableDiff
from evaltrail.audit.diff_chain import STEPS, Parting
from evaltrail.audit.diff_marks import common
from evaltrail.audit.diff_shown import SHOWN, TOTALS, fields, files, number, parting, reads, totals, visible

BEFORE, WIDTH = 20, 70  # characters of a text shown before the first that differs, and in all
FIELDS = 4  # fields of an instance that are shown unless all are asked for


def chunks(report: Report, all: bool) -> Iterator[bytes]:
    """The text in UTF-8, piece by piece. `all`: all instances behind a cell, not just the first ones."""
    for line in _Text(report, all).lines():
        yield (line + "\n").encode("utf-8", "backslashreplace")


class _Text:
    """The lines of a report. What differs in an instance is said once, and so is which instances a list has."""

    def __init__(self, report: Report, all: bool):
        self.report, self.all = report, all
        self.instances: set[tuple[str, str | None, str]] = set()  # said already, by dataset and system
        self.lists: set[tuple[str, str | None, tuple[str, ...]]] = set()

    def lines(self) -> Iterator[str]:
        yield f"A: {visible(self.report.names[0])}"
        yield f"B: {visible(self.report.names[1])}"
        if not self.report.differs:
            yield "nothing differs"
            return
        yield from self.settings()
        if found := files(self.report):
            yield from ("", "Inputs and files")
            yield from (f"  {visible(file.name)}: {file.state}" for file in found)
        yield from self.steps()
        for dataset in self.report.datasets:
            for table in dataset.tables:
                yield from self.table(dataset, table)
        yield from self.others()

    def settings(self) -> Iterator[str]:
        if self.report.settings or self.report.reordered:
            yield from ("", "Settings in params.yaml")
        for setting in self.report.settings:
            yield f"  {visible('.'.join(setting.key))}: {_change(reads(setting.a), reads(setting.b))}"
        for key in self.report.reordered:
            yield f"  {key}: in another order"

    def steps(self) -> Iterator[str]:
        if rows := totals(self.report):
            yield from ("", "Where instances part first (threshold: files)")
            yield from (f"  {line}" for line in tabulate(rows, headers=TOTALS).splitlines())
        for dataset in self.report.datasets:
            if dataset.instances:
                steps = sorted({found.step for found in dataset.instances.values()}, key=STEPS.index)
                count = number(len(dataset.instances))
                yield f"  dataset {dataset.dataset}: another row of {count} ({', '.join(steps)})"

    def table(self, dataset: DatasetDiff, table: TableDiff) -> Iterator[str]:
        yield from ("", table.file)
        for side, columns, rows in zip("AB", table.columns, table.rows, strict=True):
            yield from (f"  column only in {side}: {visible(column)}" for column in columns)
            yield from (f"  row only in {side}: {_key(row)}" for row in rows)
        if table.reordered:
            yield "  rows in another order"
        if table.same:
            yield "  the same cells, written in another way"
        for _, cells in groupby(table.cells, key=lambda cell: (cell.row, id(cell.behind))):
            cells = list(cells)
            for cell in cells:
                yield f"  {_key(cell.row)}, {visible(cell.column)}: {_cell(cell.a)} -> {_cell(cell.b)}"
            yield from self.behind(dataset, cells[0])

    def behind(self, dataset: DatasetDiff, cell: Cell) -> Iterator[str]:
        if not cell.behind:
            yield "    no instance behind it"
        for system in cell.systems:
            if system and dataset.systems[system].thresholds == "parts":
                yield f"    {system}: its thresholds differ, though no score does"
        for system, ids in cell.behind.items():
            owner, key = system or "the instances themselves", (dataset.dataset, system, tuple(ids))
            if key in self.lists and len(ids) > 1:
                yield f"    {owner}: the same {number(len(ids))} as above"
            else:
                self.lists.add(key)
                yield f"    {owner}: {number(len(ids))}"
                yield from self.listed(dataset, system, ids)

    def listed(self, dataset: DatasetDiff, system: str | None, ids: list[str]) -> Iterator[str]:
        """A line an instance, and below it what differs."""
        count = len(ids) if self.all else SHOWN
        for id in ids[:count]:
            found = parting(dataset, system, id)
            scores = dataset.systems[system].scores.get(id) if system else None
            score = f", score {' -> '.join(map(_score, scores))}" if scores else ""
            only = f", only in {found.only}" if found.only else ""
            yield f"      {visible(id)}: {found.step}{only}{score}"
            if (dataset.dataset, system, id) not in self.instances and not found.only:
                self.instances.add((dataset.dataset, system, id))
                yield from self.fields(found)
        if len(ids) > count:
            yield f"      ... and {len(ids) - count:,} more"

    def fields(self, found: Parting) -> Iterator[str]:
        differing = fields(self.report, found)
        count = len(differing) if self.all else FIELDS
        for one in differing[:count]:
            sample = f" of sample {one.sample}" if one.sample is not None and len(found.rows) > 1 else ""
            yield f"        {visible(one.name)}{sample}: {_change(one.a, one.b)}"
        if len(differing) > count:
            yield f"        ... and {len(differing) - count:,} more"

    def others(self) -> Iterator[str]:
        """The instances of systems that part behind no changed cell."""
        behind = {
            (dataset.dataset, system, id)
            for dataset in self.report.datasets
            for found in _distinct(dataset.tables)
            for system, ids in found.items()
            for id in ids
        }
        left = [
            (dataset, system, id)
            for dataset, system, id in self.report.partings()
            if system and (dataset.dataset, system, id) not in behind
        ]
        if left:
            yield from ("", "Instances that part behind no changed cell")
        for (name, system), found in groupby(left, key=lambda one: (one[0].dataset, one[1])):
            own = list(found)
            yield f"  {name}/{system}: {number(len(own))}"
            yield from self.listed(own[0][0], system, [id for *_, id in own])


def _distinct(tables: list[TableDiff]) -> list[Behind]:
    """What is behind the cells, each list once: many cells share it."""
    return list({id(cell.behind): cell.behind for table in tables for cell in table.cells}.values())


def _change(a: str | None, b: str | None) -> str:
    """Both values; of long ones the place where they part."""
    long = max(len(text or "") for text in (a, b)) > WIDTH
    start = max(0, common(a or "", b or "") - BEFORE) if long else 0
    return f"{_excerpt(a, start)} -> {_excerpt(b, start)}"


def _excerpt(text: str | None, start: int) -> str:
    if not text:
        return "absent" if text is None else '""'
    end = start + WIDTH
    return "…" * (start > 0) + visible(text[start:end]) + "…" * (end < len(text))


def _score(score) -> str:
    return "absent" if score is None else repr(score)


def _key(row: tuple[str, ...]) -> str:
    return visible(" / ".join(row))


def _cell(text: str) -> str:
    return visible(text) or '""'
