"""All that evaltrail does with Snakemake's inner parts, which may move: snakemake is pinned to 9.27 for it.

`prepare` is called once at the top of the Snakefile. It changes how this one workflow object builds its graph:
one run at a time in a directory, no outputs of unknown origin, an interrupted job redone without a flag.
"""

import dataclasses
import fcntl
import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

from evaltrail import files
from evaltrail.errors import InputError

SNAKEFILE = Path(__file__).parents[2] / "Snakefile"
LOCK = Path(".snakemake/evaltrail.lock")
LARGEST_CHECKSUM = 10**12  # bytes; Snakemake's own limit of 1 MB would rerun on a mere touch of a larger file

_held = []  # the lock's open file: the lock lasts as long as the process


def prepare(workflow) -> None:
    """Makes plain `snakemake TARGET` right for evaltrail: cores, environment of the jobs, safe graph building."""
    if workflow.config_settings.overwrite_config:
        sys.exit("evaltrail: --config is not read; edit params.yaml, the only configuration")
    settings = workflow.resource_settings
    if settings.cores is None and settings.nodes is None:
        settings.cores = len(os.sched_getaffinity(0))
        workflow.global_resources["_cores"] = settings.cores
    # Jobs run the `python` beside the running snakemake, with or without an activated environment.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    if mirror := os.environ.get("EVALTRAIL_MIRROR"):
        # relative to where the command was typed, not to --directory
        os.environ["EVALTRAIL_MIRROR"] = os.path.join(workflow.rundir, mirror)
    build = workflow._build_dag

    def build_safely():
        main = workflow.exec_mode == workflow.exec_mode.DEFAULT
        if main and not workflow.dryrun:
            _lock(workflow)
        workflow.dag_settings = dataclasses.replace(
            workflow.dag_settings, force_incomplete=True, max_checksum_file_size=LARGEST_CHECKSUM
        )
        workflow.dag.max_checksum_file_size = LARGEST_CHECKSUM
        build()
        if main and not os.environ.get("DVC_STAGE"):
            _refuse_unknown(workflow)

    workflow._build_dag = build_safely


class UnknownOutputs(SystemExit):
    """Ends the run: `paths` exist, would be taken for current, and were not made by this directory's Snakemake."""

    def __init__(self, paths: list[str]):
        self.paths = paths
        super().__init__(
            "\n".join(
                [
                    f"evaltrail: {len(paths)} outputs were not made here, so nothing tells whether they are current:",
                    *(f"  {path}" for path in paths),
                    "Run `evaltrail restore` in this directory, then run again (`make TARGET` does both).",
                ]
            )
        )


def _refuse_unknown(workflow) -> None:
    """Raises UnknownOutputs. What a job will make anew in this run, as after a kill, is not taken for current."""
    paths = sorted(
        str(path)
        for job in workflow.dag.jobs
        if not workflow.dag.needrun(job)
        for path in job.output
        if os.path.lexists(path) and workflow.persistence.metadata(path) is None
    )
    if paths:
        raise UnknownOutputs(paths)


def _lock(workflow) -> None:
    """Takes the directory for this process. What a killed run left behind is void: its locks, its partial files."""
    LOCK.parent.mkdir(exist_ok=True)
    file = open(LOCK, "w")  # noqa: SIM115 - open as long as the process runs
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"evaltrail: another run is at work in {os.getcwd()}; wait for it to end, then run again")
    _held.append(file)
    workflow.persistence.cleanup_locks()
    Path(".snakemake/locks").mkdir(exist_ok=True)  # cleanup removes the folder too, and lock() expects it
    files.sweep("data", "results")


def unknown_outputs(directory: Path) -> list[str]:
    """The paths of UnknownOutputs for all that can be made in `directory`, in order.

    Raises InputError when the graph cannot be built: a source is missing, or another run is at work.
    """
    from snakemake.api import SnakemakeApi
    from snakemake.settings.types import DAGSettings, OutputSettings, Quietness, ResourceSettings

    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        opened = api.workflow(
            resource_settings=ResourceSettings(cores=1), snakefile=SNAKEFILE, workdir=directory.absolute()
        )
        opened.dag(DAGSettings(targets={"everything"}))
        workflow = opened._workflow
        workflow._prepare_dag(forceall=False, ignore_incomplete=True, lock_warn_only=False)
        try:
            workflow._build_dag()
        except UnknownOutputs as unknown:
            return unknown.paths
        except WorkflowError as error:
            raise InputError(directory, " ".join(str(error).split())) from None
        return []
