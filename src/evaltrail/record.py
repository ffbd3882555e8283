"""evaltrail record: what is current goes into DVC's cache, and how it was made into dvc.lock."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from evaltrail import files, jsonl, ledger, repository, stages
from evaltrail.bridge import Job
from evaltrail.errors import InputError
from evaltrail.ledger import RESPONSES, Ledger

HEADER = "# Made by `evaltrail record` from Snakemake's graph of jobs, one stage a job. Not to be edited.\n"
NO_LEDGER = ".snakemake/evaltrail.no-ledger"  # stands where it was said that this is no DVC repository


def record(directory: Path, after_run: bool = False, push: bool = False) -> None:
    """Records every file that is proven current; what was recorded before and is not current now stays as it was.

    A file is current when its job needs not run, its bytes are as the job left them, and all that it was made from is
    current. dvc.lock is written last and whole, so a record that was killed is finished by the next.
    after_run: a directory that is no DVC repository is no error, and is told of only once.
    push: what is recorded goes to DVC's remote as well, with the run-cache.
    Raises InputError for files that are not as dvc.lock has them although they were made from the same; all others
    are recorded all the same.
    """
    if repository.dvc_root(directory) is None:
        _no_repository(directory, after_run)
        return
    with ledger.open_ledger(directory) as book:
        current, contradicted = book.current()
        entries = {book.names[job]: book.entry(job, book.digests) for job in current}
        known = {name: book.locked[name] for name in book.names.values() if name in book.locked}
        in_git = _in_git([path for job in book.graph.jobs for path in job.outputs])
        _write_stages(book, {**known, **entries}, in_git)
        book.dvc.commit(entries.values(), in_git)
        _write_lock({**known, **entries})
        _tell(
            book, current, [entry for name, entry in entries.items() if known.get(name) != entry], after_run
        )
        if RESPONSES.is_dir():
            _check_log(book)
            book.dvc.add(RESPONSES)
        if push:
            book.dvc.push(out["md5"] for entry in entries.values() for out in entry["outs"])
    if contradicted:
        what = "differs from what dvc.lock records of the same inputs and settings"
        fix = "`evaltrail restore` clears it; to keep the new bytes remove its stage from dvc.lock and record again"
        raise InputError(contradicted[0], what, fix=fix)


def _tell(book: Ledger, current: list[Job], changed: list[dict], after_run: bool) -> None:
    """What was recorded; and when a person asks, what was not."""
    if changed:
        count = sum(len(entry["outs"]) for entry in changed)
        print(f"evaltrail: recorded {count} files in dvc.lock", file=sys.stderr)
    others = [
        path for job in book.graph.jobs if job not in current for path in job.outputs if os.path.isfile(path)
    ]
    if others and not after_run:
        more = f" (and {len(others) - 1} more)" if others[1:] else ""
        print(f"evaltrail: {others[0]}{more}: not recorded, for nothing proves it current", file=sys.stderr)


def _check_log(book: Ledger) -> None:
    """Raises InputError for a segment that lost or changed what was recorded of it: segments only grow."""
    for path, md5 in ledger.logged_segments(book.dvc):
        logged = book.dvc.cached(md5)
        size = logged.stat().st_size if logged.is_file() else None
        if not path.is_file() or size is None or _digest_of_beginning(path, size) != md5:
            what = "is not what was recorded of this segment, and more"
            raise InputError(
                path, what, fix="bring it back (`dvc checkout data/responses.dvc`): a log only grows"
            )


def _digest_of_beginning(path: Path, size: int) -> str:
    """The md5 of the first `size` bytes of a file."""
    with open(path, "rb") as file:
        return hashlib.md5(file.read(size), usedforsecurity=False).hexdigest()


def _no_repository(directory: Path, after_run: bool) -> None:
    what, fix = "is no DVC repository, so nothing was recorded", "`dvc init` makes it one"
    if not after_run:
        raise InputError(directory, what, fix=fix)
    told = directory / NO_LEDGER
    if not told.exists():
        print(f"evaltrail: this directory {what}; {fix}", file=sys.stderr)
        told.touch()


def _write_stages(book: Ledger, recorded, in_git: set[str]) -> None:
    """specs.json and dvc.yaml, with the stages whose names are `recorded`."""
    jobs = {name: job for job, name in book.names.items() if name in recorded}
    made = {
        name: stages.stage(jobs[name], name, book.params, book.written, in_git.__contains__)
        for name in sorted(jobs)
    }
    yaml = Path("dvc.yaml")
    if yaml.exists() and not yaml.read_bytes().startswith(HEADER.encode()):
        fix = "move its stages to the dvc.yaml of another folder"
        raise InputError(yaml, "was not made by evaltrail and would be lost", fix=fix)
    specs = jsonl.encode(
        {name: _spec(book, jobs[name], recorded[name]) for name in sorted(jobs)}, indent=2
    ).decode()
    _write("specs.json", specs + "\n")
    _write("dvc.yaml", HEADER + repository.yaml_text({"stages": made}))


def _spec(book: Ledger, job: Job, entry: dict) -> str:
    """The job's spec. Where its outputs are not of that spec, `dvc commit` must not make them look so."""
    is_made = stages.spec_of(entry, book.names[job]) == job.spec
    return job.spec if is_made else f"not made yet: {job.spec}"


def _write_lock(entries) -> None:
    _write("dvc.lock", repository.yaml_text({"schema": "2.0", "stages": dict(sorted(entries.items()))}))


def _write(path: str, text: str) -> None:
    """Writes a file whose text is another; one that is the same is not touched."""
    if not Path(path).exists() or Path(path).read_bytes() != text.encode():
        files.write_text(path, text)


def _in_git(paths: list[str]) -> set[str]:
    """Those of `paths` that git holds: any that it tracks, and tables and metrics that it is not told to ignore."""
    tracked = _git("ls-files", "-z")
    if tracked is None:
        return set()
    ignored = _git("check-ignore", "-z", "--stdin", names="\0".join(paths)) or set()
    return tracked.intersection(paths) | {
        path for path in paths if stages.is_small(path) and path not in ignored
    }


def _git(*command: str, names: str = "") -> set[str] | None:
    """The paths that a git command lists, of those that it is given; None outside of a git repository."""
    try:
        found = subprocess.run(["git", *command], input=names, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return None if found.returncode == 128 else set(filter(None, found.stdout.split("\0")))
