"""evaltrail verify: the files of a project directory against dvc.lock, and with --rederive against their derivation.

Findings come in the order of the chain, so the first one names the first file that is not as it should be.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from evaltrail import ledger, repository, stages
from evaltrail.bridge import SNAKEFILE, Job
from evaltrail.errors import InputError
from evaltrail.guard import NO_RECORD
from evaltrail.ledger import RESPONSES, Ledger, digest, logged_segments
from evaltrail.live import REPLAY

CHANGED = "it was changed after it was recorded"
GIVEN = "fetch"  # the rule whose files are taken as they are: all others follow from them and from the response log


class Finding(NamedTuple):
    """What is not as it should be: the file, what is wrong with it, and why."""

    path: str
    what: str
    cause: str

    def __str__(self):
        return f"{self.path}: {self.what}; {self.cause}"


def verify(directory: Path, rederive: bool = False) -> tuple[int, list[Finding]]:
    """How many files were held against dvc.lock, and what was found. rederive: also compute all again, offline.

    Raises InputError when there is no dvc.lock to hold them against.
    """
    if repository.dvc_root(directory) is None or not (directory / "dvc.lock").exists():
        fix = "`evaltrail record` makes it in a DVC repository"
        raise InputError(directory / "dvc.lock", "no such file", fix=fix)
    with ledger.open_ledger(directory) as book:
        findings = list(_against_lock(book))
        checked = {path for entry in book.locked.values() for path in _paths(entry)}
        findings += _responses(book)
        if rederive:
            findings += _rederived(book, {finding.path for finding in findings})
    return len(checked), findings


def _paths(entry: dict[str, Any]) -> list[str]:
    return [file["path"] for file in [*entry.get("deps", []), *entry["outs"]]]


def _against_lock(book: Ledger) -> Iterator[Finding]:
    for job in book.graph.jobs:
        if book.names[job] in book.locked:
            yield from _job_against_lock(book, job, book.locked[book.names[job]])
        else:
            for path in filter(os.path.isfile, job.outputs):
                yield Finding(
                    path, "is in no stage of dvc.lock", "it was not recorded, or its stage was removed"
                )
    for name in book.locked.keys() - set(book.names.values()):
        yield Finding(
            "dvc.lock", f"the stage {name} is none of the jobs", "params.yaml was changed since: run `make`"
        )


def _job_against_lock(book: Ledger, job: Job, entry: dict[str, Any]) -> Iterator[Finding]:
    name = book.names[job]
    made = {
        path: md5 for maker in book.graph.makers(job) for path, (md5, _) in book.recorded_outs(maker).items()
    }
    for dep in entry.get("deps", []):
        path, md5 = dep["path"], dep.get("md5")
        if path in made and made[path] != md5:
            cause = "dvc.lock was changed, or not all was run since"
            yield Finding("dvc.lock", f"{name} was made from another {path} than its stage has", cause)
        elif path not in made:
            yield from _file(path, md5, CHANGED)
    for path, (md5, _) in book.recorded_outs(job).items():
        yield from _file(path, md5, _cause(book, job, path))
    for path in book.broken_pins(job):
        yield Finding(path, "is not the file that was fetched: its sha256 is another", CHANGED)
    if (recorded := book.recorded_spec(job)) != job.spec:
        changed = ", ".join(stages.spec_changes(recorded, job.spec))
        cause = "run `make`, or take the params back"
        yield Finding(job.outputs[0], f"was made under other settings ({changed})", cause)
    elif all(map(os.path.isfile, _paths(entry))) and (wrong := _other_parts(book, job, entry)):
        yield Finding(
            "dvc.lock", f"{name} is not as the job has it: {', '.join(wrong)}", "it was changed by hand"
        )


def _other_parts(book: Ledger, job: Job, entry: dict[str, Any]) -> list[str]:
    """The parts of a lock entry that are not those that a record would write, digests aside."""
    paths = [*job.inputs, *job.outputs]
    if not all(map(os.path.isfile, paths)):
        return ["deps"]
    expected = book.entry(job, {path: digest(path) for path in paths})
    plain = [
        {**each, **{part: _without_md5(each.get(part, [])) for part in ("deps", "outs")}}
        for each in (expected, entry)
    ]
    return sorted(part for part in {**expected, **entry} if plain[0].get(part) != plain[1].get(part))


def _without_md5(files: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in file.items() if key not in ("md5", "size")} for file in files]


def _file(path: str, md5: str | None, cause: str, record="dvc.lock") -> Iterator[Finding]:
    if not os.path.isfile(path):
        yield Finding(path, "is missing", "`dvc pull` or `evaltrail restore` brings it")
    elif digest(path)[0] != md5:
        yield Finding(path, f"is not the file that {record} records", cause)


def _cause(book: Ledger, job: Job, path: str) -> str:
    """Who is to blame when a file and its stage differ: the stages that read the file tell."""
    entries = [book.locked.get(book.names[user], {}) for user in book.graph.users(job)]
    seen = {dep.get("md5") for entry in entries for dep in entry.get("deps", []) if dep["path"] == path}
    if os.path.isfile(path) and seen == {digest(path)[0]}:
        return "dvc.lock was changed: the stages that read the file have it as it is"
    return CHANGED


def _responses(book: Ledger) -> Iterator[Finding]:
    """The segments of the response log against the list that DVC keeps of them."""
    for path, md5 in logged_segments(book.dvc):
        yield from _file(str(path), md5, "what was once logged may not change", RESPONSES.with_suffix(".dvc"))


def _rederived(book: Ledger, known: set[str]) -> Iterator[Finding]:
    """The first file that comes out otherwise when all is computed again from the raw files and the log."""
    made = [job for job in book.graph.jobs if any(map(os.path.isfile, job.outputs))]
    jobs = [job for job in made if job.rule != GIVEN]
    with tempfile.TemporaryDirectory(prefix="evaltrail.") as name:
        scratch = Path(name)
        _prepare(book, scratch)
        stopped = _run(scratch, [path for job in jobs for path in job.outputs])
        pairs = [(job, path) for job in jobs for path in job.outputs]
        differing = [(job, path) for job, path in pairs if not _same(Path(path), scratch / path)]
        if not differing:
            return
        job, path = differing[0]
        if not (scratch / path).is_file():
            yield Finding(path, "could not be computed again", stopped)
            return
        what = (
            f"comes out otherwise when it is computed again, {_first_difference(Path(path), scratch / path)}"
        )
        behind = f"; so do {len(differing) - 1} files behind it" if len(differing) > 1 else ""
        yield Finding(path, what, _why(book, job, path, known) + behind)


def _prepare(book: Ledger, scratch: Path) -> None:
    """A project directory with the params, sources and raw files of this one, in which only the raw files are made."""
    written = json.loads(json.dumps(book.written))
    for dataset in written["datasets"].values():
        if dataset["source"] != "published":
            dataset["source"] = os.path.abspath(dataset["source"])
        _link_model(dataset.get("encoder") or {}, scratch)
    (scratch / "params.yaml").write_text(json.dumps(written))
    made = {path for job in book.graph.jobs for path in job.outputs}
    given = [path for job in book.graph.jobs if job.rule == GIVEN for path in job.outputs]
    people = [path for job in book.graph.jobs if job.rule != GIVEN for path in job.inputs if path not in made]
    for path in filter(os.path.isfile, [*given, *people]):
        (scratch / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, scratch / path)
    if RESPONSES.is_dir():
        shutil.copytree(RESPONSES, scratch / RESPONSES)


def _link_model(encoder: dict[str, Any], scratch: Path) -> None:
    """A model in the project's folder is found at the same path in `scratch`: the path stands in what is made."""
    path = Path(encoder.get("model", "/"))
    if not path.is_absolute() and ".." not in path.parts and path.exists():
        (scratch / path).parent.mkdir(parents=True, exist_ok=True)
        (scratch / path).symlink_to(path.absolute())


def _run(scratch: Path, targets: list[str]) -> str:
    """Makes the targets in `scratch`; what stopped it, if anything did."""
    subprocess.run([sys.executable, "-m", __name__, str(scratch)], check=True)
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(SNAKEFILE), "--directory", str(scratch)]
    environment = {**os.environ, REPLAY: "1", NO_RECORD: "1"}
    ran = subprocess.run(
        [*command, "--keep-going", "--", *targets], capture_output=True, text=True, env=environment
    )
    return (ran.stderr.strip().splitlines() or [""])[-1].strip()


def _mark_given(scratch: str) -> None:
    """Makes the raw files in `scratch` current for Snakemake. In a process of its own: a process has one directory."""
    with ledger.open_ledger(Path(scratch)) as book:
        for job in book.graph.jobs:
            if job.rule == GIVEN and all(map(os.path.isfile, job.outputs)):
                book.graph.mark(job)


def _same(one: Path, other: Path) -> bool:
    return one.is_file() and other.is_file() and digest(one) == digest(other)


def _first_difference(here: Path, again: Path) -> str:
    if not here.is_file():
        return "it is missing here"
    with open(here, "rb") as one, open(again, "rb") as other:
        for row, (left, right) in enumerate(zip_longest(one, other, fillvalue=b""), start=1):
            if left != right:
                return f"row {row} is {_shown(left)}, and again {_shown(right)}"
    return "nothing"


def _shown(line: bytes, width: int = 120) -> str:
    text = line.decode("utf-8", "replace").strip()
    return f"`{text[:width]}...`" if len(text) > width else f"`{text}`"


def _why(book: Ledger, job: Job, path: str, known: set[str]) -> str:
    if (recorded := book.recorded_spec(job)) != job.spec:
        return f"other settings since: {', '.join(stages.spec_changes(recorded, job.spec))}"
    if path in known:
        return CHANGED
    return "its inputs are the same: file and dvc.lock were changed together, or the step gives other bytes each time"


if __name__ == "__main__":
    _mark_given(sys.argv[1])
