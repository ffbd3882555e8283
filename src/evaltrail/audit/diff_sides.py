"""The two project directories that `evaltrail diff` compares, each by its params, its datasets and its files."""

import contextlib
import filecmp
import os
from functools import cached_property
from pathlib import Path
from typing import Any

from evaltrail import params, yaml12
from evaltrail.errors import InputError
from evaltrail.facts import BENCHMARKS, benchmark_facts, fields_of

SAME, DIFFERS, ONLY_A, ONLY_B, NEITHER = "same", "differs", "only in A", "only in B", "absent"


class Side:
    """A project directory.

    root: where it lies; name: what the user called it, a path or a revision. Messages give the name, never the root.
    Raises InputError where there is no params.yaml, or none that can be read.
    """

    def __init__(self, root: Path, name: str | None = None):
        self.root, self.name = Path(root), str(root) if name is None else name
        if not self.root.is_dir():
            raise InputError(self.name, "no such directory", fix="give two project directories")
        if not self.has("params.yaml"):
            raise InputError(self.shown("params.yaml"), "no such file", fix="give a project directory")
        with self.named():
            data = yaml12.load(self.root / "params.yaml").data
        for key in ("datasets", "systems"):
            if not isinstance(data, dict) or not isinstance(data.get(key), dict | None):
                raise InputError(self.shown("params.yaml"), "has no such mapping", field=key)
        self.params: dict[str, Any] = data

    def path(self, file: str) -> Path:
        return self.root / file

    def shown(self, file: str) -> str:
        """`file` as the user may find it."""
        return os.path.join(self.name, file)

    def has(self, file: str) -> bool:
        """Whether `file` is there. Raises InputError for a link to what DVC's cache has no more: it would be there."""
        path = self.path(file)
        if path.is_symlink() and not path.exists():
            lost = f"files missing there: {len(self._lost())}"
            fix = "run `dvc fetch` at that revision, or `dvc fetch --all-commits`"
            raise InputError(self.shown(file), f"is not in DVC's cache ({lost})", fix=fix)
        return path.is_file()

    def _lost(self) -> list[Path]:
        found = (path for top in ("data", "results") for path in self.path(top).rglob("*"))
        return [path for path in found if path.is_symlink() and not path.exists()]

    @contextlib.contextmanager
    def named(self):
        """Errors from the block name this side as the user did."""
        try:
            yield
        except InputError as error:
            file = error.file
            if file.startswith(f"{self.root}/"):
                file = self.shown(file[len(f"{self.root}/") :])
            raise InputError(file, error.what, fix=error.fix, row=error.row, field=error.field) from None

    @cached_property
    def datasets(self) -> dict[str, dict[str, Any]]:
        return {id: own or {} for id, own in (self.params.get("datasets") or {}).items()}

    def systems(self, dataset: str) -> dict[str, dict[str, Any]]:
        """The dataset's systems with all their settings, by id, in the order of params.yaml."""
        return {id: system for id, system in self._systems.items() if system.get("dataset") == dataset}

    @cached_property
    def _systems(self) -> dict[str, dict[str, Any]]:
        shared = self.params.get("defaults") or {}
        return {
            id: {**params.SYSTEM_DEFAULTS, "label": id, **shared, **(own or {})}
            for id, own in (self.params.get("systems") or {}).items()
        }

    def facts(self, dataset: str) -> dict[str, Any]:
        """What benchmark.yaml says of the dataset's benchmark; nothing for a benchmark that this evaltrail lacks."""
        benchmark = str(self.datasets.get(dataset, {}).get("benchmark"))
        known = (BENCHMARKS / benchmark / "benchmark.yaml").is_file()
        return benchmark_facts(benchmark) if known else {}

    def raw_file(self, dataset: str, step: str, system: str | None = None) -> str | None:
        """The raw file that a step reads beside the rows of the step before it, as a path in the project, if any."""
        facts, own = self.facts(dataset), self.systems(dataset).get(system, {})
        member = None
        if step == "instance":
            member = facts.get("dataset")
        elif step == "prompt" and self._few_shot(facts, own, dataset):
            member = facts.get("examples")
        elif step == "generation" and own.get("client") == "recorded" and "recorded_name" in own:
            member = facts.get("recorded", "").format_map(own)
        return f"data/{dataset}/raw/{member}" if member else None

    def person_files(self, dataset: str) -> list[str]:
        """The files that a person may have written for the dataset, as paths in the project."""
        tables = self.facts(dataset).get("tables", {}).values()
        names = ["adjudications.csv", *(reads["person"] for reads in tables if reads.get("person"))]
        return [f"data/{dataset}/{name}" for name in dict.fromkeys(names)]

    def _few_shot(self, facts: dict[str, Any], system: dict[str, Any], dataset: str) -> bool:
        """Whether the system's wording has an example in it."""
        own = (self.params.get("methods") or {}).get(self.datasets[dataset].get("benchmark")) or {}
        template = {**facts.get("methods", {}), **own}.get(system.get("method"))
        try:
            fields = fields_of(template or "")
        except ValueError:
            return False
        return any(field.startswith("example_") for field in fields)


class Pair:
    """Both sides, and what can be said of one file of both."""

    def __init__(self, a: Side, b: Side):
        self.a, self.b = a, b

    def state(self, file: str) -> str:
        """same, differs, only in A, only in B, or absent."""
        a, b = self.a.path(file), self.b.path(file)
        if a.is_symlink() and os.path.realpath(a) == os.path.realpath(b):
            return SAME  # one file of DVC's cache, be it there or not
        match self.a.has(file), self.b.has(file):
            case True, True:
                same = filecmp.cmp(a, b, shallow=False)
                return SAME if same else DIFFERS
            case True, False:
                return ONLY_A
            case False, True:
                return ONLY_B
        return NEITHER

    def differs(self, file: str) -> bool:
        """Whether the bytes of a file differ that is needed; one that neither side has does not differ.

        Raises InputError naming the side that lacks it.
        """
        state = self.state(file)
        if state in (ONLY_A, ONLY_B):
            lacks, has = (self.b, self.a) if state == ONLY_A else (self.a, self.b)
            what = f"no such file, and {has.shown(file)} cannot be compared without it"
            fix = f"run `evaltrail restore` and `make` in {lacks.name}"
            raise InputError(lacks.shown(file), what, fix=fix)
        return state == DIFFERS

    def systems(self, dataset: str) -> list[str]:
        """The ids of the systems that both sides have, in A's order."""
        there = self.b.systems(dataset)
        return [id for id in self.a.systems(dataset) if id in there]

    def raw_parts(self, dataset: str, step: str, system: str | None = None) -> str | None:
        """The raw file that both sides read at a step, when it is the same file with other bytes.

        Where the sides read two files of different names a setting differs, and no raw data.
        """
        file = self.a.raw_file(dataset, step, system)
        same_name = file is not None and file == self.b.raw_file(dataset, step, system)
        return file if same_name and self.differs(file) else None
