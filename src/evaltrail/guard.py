"""What makes plain `snakemake TARGET` safe: one run at a time, no outputs of unknown origin, no blind flags.

`prepare` is called once at the top of the Snakefile; `record` once a run has succeeded.
"""

import atexit
import difflib
import fcntl
import os
import secrets
import subprocess
import sys
from pathlib import Path

from evaltrail import bridge, files
from evaltrail.bridge import SOURCE, Graph, Job

NO_RECORD = "EVALTRAIL_NO_RECORD"  # in the environment of a run that makes nothing to keep
REMOVED = Path(".snakemake/evaltrail.removed")
ENDED = "ended"  # stands in the lock in place of the token of a run that came to its end

_held = []  # the lock's open file: the lock lasts as long as the process


def prepare(workflow) -> None:
    """Cores, environment of the jobs, and what stands around the building of the graph."""
    if workflow.config_settings.overwrite_config:
        sys.exit("evaltrail: --config is not read; edit params.yaml, the only configuration")
    if (source := (Path(workflow.basedir) / "src").resolve()) != SOURCE:
        sys.exit(
            f"evaltrail: the code of {SOURCE} would run, not that of {source}; activate that clone's .venv"
        )
    bridge.set_cores(workflow)
    # A json.py in the project directory is not the json that a step imports.
    os.environ["PYTHONSAFEPATH"] = "1"
    # Jobs run the `python` beside the running snakemake, with or without an activated environment.
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    if mirror := os.environ.get("EVALTRAIL_MIRROR"):
        # relative to where the command was typed, not to --directory
        os.environ["EVALTRAIL_MIRROR"] = os.path.abspath(os.path.join(workflow.rundir, mirror))
    main = workflow.exec_mode == workflow.exec_mode.DEFAULT

    def before():
        _refuse_blind_runs(workflow)
        if main:
            _refuse_unknown_targets(workflow)
        if main and not workflow.dryrun:
            _lock(workflow)

    def after(graph):
        if main and not os.environ.get("DVC_STAGE"):
            _refuse_unknown(graph)

    bridge.on_build(workflow, before, after)


def record() -> None:
    """Has the ledger record what the run made; within a DVC stage DVC itself does."""
    if os.environ.get("DVC_STAGE") or os.environ.get(NO_RECORD):
        return
    if subprocess.run([sys.executable, "-m", "evaltrail", "record", "--after-run"]).returncode:
        sys.exit("evaltrail: all was made, but not all was recorded: see above, then run `evaltrail record`")


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
        if target in rules or os.path.exists(target) or bridge.makes(workflow, target):
            continue
        near = difflib.get_close_matches(target, map(str, rules["everything"].input), n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else "README.md says what can be made"
        sys.exit(f"evaltrail: {target}: nothing makes this; {hint}")


class UnknownOutputs(SystemExit):
    """Ends the run: outputs would be taken for current and are not as this directory's Snakemake left them."""

    def __init__(self, paths: list[str]):
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


def _refuse_unknown(graph: Graph) -> None:
    """Raises UnknownOutputs. What a job will make anew in this run, as after a kill, is not taken for current."""
    if paths := [path for job in graph.jobs if not graph.needs_run(job) for path in unknown(graph, job)]:
        raise UnknownOutputs(sorted(paths))


def unknown(graph: Graph, job: Job) -> list[str]:
    """The job's outputs that are there and are not as this directory's Snakemake left them."""
    return [path for path in job.outputs if os.path.lexists(path) and not graph.as_left(path)]


def _lock(workflow) -> None:
    """Takes the directory for this process. What a killed run left is void for a run: locks, partial files, outputs."""
    files.LOCK.parent.mkdir(exist_ok=True)
    if _held:
        return
    token = os.environ.get(files.RUN)
    if token and files.LOCK.exists() and files.LOCK.read_text() == token:
        return  # this process is part of the run that has the directory
    file = open(files.LOCK, "a+")  # noqa: SIM115 - open as long as the process runs
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"evaltrail: another run is at work in {os.getcwd()}; wait for it to end, then run again")
    _held.append(file)
    if workflow.executor_plugin is None:
        return  # no run: the ledger looks at the graph, and starts no steps that could outlive it
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
    """Takes away outputs that a killed run's steps put in place behind Snakemake's back: they are made again."""
    made_since = [
        path
        for top in ("data", "results")
        for path in map(str, Path(top).rglob("*"))
        if os.path.isfile(path) and os.path.getmtime(path) >= began
    ]
    for path in made_since:
        if bridge.makes(workflow, path) and not bridge.as_left(workflow, path):
            set_aside(path)


def set_aside(path: str) -> None:
    """Moves a file out of the way of what is to be made: it may be a person's work, so none before it is lost."""
    kept = REMOVED / path
    kept.parent.mkdir(parents=True, exist_ok=True)
    count = 0
    while os.path.lexists(kept):
        count += 1
        kept = kept.with_name(f"{Path(path).name}.{count}")
    os.replace(path, kept)


def _end(file, stopped: Path) -> None:
    """Marks the run as ended, and says the steps' own lines once more, below all that Snakemake says."""
    _write(file, ENDED)
    lines = stopped.read_text(encoding="utf-8").splitlines() if stopped.is_file() else []
    if lines:
        print("\nWhat stopped the run:", *(f"  {line}" for line in lines), sep="\n", file=sys.stderr)
