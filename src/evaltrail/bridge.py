"""All that evaltrail does with the inner parts of Snakemake, which may move: it is pinned for it."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from evaltrail.errors import InputError

SOURCE = Path(__file__).resolve().parents[1]
SNAKEFILE = SOURCE.parent / "Snakefile"
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

    if not os.path.lexists(path):
        return False
    record = workflow.persistence.metadata(IOFile(path, rule=None))
    return record is not None and record.endtime == os.path.getmtime(path)


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
        _make_missing(workflow)
        build()
        after(Graph(workflow))

    workflow._build_dag = build_between


def _make_missing(workflow) -> None:
    """Has each job run of which an output is missing, where an output behind it would be taken for current.

    Snakemake takes note of a failed job as of one that succeeded, and misses an output only where a job that runs
    anyway reads it: the next run would find nothing to do.
    """
    dag = workflow.dag
    check = dag.check_incomplete

    async def check_and_force():
        await check()
        for job in dag.jobs:
            missing = [path for path in job.output if not os.path.lexists(path)]
            behind = (path for user in dag.bfs(dag.depending, job) for path in user.output)
            if missing and any(as_left(workflow, path) for path in behind):
                dag.forcefiles.update(missing)

    dag.check_incomplete = check_and_force


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
