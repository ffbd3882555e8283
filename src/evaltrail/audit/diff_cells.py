"""The changed cells of a table, and for each the instances behind it."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from evaltrail.audit.diff_chain import Partings, SystemDiff
from evaltrail.audit.diff_members import Members
from evaltrail.audit.diff_sides import Pair, Side
from evaltrail.errors import InputError

Behind = dict[str | None, list[str]]  # instances by system; those that differ themselves stand under None


class Cell(NamedTuple):
    """A cell that differs.

    row: the key of its row, as A's table shows it; systems: those that the row is made of (None: of the instances
    alone); behind: the instances because of which the cell may differ, none for a label.
    """

    row: tuple[str, ...]
    column: str
    a: str
    b: str
    systems: tuple[str | None, ...]
    behind: Behind


@dataclass
class TableDiff:
    """What differs in a table that both sides have.

    columns, rows: what stands in A alone and in B alone; of a row its key.
    reordered: whether the rows that both have stand in another order.
    """

    dataset: str
    table: str
    file: str
    cells: list[Cell] = field(default_factory=list)
    columns: tuple[list[str], list[str]] = ([], [])
    rows: tuple[list[tuple[str, ...]], list[tuple[str, ...]]] = ([], [])
    reordered: bool = False

    @property
    def same(self) -> bool:
        """Whether only the writing differs."""
        return not (self.cells or self.reordered or any(self.columns) or any(self.rows))


@dataclass
class Evidence:
    """What may stand behind the cells of a dataset's tables. Lists are made once for each kind of cell.

    instances: the dataset's instances that differ themselves; systems: what differs in each system's chain.
    """

    members: Members
    instances: Partings
    systems: dict[str, SystemDiff]
    _found: dict[tuple, Behind] = field(default_factory=dict)

    def behind(self, systems: tuple[str | None, ...], cells: tuple[str, ...], column: str) -> Behind:
        """The instances behind a cell that is made of `systems` (None: of the instances alone).

        cells: the key of its row. A key or a column that names a group of the benchmark leaves the instances of that
        group; where the column is a group, its cells are means, and those whose score is the same do not count. A
        key that names an instance leaves that one.
        """
        mean = column in self.members.names
        groups = tuple(name for name in (*cells, column) if name in self.members.names)
        only = next((cell for cell in cells if cell in self.members.order), None)
        key = systems, groups, mean, only
        if key not in self._found:
            found = {system: self._of(system, groups, mean, only) for system in systems}
            self._found[key] = {system: ids for system, ids in found.items() if ids}
        return self._found[key]

    def _of(self, system: str | None, groups: tuple[str, ...], mean: bool, only: str | None) -> list[str]:
        diff = self.systems.get(system)
        partings = self.instances if system is None else diff.partings if diff else {}
        ids = partings if only is None else {only} & partings.keys()
        if groups:
            scores = diff.scores if diff and mean else None
            ids = [id for id in ids if self._counts(id, groups, scores)]
        return self.members.sorted(ids)

    def _counts(self, id: str, groups: tuple[str, ...], scores: dict | None) -> bool:
        """Whether an instance is in the groups and, where `scores` are given, counts for another number there."""
        a, b = self.members.within(id, groups)
        return (a or b) and (scores is None or a != b or id in scores)


def table_diff(pair: Pair, dataset: str, table: str, file: str, evidence: Evidence) -> TableDiff:
    """The changed cells, in the order of A's rows and columns. Raises InputError for a file that is no table."""
    a, b = (_Table(side, dataset, file) for side in (pair.a, pair.b))
    diff = TableDiff(dataset, table, file)
    diff.columns = [c for c in a.header if c not in b.header], [c for c in b.header if c not in a.header]
    key = _key_columns(a, b, evidence.members.names)
    rows_a, rows_b = a.by_identity(key), b.by_identity(key)
    diff.rows = tuple(
        [row.key for identity, row in own.items() if identity not in other]
        for own, other in ((rows_a, rows_b), (rows_b, rows_a))
    )
    common = [identity for identity in rows_a if identity in rows_b]
    diff.reordered = common != [identity for identity in rows_b if identity in rows_a]
    makers = _Makers(pair, dataset, table, [*rows_a.values(), *rows_b.values()], list(evidence.systems))
    for identity in common:
        diff.cells += _cells(rows_a[identity], rows_b[identity], a.header, makers, evidence)
    return diff


def _cells(a: "_Row", b: "_Row", header: list[str], makers: "_Makers", evidence: Evidence) -> Iterator[Cell]:
    systems = makers.of(a, b)
    for column in header:
        if column in b.cells and a.cells[column] != b.cells[column]:
            label = column in a.columns
            behind = {} if label else evidence.behind(systems, a.groups, column)
            yield Cell(a.key, column, a.cells[column], b.cells[column], () if label else systems, behind)


class _Row(NamedTuple):
    """A row by column; the columns of its key and their cells; the systems that those name, and the other cells."""

    cells: dict[str, str]
    columns: list[str]
    key: tuple[str, ...]
    systems: tuple[str, ...]
    groups: tuple[str, ...]


class _Table:
    """One side's CSV file. A system is known by its id or its label there, so that a new label is no new row."""

    def __init__(self, side: Side, dataset: str, file: str):
        try:
            with open(side.path(file), encoding="utf-8", newline="") as lines:
                self.header, *rows = list(csv.reader(lines, strict=True)) or [[]]
        except (csv.Error, UnicodeDecodeError) as error:
            raise InputError(side.shown(file), f"is no CSV: {error}", fix="make it again") from None
        for number, row in enumerate(rows, start=1):
            if len(row) != len(self.header):
                what = f"has {len(row)} cells under {len(self.header)} columns"
                raise InputError(side.shown(file), what, row=number, fix="make it again")
        self.rows = [dict(zip(self.header, row, strict=True)) for row in rows]
        self.names: dict[str, set[str]] = {}
        for id, system in side.systems(dataset).items():
            self.names.setdefault(id, set()).add(id)
            self.names.setdefault(str(system["label"]), set()).add(id)

    def by_identity(self, key: list[str]) -> dict[tuple, _Row]:
        """The rows by what they are about; of rows that cannot be told apart the second is marked as the second."""
        found: dict[tuple, _Row] = {}
        for cells in self.rows:
            texts = tuple(cells[column] for column in key)
            identity = tuple(map(self._identity, texts))
            systems = tuple(dict.fromkeys(id for text in texts for id in sorted(self.names.get(text, ()))))
            rest = tuple(text for text in texts if text not in self.names)
            number = next(n for n in range(len(self.rows)) if (*identity, n) not in found)
            found[(*identity, number)] = _Row(cells, key, texts, systems, rest)
        return found

    def unique(self, key: list[str]) -> bool:
        return len({tuple(self._identity(row[c]) for c in key) for row in self.rows}) == len(self.rows)

    def _identity(self, text: str) -> tuple[str, str]:
        """What a cell of a key says: the one system that it names, or its text."""
        ids = self.names.get(text, ())
        return ("system", *ids) if len(ids) == 1 else ("text", text)


def _key_columns(a: _Table, b: _Table, groups: set[str]) -> list[str]:
    """The fewest first columns that tell all rows apart, none of which is a group's: those hold numbers."""
    common = [column for column in a.header if column in b.header]
    end = next((n for n, column in enumerate(common) if column in groups), len(common))
    candidates = [common[:n] for n in range(1, end + 1)]
    unique = (key for key in candidates if a.unique(key) and b.unique(key))
    return next(unique, common[:1])


class _Makers:
    """Of which systems a row is made.

    Those that it names. A row that names none is made of the instances alone where the other rows name systems (the
    random answerer) or where the table reads no system's files; else it is made of all systems.
    """

    def __init__(self, pair: Pair, dataset: str, table: str, rows: list[_Row], systems: list[str]):
        reads = pair.a.facts(dataset).get("tables", {}).get(table, {}).get("files")
        alone = reads == [] or any(row.systems for row in rows)
        self.others: tuple[str | None, ...] = (None,) if alone else tuple(systems)

    def of(self, a: _Row, b: _Row) -> tuple[str | None, ...]:
        return tuple(dict.fromkeys((*a.systems, *b.systems))) or self.others
