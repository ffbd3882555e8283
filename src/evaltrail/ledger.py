"""The ledger: what DVC knows of a project directory's files.

`dvc.lock` says of each file what it was made from: the command, the spec, and the digests of its inputs. `record`
writes that down for all that is current, `restore` holds the files against it.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import Any

from evaltrail import bridge, guard, params, repository, stages, study
from evaltrail.bridge import Graph, Job
from evaltrail.errors import InputError
from evaltrail.files import sha256
from evaltrail.repository import Dvc

RESPONSES = Path(study.RESPONSES)
SCHEMA = bridge.SNAKEFILE.parent / "workflow/schemas/params.schema.yaml"


class Ledger:
    """The graph of a project directory's jobs beside what DVC knows of them. The directory is the current one.

    dvc: None where the directory lies in no DVC repository.
    """

    def __init__(self, graph: Graph, dvc: Dvc | None):
        self.graph, self.dvc = graph, dvc
        self.names = stages.names(graph.jobs)
        self.digests: stages.Digests = {}  # of the files that are known to be what they should be, or sources
        self._made = {path for job in graph.jobs for path in job.outputs}

    @cached_property
    def params(self) -> dict[str, Any]:
        return params.load("params.yaml", SCHEMA)

    @cached_property
    def written(self) -> dict[str, Any]:
        """params.yaml as DVC reads it."""
        return repository.read_yaml(Path("params.yaml"))

    @cached_property
    def locked(self) -> dict[str, dict[str, Any]]:
        """The entries of dvc.lock by stage."""
        path = Path("dvc.lock")
        if self.dvc is None or not path.exists():
            return {}
        return stages.checked(repository.read_yaml(path), stages.Lock, path, repository.MEND)["stages"]

    def entry(self, job: Job, digests: stages.Digests) -> dict[str, Any]:
        return stages.lock_entry(job, self.names[job], self.params, self.written, digests)

    def inputs_stand(self, job: Job, sound: set[Job]) -> bool:
        """Whether all inputs of the job are there, and those that jobs make were made by `sound` ones.

        Their digests are known after it.
        """
        if any(maker not in sound for maker in self.graph.makers(job)):
            return False
        sources = [path for path in job.inputs if path not in self._made]
        self.digests |= {
            path: digest(path) for path in sources if path not in self.digests and os.path.isfile(path)
        }
        return all(path in self.digests for path in job.inputs)

    def earlier(self, job: Job) -> Iterator[stages.Digests]:
        """The outputs that DVC has seen this job make of these very inputs, those of dvc.lock first."""
        if recorded := self.recorded(job):
            yield recorded
        if self.dvc:
            yield from map(_outs, self.dvc.earlier(self._blank(job)))

    def recorded(self, job: Job) -> stages.Digests | None:
        """The outputs that dvc.lock has of this job, if it has them as made of these very inputs."""
        locked = self.locked.get(self.names[job])
        same = locked is not None and _made_from(locked) == _made_from(self._blank(job))
        return _outs(locked) if same else None

    def there(self, job: Job) -> stages.Digests:
        """The outputs of the job that are there."""
        return {path: digest(path) for path in job.outputs if os.path.isfile(path)}

    def contradicted(self, job: Job) -> list[str]:
        """The outputs that are not those which dvc.lock or a raw file's pin has for these inputs and settings."""
        recorded = self.recorded(job) or {}
        wrong = [path for path, made in self.there(job).items() if recorded.get(path, made) != made]
        return wrong or self.broken_pins(job)

    def broken_pins(self, job: Job) -> list[str]:
        """The raw files that are there and have another sha256 than the one they were fetched by."""
        pin = json.loads(job.spec).get("sha256") if job.rule == "fetch" else None
        return [path for path in job.outputs if pin and os.path.isfile(path) and sha256(Path(path)) != pin]

    def current(self) -> tuple[list[Job], list[str]]:
        """The jobs whose outputs are current, and outputs that would be but are contradicted.

        A job's outputs are current when it needs not run, they are as it left them, and so is all they were made from.
        """
        current: dict[Job, None] = {}
        contradicted: list[str] = []
        for job in self.graph.jobs:
            if not self.graph.is_current(job) or not self.inputs_stand(job, current.keys()):
                continue
            if wrong := self.contradicted(job):
                contradicted += wrong
            else:
                current[job] = None
                self.digests |= self.there(job)
        return list(current), contradicted

    def recorded_spec(self, job: Job) -> str | None:
        """The spec under which dvc.lock has the job's outputs."""
        name = self.names[job]
        return stages.spec_of(self.locked.get(name, {}), name)

    def recorded_outs(self, job: Job) -> stages.Digests:
        """The outputs that dvc.lock has of the job, whatever it has them made from."""
        return _outs(self.locked.get(self.names[job], {"outs": []}))

    def _blank(self, job: Job) -> dict[str, Any]:
        """The job's entry, before it is known what its outputs are."""
        return self.entry(job, self.digests | dict.fromkeys(job.outputs, ("", 0)))


def logged_segments(dvc: Dvc) -> list[tuple[Path, str]]:
    """The segments of the response log that DVC has recorded, each with its md5.

    Raises InputError when the list of them is not in the cache.
    """
    record = RESPONSES.with_suffix(".dvc")
    if not record.exists():
        return []
    outs = repository.read_yaml(record).get("outs") or [{}]
    recorded = outs[0].get("md5", "")
    listed = dvc.cached(recorded)
    if not recorded or not listed.is_file() or digest(listed)[0] != recorded.removesuffix(".dir"):
        raise InputError(
            record, "names a list of segments that the cache does not have", fix="run `dvc pull`"
        )
    return sorted((RESPONSES / row["relpath"], row["md5"]) for row in json.loads(listed.read_bytes()))


def _made_from(entry: dict[str, Any]) -> tuple:
    """What decides an entry's outputs. Keys of params.yaml do not: the spec holds what they come to."""
    deps = {dep["path"]: dep.get("md5") for dep in entry.get("deps", [])}
    specs = entry.get("params", {}).get("specs.json")
    return entry["cmd"], specs, deps, [out["path"] for out in entry.get("outs", [])]


def _outs(entry: dict[str, Any]) -> stages.Digests:
    return {out["path"]: (out.get("md5"), out.get("size")) for out in entry["outs"]}


def digest(path) -> tuple[str, int]:
    """A file's md5 and its size in bytes, as DVC has them."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "md5").hexdigest(), os.fstat(file.fileno()).st_size


@contextmanager
def open_ledger(
    directory: Path, targets: Iterable[str] = ("possible",), ignoring=(guard.UnknownOutputs,)
) -> Iterator[Ledger]:
    """The ledger of a project directory, which is the current directory meanwhile. No other run can be at work in it.

    ignoring: what may be raised once the graph is built.
    Raises InputError when `directory` is no project directory or the graph cannot be built.
    """
    if not (directory / "params.yaml").is_file():
        raise InputError(directory / "params.yaml", "no such file", fix="go to a project directory")
    root = repository.dvc_root(directory)
    with (
        bridge.open_graph(directory, targets, ignoring) as graph,
        Dvc(directory, root) if root else nullcontext() as dvc,
    ):
        yield Ledger(graph, dvc)
