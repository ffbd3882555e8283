"""Killed, out of disk, not allowed to write: no half file takes its final name, and the next run gives the same bytes."""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from conftest import BIN, REPO, copy_of, files, responses_file, snakemake, write_json, write_project

STEPS = ("fetch", "extract", "render", "generate", "cut", "predict", "score", "tables", "report")

# Python runs this before anything else. In the step named by KILL_STEP the file being written is torn in half and
# the step is killed, alone or with the whole run.
SITECUSTOMIZE = """\
import os, signal, sys
if f"evaltrail.{os.environ.get('KILL_STEP')}" in sys.orig_argv:
    def tear(descriptor):
        open(os.environ["TORN"], "w").close()
        os.ftruncate(descriptor, os.fstat(descriptor).st_size // 2)
        os.killpg(0, signal.SIGKILL) if os.environ["KILL_ALL"] else os.kill(os.getpid(), signal.SIGKILL)
    os.fsync = tear
"""


def start(project: Path, **environment: str) -> subprocess.Popen:
    """Starts the workflow as the leader of a process group of its own."""
    command = [BIN / "snakemake", "--snakefile", REPO / "Snakefile", "--directory", project]
    merged = {**os.environ, **environment}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, env=merged, start_new_session=True, **quiet)


def site(folder: Path, code: str) -> str:
    """A PYTHONPATH on which every Python runs `code` first."""
    (folder / "site").mkdir()
    (folder / "site/sitecustomize.py").write_text(code)
    return f"{folder}/site:{REPO}/src"


def wait_for(path: Path) -> None:
    for _ in range(1200):
        if path.exists():
            return
        time.sleep(0.05)
    raise AssertionError(f"{path} did not appear within a minute")


def whole(project: Path) -> dict[str, bytes]:
    return {path: content for path, content in files(project).items() if not path.endswith(".partial")}


def assert_all_whole(project: Path, reference: dict[str, bytes]) -> None:
    assert {path: reference.get(path) for path in whole(project)} == whole(project)


def assert_next_run_gives(project: Path, reference: dict[str, bytes]) -> None:
    result = snakemake(project)
    assert result.returncode == 0, result.stderr
    assert files(project) == reference  # no partial file is left either


def kill(step: str, everything: str, project: Path, tmp_path: Path) -> None:
    """Runs the workflow until `step` is killed in the middle of a file, with the whole run if `everything`."""
    torn = tmp_path / "torn"
    environment = {"PYTHONPATH": site(tmp_path, SITECUSTOMIZE), "KILL_STEP": step, "KILL_ALL": everything}
    assert start(project, TORN=str(torn), **environment).wait(timeout=120) != 0
    assert torn.exists(), "the step was not killed while it wrote"


@pytest.mark.parametrize("everything", ["", "1"], ids=["the step alone", "the whole run"])
@pytest.mark.parametrize("step", STEPS)
def test_killed_in_the_middle_of(step, everything, finished, project, tmp_path):
    kill(step, everything, project, tmp_path)
    assert_all_whole(project, files(finished))
    assert_next_run_gives(project, files(finished))


@pytest.fixture(scope="module")
def edited(tmp_path_factory) -> Path:
    """All made after the edit."""
    project = edit(write_project(tmp_path_factory.mktemp("edited") / "project"))
    assert snakemake(project).returncode == 0
    return project


def edit(project: Path) -> Path:
    """Another reply of one system, so that nothing but that system's jobs asks for what the killed step makes."""
    file = responses_file(project, "second_CoT")
    text = file.read_text()
    assert text.count("answer is B.") == text.count('"extract": "B"') == 1
    file.write_text(text.replace("answer is B.", "answer is A.").replace('"extract": "B"', '"extract": "A"'))
    return project


@pytest.mark.parametrize("everything", ["", "1"], ids=["the step alone", "the whole run"])
@pytest.mark.parametrize("step", [step for step in STEPS if step not in ("extract", "render")])
def test_what_was_made_before_is_not_current_after_a_step_was_killed(
    step, everything, finished, edited, tmp_path
):
    """Snakemake takes note of a failed job as of one that succeeded, with the inputs that it was to read."""
    project = edit(copy_of(finished, tmp_path / "copy"))
    kill(step, everything, project, tmp_path)
    assert_next_run_gives(project, files(edited))


def test_bad_input_stops_each_run_until_it_is_mended(finished, tmp_path):
    project = copy_of(finished, tmp_path / "copy")
    replies = responses_file(project, "second_CoT")
    good = replies.read_bytes()
    write_json(replies, json.loads(good)[1:])
    runs = [snakemake(project) for _ in range(3)]
    assert [result.returncode for result in runs] == [1, 1, 1]
    lines = [{line for line in result.stderr.splitlines() if "no reply" in line} for result in runs]
    assert lines[0] and lines[0] == lines[1] == lines[2]
    replies.write_bytes(good)
    assert_next_run_gives(project, files(finished))


def test_an_output_that_was_removed_is_made_again(finished, tmp_path):
    project = copy_of(finished, tmp_path / "copy")
    (project / "results/tiny/second/predictions.jsonl").unlink()
    assert_next_run_gives(project, files(finished))


# Python runs this before anything else: the step `cut` waits until the test says go.
WAIT = """\
import os, sys, time
if "evaltrail.cut" in sys.orig_argv:
    open(os.environ["WAITING"], "w").close()
    while not os.path.exists(os.environ["GO"]):
        time.sleep(0.05)
"""


def test_a_step_that_outlives_its_run_puts_nothing_in_place(finished, project, tmp_path):
    waiting, go = tmp_path / "waiting", tmp_path / "go"
    text = (project / "params.yaml").read_text()
    (project / "params.yaml").write_text(
        text.replace("[STOP, END]", "[see]").replace("answers: recorded", "answers: rules")
    )
    running = start(project, PYTHONPATH=site(tmp_path, WAIT), WAITING=str(waiting), GO=str(go))
    wait_for(waiting)
    running.kill()  # snakemake alone
    running.wait()
    (project / "params.yaml").write_text(text)
    assert_next_run_gives(project, files(finished))
    go.touch()
    time.sleep(2)
    assert files(project) == files(finished)


def test_an_output_put_in_place_after_its_run_was_killed_is_made_again(finished, project):
    """As by a step that ended between the death of its run and the birth of the next."""
    running = start(project)
    wait_for(project / "data/tiny/instances.jsonl")
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    for name in ("first", "third"):
        late = project / f"results/tiny/{name}/scores.jsonl"
        late.parent.mkdir(parents=True, exist_ok=True)
        late.write_text("what another setting gave\n")
    (project / "results/mine.txt").write_text("a file of no rule")
    assert snakemake(project).returncode == 0
    assert (project / "results/mine.txt").read_text() == "a file of no rule"
    (project / "results/mine.txt").unlink()
    assert files(project) == files(finished)


LONG = [pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 5)]


@pytest.mark.parametrize("seed", [0, *LONG])
def test_killed_at_random_moments_until_done(seed, finished, project):
    moments = random.Random(seed)
    for _ in range(8):
        running = start(project)
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(timeout=moments.uniform(0.5, 5))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        assert_all_whole(project, files(finished))
    assert_next_run_gives(project, files(finished))


@contextlib.contextmanager
def mounted(folder: Path, options: str):
    """A tmpfs at `folder` while the block runs; root alone may mount."""
    folder.mkdir(parents=True, exist_ok=True)
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True
    ).returncode:
        assert not os.environ.get("CI"), "CI must be allowed to mount a tmpfs"
        pytest.skip("not allowed to mount a tmpfs")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize("free", [8, 48, 96, 160], ids=lambda kib: f"{kib} KiB free")
def test_a_full_disk(free, finished, tmp_path):
    with mounted(tmp_path / "disk", "size=4m") as disk:
        project = write_project(disk / "project")
        ballast = disk / "ballast"
        ballast.write_bytes(bytes(max(0, shutil.disk_usage(disk).free - free * 1024)))
        result = snakemake(project)
        assert result.returncode != 0, "the disk was not too small; lower `free`"
        assert "No space left on device" in result.stderr
        assert_all_whole(project, files(finished))
        ballast.unlink()
        assert_next_run_gives(project, files(finished))


def test_results_that_are_read_only(finished, project):
    with mounted(project / "results", "ro"):
        result = snakemake(project)
        assert result.returncode != 0
        assert "Read-only file system" in result.stderr
        assert not list((project / "results").iterdir())
    assert_next_run_gives(project, files(finished))


def test_a_second_run_at_the_same_time_is_refused_and_the_first_goes_on(finished, project):
    first = start(project)
    wait_for(project / "data/tiny/instances.jsonl")
    second = snakemake(project)
    assert second.returncode == 1
    assert (
        second.stderr.splitlines()[-1]
        == f"evaltrail: another run is at work in {project}; wait for it to end, then run again"
    )
    assert first.wait(timeout=120) == 0
    assert files(project) == files(finished)
