"""evaltrail diff: the changed cells of two project directories, the instances behind each, and where they part.

The first step at which the two chains of an instance part is the first of raw data, instance, prompt, generation, cut,
prediction and score whose rows differ; the thresholds of a system part where they differ though its scores do not.
"""

import difflib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from evaltrail.audit import diff_settings
from evaltrail.audit.diff_cells import Evidence, TableDiff, table_diff
from evaltrail.audit.diff_chain import STEPS, Partings, SystemDiff, dataset_partings, system_diff
from evaltrail.audit.diff_members import Members
from evaltrail.audit.diff_settings import Setting
from evaltrail.audit.diff_sides import NEITHER, ONLY_A, ONLY_B, SAME, Pair, Side
from evaltrail.errors import InputError


class OneSided(NamedTuple):
    """A dataset, system or table that one side alone has: `kind`, its name, and which side (`only in A`)."""

    kind: str
    name: str
    state: str


@dataclass
class DatasetDiff:
    """What differs in a dataset that was made on both sides.

    instances: those whose own rows differ; rewritten: files of the dataset whose bytes differ though no row does;
    inputs: the raw files and those that a person writes, with their state, where they differ.
    """

    dataset: str
    members: Members
    instances: Partings = field(default_factory=dict)
    systems: dict[str, SystemDiff] = field(default_factory=dict)
    tables: list[TableDiff] = field(default_factory=list)
    inputs: dict[str, str] = field(default_factory=dict)
    rewritten: list[str] = field(default_factory=list)


@dataclass
class Report:
    """All that differs between A and B. `names`: A and B as the user called them."""

    pair: Pair
    names: tuple[str, str]
    settings: list[Setting] = field(default_factory=list)
    reordered: list[str] = field(default_factory=list)
    one_sided: list[OneSided] = field(default_factory=list)
    datasets: list[DatasetDiff] = field(default_factory=list)

    @property
    def systems(self) -> list[SystemDiff]:
        return [system for dataset in self.datasets for system in dataset.systems.values()]

    @property
    def tables(self) -> list[TableDiff]:
        """The tables in which something differs."""
        return [table for dataset in self.datasets for table in dataset.tables]

    @property
    def differs(self) -> bool:
        own = (dataset.instances or dataset.inputs or dataset.rewritten for dataset in self.datasets)
        return bool(
            self.settings
            or self.reordered
            or self.one_sided
            or self.tables
            or any(own)
            or any(system.differs for system in self.systems)
        )

    def totals(self) -> dict[str, int]:
        """How many instances part at each step, all systems together; at threshold how many files."""
        return {step: sum(system.steps()[step] for system in self.systems) for step in STEPS}

    def partings(self) -> Iterator[tuple[DatasetDiff, str | None, str]]:
        """Each instance that parts: dataset, system, instance. A dataset's own come first, with None for the system."""
        for dataset in self.datasets:
            for instance in dataset.members.sorted(dataset.instances):
                yield dataset, None, instance
            for system, diff in dataset.systems.items():
                for instance in dataset.members.sorted(diff.partings):
                    yield dataset, system, instance


def diff(a: Path, b: Path, table: str | None = None, names: tuple[str, str] | None = None) -> Report:
    """Compares two project directories.

    table: compare this table alone, `{dataset}_{table}` or its bare name, and the chains that lead to it.
    names: what A and B are called in the report and in messages, where that is not their path.
    Raises InputError for a directory that is none, an unknown table, and a file that one side lacks and that is needed.
    """
    names = names or (str(a), str(b))
    pair = Pair(Side(a, names[0]), Side(b, names[1]))
    tables = _tables(pair, table)
    datasets = [id for id in {**pair.a.datasets, **pair.b.datasets} if table is None or id in tables]
    only = datasets[0] if table and len(datasets) == 1 else None
    report = Report(pair, names, diff_settings.settings(pair.a, pair.b, only))
    report.reordered = diff_settings.reordered(pair.a, pair.b)
    for id in datasets:
        made = [_made(side, id, tables.get(id, {})) for side in (pair.a, pair.b)]
        if made[0] != made[1]:
            report.one_sided.append(OneSided("dataset", id, ONLY_A if made[0] else ONLY_B))
        elif all(made):
            report.one_sided += _one_sided(pair, id, tables.get(id, {}))
            report.datasets.append(_dataset(pair, id, tables.get(id, {}), whole=table is None))
    return report


def _tables(pair: Pair, wanted: str | None) -> dict[str, dict[str, str]]:
    """The tables that either side has, by dataset and name: their paths in the project.

    A file belongs to the dataset with the longest id that its name begins with. Raises InputError when no side has
    the one that is wanted.
    """
    datasets = sorted({**pair.a.datasets, **pair.b.datasets}, key=len, reverse=True)
    names = {path.name for side in (pair.a, pair.b) for path in side.path("results").glob("*.csv")}
    found: dict[str, dict[str, str]] = {}
    for name in sorted(names):
        owner = next((id for id in datasets if name.startswith(f"{id}_")), None)
        table = name.removesuffix(".csv")[len(owner or "") + 1 :]
        if owner and wanted in (None, table, name.removesuffix(".csv")):
            found.setdefault(owner, {})[table] = f"results/{name}"
    if wanted is not None and not found:
        known = sorted(name.removesuffix(".csv") for name in names)
        near = difflib.get_close_matches(wanted, known, n=1)
        fix = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known) or 'none'}"
        raise InputError(f"--table {wanted}", "neither side has this table", fix=fix)
    return found


def _made(side: Side, dataset: str, tables: dict[str, str]) -> bool:
    """Whether anything of the dataset was made there."""
    places = f"data/{dataset}/instances.jsonl", f"results/{dataset}", *tables.values()
    return any(os.path.lexists(side.path(place)) for place in places)


def _one_sided(pair: Pair, dataset: str, tables: dict[str, str]) -> list[OneSided]:
    """The systems and tables of a dataset that one side lacks."""
    a, b = pair.a.systems(dataset), pair.b.systems(dataset)
    found = [OneSided("system", f"{dataset}/{id}", ONLY_A) for id in a if id not in b]
    found += [OneSided("system", f"{dataset}/{id}", ONLY_B) for id in b if id not in a]
    states = {file: pair.state(file) for file in tables.values()}
    return found + [
        OneSided("table", file, state) for file, state in states.items() if state.startswith("only")
    ]


def _dataset(pair: Pair, id: str, tables: dict[str, str], whole: bool) -> DatasetDiff:
    """whole: compare all systems also where no table reads their files."""
    instances, rewritten = dataset_partings(pair, id)
    reads = [pair.a.facts(id).get("tables", {}).get(table, {}).get("files") for table in tables]
    systems = pair.systems(id) if whole or any(files != [] for files in reads) else []
    found = DatasetDiff(id, Members(pair, id), instances, rewritten=rewritten)
    found.systems = {system: system_diff(pair, id, system, instances) for system in systems}
    found.inputs = _inputs(pair, id, systems)
    evidence = Evidence(found.members, instances, found.systems)
    for table, file in tables.items():
        if pair.state(file) == "differs":
            found.tables.append(table_diff(pair, id, table, file, evidence))
    return found


def _inputs(pair: Pair, dataset: str, systems: list[str]) -> dict[str, str]:
    """The files that the dataset and these systems are made of, with their state, where the sides differ."""
    files = [
        side.raw_file(dataset, step, system)
        for step, owners in (("instance", [None]), ("prompt", systems), ("generation", systems))
        for system in owners
        for side in (pair.a, pair.b)
    ]
    files += [file for side in (pair.a, pair.b) for file in side.person_files(dataset)]
    states = {file: pair.state(file) for file in dict.fromkeys(files) if file}
    return {file: state for file, state in states.items() if state not in (SAME, NEITHER)}
