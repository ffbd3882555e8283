"""All that evaltrail does with Snakemake's inner parts, which may move: snakemake is pinned to 9.27 for it.

`prepare` is called once at the top of the Snakefile. It changes how this one workflow object builds its graph:
one run at a time in a directory, no outputs of unknown origin, an interrupted job redone without a flag.
"""

import atexit
import dataclasses
import difflib
import fcntl
import os
import secrets
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.io import IOFile

from evaltrail import files
from evaltrail.errors import InputError

SOURCE = Path(__file__).resolve().parents[1]
SNAKEFILE = SOURCE.parent / "Snakefile"
LARGEST_CHECKSUM = 10**12  # bytes; Snakemake's own limit of 1 MB would rerun on a mere touch of a larger file

ENDED = "ended"  # stands in the lock in place of the token of a run that came to its end

_held = []  # the lock's open file: the lock lasts as long as the process


def prepare(workflow) -> None:
    """Makes plain `snakemake TARGET` right for evaltrail: cores, environment of the jobs, safe graph building."""
    if workflow.config_settings.overwrite_config:
        sys.exit("evaltrail: --config is not read; edit params.yaml, the only configuration")
    if (source := (Path(workflow.basedir) / "src").resolve()) != SOURCE:
        sys.exit(
            f"evaltrail: the code of {SOURCE} would run, not that of {source}; activate that clone's .venv"
        )
    settings = workflow.resource_settings
    if settings.cores is None and settings.nodes is None:
        settings.cores = len(os.sched_getaffinity(0))
        workflow.global_resources["_cores"] = settings.cores
    # A json.py in the project directory is not the json that a step imports.
    os.environ["PYTHONSAFEPATH"] = "1"
    # Jobs run the `python` beside the running snakemake, with or without an activated environment.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    if mirror := os.environ.get("EVALTRAIL_MIRROR"):
        # relative to where the command was typed, not to --directory
        os.environ["EVALTRAIL_MIRROR"] = os.path.abspath(os.path.join(workflow.rundir, mirror))
    build = workflow._build_dag

    def build_safely():
        main = workflow.exec_mode == workflow.exec_mode.DEFAULT
        _refuse_blind_runs(workflow)
        if main:
            _refuse_unknown_targets(workflow)
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


def _refuse_blind_runs(workflow) -> None:
    """Ends a run that would leave outputs and what Snakemake knows of them in disagreement."""
    if workflow.executor_plugin is not None and workflow.touch:
        sys.exit("evaltrail: --touch would take outputs for current that are not; run without it")
    if workflow.execution_settings is not None and not workflow.execution_settings.keep_metadata:
        sys.exit("evaltrail: --drop-metadata would leave outputs of unknown settings; run without it")


def _refuse_unknown_targets(workflow) -> None:
    """Ends a run of a target that nothing makes; the nearest that something makes is named."""
    rules = {rule.name: rule for rule in workflow.rules}
    for target in sorted(workflow.dag_settings.targets):
        if (
            target in rules
            or os.path.exists(target)
            or any(rule.is_producer(target) for rule in rules.values())
        ):
            continue
        near = difflib.get_close_matches(target, map(str, rules["everything"].input), n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else "README.md says what can be made"
        sys.exit(f"evaltrail: {target}: nothing makes this; {hint}")


class UnknownOutputs(SystemExit):
    """Ends the run: outputs would be taken for current and are not as this directory's Snakemake left them.

    paths: those outputs; behind: the outputs that were, or may have been, made from them.
    """

    def __init__(self, paths: list[str], behind: list[str]):
        self.paths, self.behind = paths, behind
        super().__init__(
            "\n".join(
                [
                    f"evaltrail: {len(paths)} outputs were not made here, or were changed since, so nothing tells",
                    "whether they are current:",
                    *(f"  {path}" for path in paths),
                    "Run `evaltrail restore` in this directory, then run again.",
                ]
            )
        )


def _refuse_unknown(workflow) -> None:
    """Raises UnknownOutputs. What a job will make anew in this run, as after a kill, is not taken for current."""
    dag = workflow.dag
    paths, queue, behind = [], [], set()
    for job in dag.jobs:
        unknown = (
            [] if dag.needrun(job) else [path for path in _existing(job) if not _as_left(path, workflow)]
        )
        paths += unknown
        queue += [job] * bool(unknown)
    while queue:
        for job in dag.depending[queue.pop()]:
            if job not in behind:
                behind.add(job)
                queue.append(job)
    if paths:
        made_from = {path for job in behind for path in _existing(job)}
        raise UnknownOutputs(sorted(map(str, paths)), sorted(map(str, made_from - set(paths))))


def _existing(job) -> list:
    return [path for path in job.output if os.path.lexists(path)]


def _as_left(path, workflow) -> bool:
    """Whether Snakemake has a record of the output and nobody has written it since."""
    record = workflow.persistence.metadata(path)
    return record is not None and record.endtime == os.path.getmtime(path)


def _lock(workflow) -> None:
    """Takes the directory for this process. What a killed run left is void: locks, partial files, late outputs."""
    files.LOCK.parent.mkdir(exist_ok=True)
    file = open(files.LOCK, "a+")  # noqa: SIM115 - open as long as the process runs
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"evaltrail: another run is at work in {os.getcwd()}; wait for it to end, then run again")
    _held.append(file)
    file.seek(0)
    killed = file.read() not in ("", ENDED)
    began = os.path.getmtime(files.LOCK)
    # Steps of a killed run may live on; with another token they put nothing in place (see files.atomic_path).
    os.environ[files.RUN] = secrets.token_hex(8)
    _write(file, os.environ[files.RUN])
    files.STOPPED.write_text("")
    atexit.register(_end, file, files.STOPPED.absolute())
    if killed:
        _remove_leftovers(workflow, began)
    workflow.persistence.cleanup_locks()
    Path(".snakemake/locks").mkdir(exist_ok=True)  # cleanup removes the folder too, and lock() expects it
    files.sweep("data", "results")


def _write(file, text: str) -> None:
    file.truncate(0)
    file.write(text)
    file.flush()


def _remove_leftovers(workflow, began: float) -> None:
    """Removes outputs that a killed run's steps put in place behind Snakemake's back, so that they are made again."""
    made_since = [
        path
        for top in ("data", "results")
        for path in map(str, Path(top).rglob("*"))
        if os.path.isfile(path) and os.path.getmtime(path) >= began
    ]
    for path in made_since:
        is_output = any(rule.is_producer(path) for rule in workflow.rules)
        if is_output and not _as_left(IOFile(path, rule=None), workflow):
            os.unlink(path)


def _end(file, stopped: Path) -> None:
    """Marks the run as ended, and says the steps' own lines once more, below all that Snakemake says."""
    _write(file, ENDED)
    lines = stopped.read_text(encoding="utf-8").splitlines() if stopped.is_file() else []
    if lines:
        print("\nWhat stopped the run:", *(f"  {line}" for line in lines), sep="\n", file=sys.stderr)


def unknown_outputs(directory: Path, targets: list[str]) -> UnknownOutputs | None:
    """What a run of the targets, or of all that can be made in `directory`, would refuse; None for nothing.

    Raises InputError when the graph cannot be built: a source is missing, or another run is at work.
    """
    from snakemake.api import SnakemakeApi
    from snakemake.settings.types import DAGSettings, OutputSettings, Quietness, ResourceSettings

    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api:
        opened = api.workflow(
            resource_settings=ResourceSettings(cores=1), snakefile=SNAKEFILE, workdir=directory.absolute()
        )
        opened.dag(DAGSettings(targets=set(targets or ["everything"])))
        workflow = opened._workflow
        workflow._prepare_dag(forceall=False, ignore_incomplete=True, lock_warn_only=False)
        try:
            workflow._build_dag()
        except UnknownOutputs as unknown:
            return unknown
        except WorkflowError as error:
            raise InputError(directory, " ".join(str(error).split())) from None
        return None
