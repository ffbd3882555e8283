"""All that evaltrail does with the inner parts of Snakemake and DVC, which may move: both are pinned for it."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evaltrail import files
from evaltrail.errors import InputError

SOURCE = Path(__file__).resolve().parents[1]
SNAKEFILE = SOURCE.parent / "Snakefile"
MEND = "take the committed one (`git checkout FILE`), or remove it and run `evaltrail record`"
LARGEST_CHECKSUM = 10**12  # bytes; Snakemake's own limit of 1 MB would rerun on a mere touch of a larger file


@dataclass(frozen=True, eq=False)
class Job:
    """A job that makes files. inputs and outputs are paths in the project directory; spec as Snakemake compares it."""

    rule: str
    wildcards: dict[str, str]
    spec: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class Graph:
    """A workflow's jobs, each after those that make its inputs, and what Snakemake remembers of their outputs."""

    def __init__(self, workflow):
        self._workflow, self._dag = workflow, workflow.dag
        levels = (
            sorted(level, key=lambda job: list(map(str, job.output))) for level in self._dag.toposorted()
        )
        own = [job for level in levels for job in level if job.output]
        self._own = {_job(job): job for job in own}
        self._job_of = {job: made for made, job in self._own.items()}
        self.jobs = list(self._own)

    def needs_run(self, job: Job) -> bool:
        """Whether Snakemake would run the job."""
        return self._dag.needrun(self._own[job])

    def makers(self, job: Job) -> list[Job]:
        """The jobs that make inputs of `job`."""
        return [self._job_of[own] for own in self._dag.dependencies[self._own[job]]]

    def users(self, job: Job) -> list[Job]:
        """The jobs that read outputs of `job`."""
        return [self._job_of[own] for own in self._dag.depending[self._own[job]] if own in self._job_of]

    def as_left(self, path: str) -> bool:
        """Whether Snakemake has a record of the output and nobody has written it since."""
        return as_left(self._workflow, path)

    def is_current(self, job: Job) -> bool:
        """Whether all outputs are there as the job left them, and it needs not run."""
        return all(map(self.as_left, job.outputs)) and not self.needs_run(job)

    def mark(self, job: Job) -> None:
        """Makes the job's outputs current for Snakemake, as if it had just made them from its inputs."""
        for path in job.outputs:
            os.utime(path)
        self._workflow.async_run(self._workflow.persistence.finished(self._own[job]))


def _job(own) -> Job:
    spec = getattr(own.params, "spec", "")
    return Job(
        own.rule.name, dict(own.wildcards_dict), spec, tuple(map(str, own.input)), tuple(map(str, own.output))
    )


def as_left(workflow, path: str) -> bool:
    """Whether Snakemake has a record of the output and nobody has written it since."""
    from snakemake.io import IOFile

    record = workflow.persistence.metadata(IOFile(path, rule=None))
    return record is not None and os.path.lexists(path) and record.endtime == os.path.getmtime(path)


def makes(workflow, path: str) -> bool:
    """Whether some rule makes a file of this name."""
    return any(rule.is_producer(path) for rule in workflow.rules)


def on_build(workflow, before: Callable[[], None], after: Callable[[Graph], None]) -> None:
    """Calls `before` ahead of the building of the workflow's graph, and `after` with the graph."""
    build = workflow._build_dag

    def build_between():
        before()
        # An interrupted job is redone without a flag, and a mere touch of a large file reruns nothing.
        workflow.dag_settings = replace(
            workflow.dag_settings, force_incomplete=True, max_checksum_file_size=LARGEST_CHECKSUM
        )
        workflow.dag.max_checksum_file_size = LARGEST_CHECKSUM
        workflow.persistence.max_checksum_file_size = LARGEST_CHECKSUM
        build()
        after(Graph(workflow))

    workflow._build_dag = build_between


def set_cores(workflow) -> None:
    """All cores of this process, where the command line says nothing."""
    settings = workflow.resource_settings
    if settings.cores is None and settings.nodes is None:
        settings.cores = len(os.sched_getaffinity(0))
        workflow.global_resources["_cores"] = settings.cores


@contextmanager
def open_graph(
    directory: Path, targets: Iterable[str], ignoring: tuple[type[BaseException], ...] = ()
) -> Iterator[Graph]:
    """The graph of the targets in a project directory, which is the current directory meanwhile.

    ignoring: what may be raised once the graph is built.
    Raises InputError when it cannot be built: a source is missing, or another run is at work.
    """
    from snakemake.api import SnakemakeApi
    from snakemake.exceptions import WorkflowError
    from snakemake.settings.types import (
        DAGSettings,
        ExecutionSettings,
        OutputSettings,
        Quietness,
        ResourceSettings,
    )

    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        opened = api.workflow(
            resource_settings=ResourceSettings(cores=1), snakefile=SNAKEFILE, workdir=directory.absolute()
        )
        opened.dag(DAGSettings(targets=set(targets)))
        workflow = opened._workflow
        workflow.execution_settings = ExecutionSettings()
        workflow._prepare_dag(forceall=False, ignore_incomplete=True, lock_warn_only=False)
        try:
            with suppress(*ignoring):
                workflow._build_dag()
        except WorkflowError as error:
            raise InputError(directory, " ".join(str(error).split())) from None
        workflow.iocache.deactivate()  # it would not see what is done to files from here on
        yield Graph(workflow)


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file as DVC reads it. Raises InputError when it is none."""
    from dvc.utils.serialize import ParseError, load_yaml

    try:
        return load_yaml(str(path))
    except (ParseError, ValueError) as error:
        mark = getattr(error.__cause__, "problem_mark", None)
        row = mark.line + 1 if mark else None
        raise InputError(path, "is no YAML", row=row, fix=MEND) from None


def yaml_text(value: dict[str, Any]) -> str:
    """`value` as DVC writes it."""
    from dvc.utils.serialize import dumps_yaml

    return dumps_yaml(value)


def dvc_root(directory: Path) -> Path | None:
    """The DVC repository that `directory` lies in, if it lies in one."""
    above = [directory.absolute(), *directory.absolute().parents]
    return next((path for path in above if (path / ".dvc").is_dir()), None)


class Dvc:
    """The DVC repository that a project directory lies in; opened when it is first needed."""

    def __init__(self, directory: Path, root: Path):
        self.directory, self.root = directory.absolute(), root
        self._opened = None

    @property
    def _repo(self):
        if self._opened is None:
            from dvc.repo import Repo

            self._opened = Repo(str(self.root))
            self._opened.scm_context.quiet = True
        return self._opened

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._opened is not None:
            self._opened.close()

    def commit(self, entries: Iterable[dict[str, Any]], in_git: set[str]) -> None:
        """Puts the outputs of lock entries into the cache, and the entries into the run-cache, as `dvc commit` does.

        It leaves the files alone, which `dvc commit` may link anew. in_git: outputs that git is not told to ignore.
        Raises InputError when another DVC command is at work in the repository.
        """
        with self._quietly(), self._repo.lock:
            for entry in entries:
                self.keep({out["path"]: (out["md5"], out["size"]) for out in entry["outs"]})
                for out in entry["outs"]:
                    if out["path"] not in in_git:
                        self._repo.scm_context.ignore(str(self.directory / out["path"]))
                self._remember(entry)

    def keep(self, made: dict[str, tuple[str, int]]) -> None:
        """Puts files into the cache that it lacks: git holds some, which no pull brings. made: md5 and size by path."""
        for path, (md5, _) in made.items():
            if not self.cached(md5).is_file():
                cache = self._repo.cache.local
                cache.add(str(self.directory / path), cache.fs, md5)

    def _remember(self, entry: dict[str, Any]) -> None:
        """Puts a lock entry into the run-cache."""
        key, value = _run_key(entry), _run_key(entry, outs=True)
        path = Path(self._repo.stage_cache._get_cache_path(key, value))
        if not path.exists():
            files.write_text(path, yaml_text(entry))

    def add(self, path: Path) -> None:
        """`dvc add` of a file or folder that no job makes."""
        with self._quietly():
            self._repo.add(str(path))

    def cached(self, md5: str) -> Path:
        """Where the cache has, or would have, the file of this digest."""
        return Path(self._repo.cache.local.oid_to_path(md5))

    def pull(self, md5s: Iterable[str]) -> None:
        """Fetches the files of these digests from the remote, as far as it has them, into the cache."""
        with self._reaching():
            self._repo.cloud.pull(_hashes(md5s))

    def push(self, md5s: Iterable[str]) -> None:
        """`dvc push --run-cache`, and the files of these digests too: those that git holds DVC would not push."""
        with self._reaching():
            self._repo.push(run_cache=True)
            if failed := self._repo.cloud.push(_hashes(md5s)).failed:
                raise OSError(f"{len(failed)} files could not be sent")

    def earlier(self, entry: dict[str, Any]) -> list[dict[str, Any]]:
        """The lock entries of the run-cache for the cmd, deps and params of `entry`, the newest first."""
        folder = Path(self._repo.stage_cache._get_cache_dir(_run_key(entry)))
        named = [path for path in folder.glob("*") if re.fullmatch("[0-9a-f]{64}", path.name)]
        found = sorted(named, key=lambda path: path.stat().st_mtime_ns, reverse=True)
        return [earlier for earlier in map(read_yaml, found) if earlier.get("outs")]

    @contextmanager
    def _reaching(self):
        """One line for whatever a remote's library raises: each has errors of its own."""
        try:
            with self._quietly():
                yield
        except InputError:
            raise
        except Exception as error:
            what = f"DVC's remote cannot be reached: {type(error).__name__}: {' '.join(str(error).split())[:200]}"
            raise InputError(self.root, what, fix="`dvc remote list` says which; see README.md") from None

    @contextmanager
    def _quietly(self):
        from dvc.exceptions import DvcException
        from dvc.lock import LockError

        try:
            yield
        except LockError:
            raise InputError(
                self.root, "another DVC command is at work", fix="wait, then run again"
            ) from None
        except DvcException as error:
            raise InputError(self.directory / "dvc.yaml", " ".join(str(error).split())) from None


def _run_key(entry: dict[str, Any], outs: bool = False) -> str:
    """What the run-cache names an entry by: all of it, or all but what came out."""
    from dvc.stage.cache import _get_cache_hash

    return _get_cache_hash({**entry}, key=not outs)


def _hashes(md5s: Iterable[str]) -> set:
    from dvc_data.hashfile.hash_info import HashInfo

    return {HashInfo("md5", md5) for md5 in md5s}
