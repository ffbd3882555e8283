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

SNAKEFILE = Path(__file__).parents[2] / "Snakefile"
LOCK = Path(".snakemake/evaltrail.lock")
LARGEST_CHECKSUM = 10**12  # bytes; Snakemake's own limit of 1 MB would rerun on a mere touch of a larger file

_held = []  # the lock's open file: the lock lasts as long as the process


def prepare(workflow) -> None:
    """Makes plain `snakemake TARGET` right for evaltrail: cores, environment of the jobs, safe graph building."""
    if workflow.config_settings.overwrite_config:
        raise WorkflowError("--config is not read; edit params.yaml, the only configuration")
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
            _refuse(unknown_outputs(workflow))

    workflow._build_dag = build_safely


def unknown_outputs(workflow) -> list[str]:
    """The existing outputs of the graph's jobs that Snakemake has no record of having made."""
    return sorted(
        str(path)
        for job in workflow.dag.jobs
        for path in job.output
        if os.path.lexists(path) and workflow.persistence.metadata(path) is None
    )


def _refuse(unknown: list[str]) -> None:
    if unknown:
        raise WorkflowError(
            f"{len(unknown)} outputs are here that this directory's Snakemake did not make, so nothing tells whether "
            "they are current:\n" + "\n".join(f"  {path}" for path in unknown) + "\n"
            "Run `evaltrail restore` here, then run again (`make TARGET` does both)."
        )


def _lock(workflow) -> None:
    """Takes the directory for this process; a lock that a killed run left behind is void."""
    LOCK.parent.mkdir(exist_ok=True)
    file = open(LOCK, "w")  # noqa: SIM115 - open as long as the process runs
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise WorkflowError(
            f"Another run is at work in {os.getcwd()}; wait for it to end, then run again."
        ) from None
    _held.append(file)
    workflow.persistence.cleanup_locks()
    Path(".snakemake/locks").mkdir(exist_ok=True)  # cleanup removes the folder too, and lock() expects it


def unknown_outputs_in(directory: Path) -> list[str]:
    """`unknown_outputs` of all that the Snakefile beside this package can make in `directory`.

    Raises WorkflowError when the graph cannot be built.
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
        workflow._build_dag()
        return unknown_outputs(workflow)
