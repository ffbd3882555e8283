"""What DVC knows of a project: recorded by itself, proven in a fresh clone, flipped back, bisected, killed, tampered with."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from conftest import (
    BIN,
    REPO,
    copy_of,
    evaltrail,
    files,
    remade,
    responses_file,
    run,
    snakemake,
    write_project,
)
from repositories import dvc, git, save, write_lab
from test_incrementality import REAL, SCORED, TABLES, Place, append, job_of, jobs

SNAKEFILE = ("snakemake", "--snakefile", str(REPO / "Snakefile"))


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Path:
    """A lab's repository in which everything is recorded and pushed, with a copy of the code. Not to be changed."""
    folder = tmp_path_factory.mktemp("ledger")
    code = folder / "repo"
    for part in ("workflow", "src"):
        shutil.copytree(REPO / part, code / part, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    shutil.copy(REPO / "Snakefile", code)
    return write_lab(folder, repo=code)


@pytest.fixture(scope="module")
def pulled(lab, tmp_path_factory) -> Path:
    """An auditor's clone with `project` (pulled, and unknown to Snakemake) and `repo`. Not to be changed."""
    folder = tmp_path_factory.mktemp("pulled")
    shutil.copytree(lab.parent / "repo", folder / "repo")
    git(folder, "clone", "--quiet", str(lab), "project")
    dvc(folder / "project", "pull", "--quiet", "--run-cache")
    return folder


@pytest.fixture
def clone(pulled, tmp_path) -> Place:
    return Place(copy_of(pulled, tmp_path / "clone"))


def restore_and_run(place: Place) -> set[str]:
    """Runs `evaltrail restore` and `snakemake`; the jobs that ran."""
    restored = evaltrail(place.project, "restore", repo=place.repo)
    assert restored.returncode == 0, restored.stderr
    return {job_of(path) for path in remade(place.project, place.repo)}


def test_what_a_run_made_is_in_dvc_lock_and_dvc_finds_nothing_to_do(lab):
    assert "up to date" in dvc(lab, "status")
    assert git(lab, "status", "--porcelain") == ""
    locked = YAML(typ="safe").load(lab / "dvc.lock")["stages"]
    recorded = {out["path"] for stage in locked.values() for out in stage["outs"]}
    assert recorded == set(files(lab))


def test_the_entries_are_those_that_dvc_itself_writes(lab, tmp_path):
    project = copy_of(lab, tmp_path / "lab")
    before = (project / "dvc.lock").read_bytes(), sorted((project / ".dvc/cache").rglob("*"))
    dvc(project, "commit", "--force", "--quiet")
    assert ((project / "dvc.lock").read_bytes(), sorted((project / ".dvc/cache").rglob("*"))) == before


def test_dvc_yaml_is_in_step_with_the_graph_one_stage_a_job(lab):
    assert (lab / "dvc.yaml").read_text().startswith("# Made by `evaltrail record`")
    stages = YAML(typ="safe").load(lab / "dvc.yaml")["stages"]
    assert list(stages) == sorted(stages)
    specs = json.loads((lab / "specs.json").read_text())
    assert list(specs) == list(stages)
    shown = json.loads(_graph(lab))
    assert len(stages) == len(shown)
    for job in shown:
        (name,) = (name for name, stage in stages.items() if job["outputs"][0] in stage["cmd"].split())
        stage = stages[name]
        outs = [
            out if isinstance(out, str) else next(iter(out))
            for kind in ("outs", "metrics", "plots")
            for out in stage.get(kind, [])
        ]
        assert stage["cmd"] == f"snakemake --allowed-rules {job['rule']} -- {job['outputs'][0]}"
        assert sorted(outs) == sorted(job["outputs"])
        assert stage["deps"] == sorted(job["inputs"])
        assert {"specs.json": [name]} in stage["params"]
        assert specs[name] == job["spec"]


def _graph(project: Path) -> str:
    """The jobs of a plain run, as Snakemake has them."""
    script = (
        "import json, pathlib, sys\n"
        "from evaltrail import bridge\n"
        "with bridge.open_graph(pathlib.Path(sys.argv[1]), ['default']) as graph:\n"
        "    jobs = [(job.rule, job.spec, job.inputs, job.outputs) for job in graph.jobs]\n"
        "print(json.dumps([dict(zip(('rule', 'spec', 'inputs', 'outputs'), job)) for job in jobs]))\n"
    )
    result = run([sys.executable, "-c", script, str(project)], PYTHONPATH=str(project.parent / "repo/src"))
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_metrics_params_and_plots_are_diffed_as_dvc_users_expect(clone):
    clone.params("tolerance: paper", "tolerance: exact")
    append(clone.project / "params.yaml", "")
    clone.params("label: First", "label: Erster")
    restore_and_run(clone)
    metrics = json.loads(dvc(clone.project, "metrics", "diff", "--json"))
    assert metrics["results/tiny/third/metrics.json"]["signature.tolerance"] == {
        "old": "paper",
        "new": "exact",
    }
    old, new = (metrics["results/tiny/first/metrics.json"]["score.Total"][side] for side in ("old", "new"))
    assert old < new  # 0.12 for 0.13 is within 0.01 on decimals, not on floats
    params = json.loads(dvc(clone.project, "params", "diff", "--json", "--targets", "params.yaml"))
    assert params["params.yaml"]["systems.first.label"] == {"old": "First", "new": "Erster"}
    assert params["params.yaml"]["datasets.tiny.tolerance"] == {"old": "paper", "new": "exact"}
    plots = json.loads(dvc(clone.project, "plots", "diff", "--json"))
    assert any("tiny_table2.csv" in name for name in plots["data"])


def test_a_full_rerun_gives_the_same_lock(lab, tmp_path):
    project = write_project(tmp_path / "project")
    for name in (".gitignore", ".dvc/config", ".dvcignore"):
        (project / name).parent.mkdir(exist_ok=True)
        shutil.copy(lab / name, project / name)
    git(project, "init", "--quiet")
    assert snakemake(project, "--cores", "1").returncode == 0
    for name in ("dvc.lock", "dvc.yaml", "specs.json"):
        assert (project / name).read_bytes() == (lab / name).read_bytes(), name


def test_nothing_is_left_to_run_in_a_fresh_clone(clone, lab):
    assert "evaltrail restore" in snakemake(clone.project, repo=clone.repo).stderr
    assert restore_and_run(clone) == set()
    assert git(clone.project, "status", "--porcelain") == ""
    assert files(clone.project) == files(lab)


def without_cache(place: Place) -> None:
    shutil.rmtree(place.project / ".dvc/cache")


def tamper(place: Place) -> None:
    """A score is raised; size and time stamp stay."""
    path = place.project / "results/tiny/first/scores.jsonl"
    stamp = path.stat()
    text = path.read_text()
    assert text.count('"score": 0.0') >= 1
    path.write_text(text.replace('"score": 0.0', '"score": 1.0', 1))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


# (what is edited in a fresh clone, how, the jobs that must run after `evaltrail restore`)
EDITS = [
    ("a data parameter", lambda p: p.params("tolerance: paper", "tolerance: exact"), jobs("score")),
    ("the stop", lambda p: p.params("[STOP, END]", "[Therefore]"), jobs(*SCORED, of=["first"])),
    ("an optional key added", lambda p: p.params("method: CoT}", "method: CoT, stop: zzz}"), jobs(*SCORED, of=["second"])),
    ("a label", lambda p: p.params("label: First", "label: Erster"), TABLES),
    ("a comment", lambda p: append(p.project / "params.yaml", "# a comment\n"), set()),
    ("code", lambda p: append(p.module("cut.py"), REAL), jobs(*SCORED)),
    ("an output tampered with, DVC has it", tamper, set()),
    ("an output tampered with, DVC lost it", lambda p: (tamper(p), without_cache(p)), jobs("score", of=["first"])),
    (
        "two rows swapped",
        lambda p: p.params(
            "  second: {dataset: tiny, label: Second, recorded_name: second_CoT, method: CoT}\n"
            "  third: {dataset: tiny, label: Third, recorded_name: third_CoT+SC, method: CoT+SC, samples: 3}\n",
            "  third: {dataset: tiny, label: Third, recorded_name: third_CoT+SC, method: CoT+SC, samples: 3}\n"
            "  second: {dataset: tiny, label: Second, recorded_name: second_CoT, method: CoT}\n",
        ),
        TABLES,
    ),
    ("a system removed", lambda p: p.params("  second: {dataset: tiny, label: Second, recorded_name: second_CoT, method: CoT}\n", ""), TABLES),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "expected"), [edit[1:] for edit in EDITS], ids=[edit[0] for edit in EDITS])
def test_in_a_fresh_clone_an_edit_runs_exactly_what_it_touches(clone, edit, expected):
    edit(clone)
    assert restore_and_run(clone) == expected
    assert "up to date" in dvc(clone.project, "status")
    assert evaltrail(clone.project, "verify", repo=clone.repo).returncode == 0


def test_a_removed_system_leaves_dvc_yaml_and_dvc_lock(clone):
    clone.params("  second: {dataset: tiny, label: Second, recorded_name: second_CoT, method: CoT}\n", "")
    restore_and_run(clone)
    for name in ("dvc.yaml", "dvc.lock", "specs.json"):
        assert "second" not in (clone.project / name).read_text()


def test_flipped_back_nothing_runs(clone, lab):
    restore_and_run(clone)
    clone.params("tolerance: paper", "tolerance: exact")
    clone.params("[STOP, END]", "[Therefore]")
    assert restore_and_run(clone) == jobs("score") | jobs(*SCORED, of=["first"])
    assert files(clone.project) != files(lab)
    clone.params("tolerance: exact", "tolerance: paper")
    clone.params("[Therefore]", "[STOP, END]")
    assert restore_and_run(clone) == set()
    assert files(clone.project) == files(lab)
    assert git(clone.project, "status", "--porcelain") == ""


def test_a_walk_over_three_revisions_restores_the_bytes_of_each(clone):
    made = {}
    restore_and_run(clone)
    for name, (old, new) in {
        "one": ("", ""),
        "two": ("label: First", "label: Erster"),
        "three": ("paper", "exact"),
    }.items():
        text = (clone.project / "params.yaml").read_text()
        (clone.project / "params.yaml").write_text(text.replace(old, new) if old else text)
        restore_and_run(clone)
        save(clone.project, name)
        git(clone.project, "tag", name)
        made[name] = files(clone.project)
    assert len({tuple(sorted(bytes_of.items())) for bytes_of in made.values()}) == 3
    shutil.rmtree(clone.project / ".dvc/cache")
    dvc(clone.project, "fetch", "--quiet", "--all-tags")
    for name in ("two", "one", "three", "one"):
        git(clone.project, "checkout", "--quiet", name)
        dvc(clone.project, "checkout", "--quiet", "--force")
        assert restore_and_run(clone) == set(), name
        assert files(clone.project) == made[name], name
        assert git(clone.project, "status", "--porcelain") == ""


def test_dvc_can_rerun_a_stage_itself(lab, tmp_path):
    """`dvc repro` calls Snakemake for that job alone, where the Snakefile lies in the project."""
    project = copy_of(lab, tmp_path / "lab")
    environment = {
        "PATH": os.pathsep.join([str(BIN), os.environ["PATH"]]),
        "SNAKEMAKE_PROFILE": str(tmp_path),
    }
    (tmp_path / "config.yaml").write_text(f"snakefile: {REPO / 'Snakefile'}\n")
    result = run(
        [str(BIN / "dvc"), "repro", "--force", "--single-item", "cut-first"], cwd=project, **environment
    )
    assert result.returncode == 0, result.stderr + result.stdout
    assert "1 of 1 steps" in result.stdout + result.stderr
    assert (project / "dvc.lock").read_bytes() == (lab / "dvc.lock").read_bytes()


def test_only_what_is_current_is_recorded(clone):
    """After an edit that was not run yet, `evaltrail record` keeps what it knew of the old files."""
    before = (clone.project / "dvc.lock").read_bytes()
    assert evaltrail(clone.project, "restore", repo=clone.repo).returncode == 0
    clone.params("[STOP, END]", "[Therefore]")
    result = evaltrail(clone.project, "record", repo=clone.repo)
    assert result.returncode == 0, result.stderr
    assert "not recorded" in result.stderr
    assert (clone.project / "dvc.lock").read_bytes() == before
    status = dvc(clone.project, "status")
    assert "cut-first" in status and "cut-second" not in status


def test_an_output_changed_behind_snakemakes_back_is_not_recorded(clone):
    assert evaltrail(clone.project, "restore", repo=clone.repo).returncode == 0
    before = (clone.project / "dvc.lock").read_bytes()
    tamper(clone)
    result = evaltrail(clone.project, "record", repo=clone.repo)
    assert result.returncode == 1
    assert "results/tiny/first/scores.jsonl: differs from what dvc.lock records" in result.stderr
    assert (clone.project / "dvc.lock").read_bytes() == before


def test_a_directory_that_is_no_dvc_repository_is_told_once(tmp_path):
    project = write_project(tmp_path / "project")
    first, second = snakemake(project), snakemake(project, "--forceall")
    assert first.returncode == second.returncode == 0
    assert first.stderr.count("is no DVC repository") == 1
    assert "DVC" not in second.stderr
    assert not (project / "dvc.lock").exists()
    asked = evaltrail(project, "record")
    assert asked.returncode == 1
    assert (
        asked.stderr
        == "evaltrail: .: is no DVC repository, so nothing was recorded; `dvc init` makes it one\n"
    )


def test_a_dvc_yaml_of_the_users_own_is_not_overwritten(clone):
    (clone.project / "dvc.yaml").write_text("stages: {mine: {cmd: true}}\n")
    result = evaltrail(clone.project, "record", repo=clone.repo)
    assert result.returncode == 1
    assert result.stderr.startswith("evaltrail: dvc.yaml: was not made by evaltrail and would be lost")
    assert (clone.project / "dvc.yaml").read_text() == "stages: {mine: {cmd: true}}\n"


@pytest.mark.parametrize("content", ["no: [yaml", "stages: 3\n", "\x00\x01", "schema: '2.0'\nstages: []\n"])
def test_a_lock_that_is_none_is_named(clone, content):
    (clone.project / "dvc.lock").write_text(content)
    for command in ("restore", "record", "verify", "plan"):
        result = evaltrail(clone.project, command, repo=clone.repo)
        assert result.returncode == 1, command
        assert result.stderr.startswith("evaltrail: dvc.lock: "), result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_a_record_killed_at_any_moment_leaves_a_valid_lock_and_the_next_finishes_it(clone, lab):
    assert evaltrail(clone.project, "restore", repo=clone.repo).returncode == 0
    complete = (lab / "dvc.lock").read_bytes()
    for name in ("dvc.lock", "dvc.yaml", "specs.json"):
        (clone.project / name).unlink()
    shutil.rmtree(clone.project / ".dvc/cache")
    command = [str(BIN / "evaltrail"), "record"]
    environment = {**os.environ, "PYTHONPATH": str(clone.repo / "src")}
    killed = 0
    for tenths in range(2, 60, 3):
        process = subprocess.Popen(command, cwd=clone.project, env=environment, stderr=subprocess.DEVNULL)
        time.sleep(tenths / 10)
        if process.poll() is not None:
            break
        process.send_signal(signal.SIGKILL)
        process.wait()
        killed += 1
        if (clone.project / "dvc.lock").exists():
            assert (clone.project / "dvc.lock").read_bytes() == complete
    assert killed
    assert evaltrail(clone.project, "record", repo=clone.repo).returncode == 0
    assert (clone.project / "dvc.lock").read_bytes() == complete
    assert "up to date" in dvc(clone.project, "status")
    shutil.rmtree(clone.project / "results")
    assert restore_and_run(clone) == set(), "the cache was complete"


def test_a_record_while_another_run_is_at_work_is_refused(clone):
    holder = (
        "import pathlib, time\nfrom evaltrail import ledger\n"
        "with ledger.open_ledger(pathlib.Path('.')):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(clone.repo / "src")}
    process = subprocess.Popen(
        [sys.executable, "-c", holder], cwd=clone.project, env=environment, stdout=subprocess.PIPE
    )
    try:
        assert process.stdout.readline() == b"held\n"
        before = files(clone.project)
        for result in (
            evaltrail(clone.project, "record", repo=clone.repo),
            evaltrail(clone.project, "restore", repo=clone.repo),
            snakemake(clone.project, repo=clone.repo),
        ):
            assert result.returncode == 1
            assert "another run is at work" in result.stderr
        assert files(clone.project) == before
    finally:
        process.kill()
        process.wait()


def test_a_project_below_the_repositorys_root_has_a_ledger_of_its_own(tmp_path):
    git(tmp_path, "init", "--quiet")
    dvc(tmp_path, "init", "--quiet")
    project = write_project(tmp_path / "studies/one")
    assert snakemake(project).returncode == 0
    assert "up to date" in dvc(tmp_path, "status")
    assert (project / "dvc.lock").exists() and not (tmp_path / "dvc.lock").exists()
    shutil.rmtree(project / ".snakemake")
    assert evaltrail(project, "restore").returncode == 0
    assert "Nothing to be done" in snakemake(project).stderr


def test_files_with_odd_names_are_recorded(tmp_path):
    project = write_project(tmp_path / "project")
    git(project, "init", "--quiet")
    dvc(project, "init", "--quiet")
    source = responses_file(project, "first_normal")
    odd = responses_file(project, "first.normal_é 1")
    odd.parent.mkdir()
    odd.write_text(source.read_text().replace("first_normal_response", "first.normal_é 1_response"))
    append(
        project / "params.yaml",
        '  odd: {dataset: tiny, recorded_name: "first.normal_é 1", method: normal, label: "no"}\n',
    )
    assert snakemake(project).returncode == 0
    assert "up to date" in dvc(project, "status")
    assert evaltrail(project, "verify").returncode == 0


def test_a_corrupt_cache_is_not_taken_from(clone, lab):
    shutil.rmtree(clone.project / "results")
    for path in (clone.project / ".dvc/cache/files").rglob("*"):
        if path.is_file():
            path.chmod(0o644)
            path.write_bytes(path.read_bytes() + b" ")
    assert restore_and_run(clone) >= jobs(*SCORED)
    assert files(clone.project) == files(lab)


def test_files_that_dvc_linked_are_proven_one_by_one(clone):
    """Equal files are then one file of the cache, and a time stamp on one is a time stamp on all."""
    dvc(clone.project, "config", "--local", "cache.type", "hardlink")
    dvc(clone.project, "checkout", "--quiet", "--force", "--relink")
    assert any(path.stat().st_nlink > 1 for path in (clone.project / "results").rglob("*.jsonl"))
    assert restore_and_run(clone) == set()


def test_what_dvc_commits_under_settings_that_were_not_run_is_not_proven(clone):
    assert restore_and_run(clone) == set()
    clone.params("[STOP, END]", "[Therefore]")
    assert evaltrail(clone.project, "record", repo=clone.repo).returncode == 0
    dvc(clone.project, "commit", "--force", "--quiet")
    assert restore_and_run(clone) == jobs(*SCORED, of=["first"])


def test_a_persons_file_replaced_by_an_older_one_is_seen(clone):
    path = clone.project / "data/tiny/adjudications.csv"
    head = "system,instance,sample,answer,reason\n"
    path.write_text(head + "first,Tiny 2016 Paper 1 #1,0,B,one\n")
    assert restore_and_run(clone) >= jobs("predict", "score")
    path.write_text(head + "first,Tiny 2016 Paper 1 #1,0,C,two\n")
    os.utime(path, (10**9, 10**9))
    assert restore_and_run(clone) == jobs("predict", "score")


def test_what_a_person_wrote_after_a_kill_is_kept(clone):
    assert restore_and_run(clone) == set()
    lock = clone.project / ".snakemake/evaltrail.lock"
    lock.write_text("the token of a run that was killed")
    table = clone.project / "results/tiny_table2.csv"
    table.write_text("by hand\n")
    for command in ("verify", "plan", "record"):
        evaltrail(clone.project, command, repo=clone.repo)
        assert table.read_text() == "by hand\n"
    snakemake(clone.project, repo=clone.repo)
    kept = list((clone.project / ".snakemake/evaltrail.removed").rglob("tiny_table2.csv*"))
    assert [path.read_text() for path in kept] == ["by hand\n"]


def test_what_was_set_aside_twice_is_kept_twice(clone):
    shutil.rmtree(clone.project / ".dvc/cache")
    for text in ("one\n", "two\n"):
        (clone.project / "results/tiny_table2.csv").write_text(text)
        assert evaltrail(clone.project, "restore", repo=clone.repo).returncode == 0
    kept = (clone.project / ".snakemake/evaltrail.removed").rglob("tiny_table2.csv*")
    assert sorted(path.read_text() for path in kept) == ["one\n", "two\n"]


def test_an_unreachable_remote_is_one_line(clone):
    dvc(clone.project, "remote", "modify", "--local", "remote", "url", "s3://nowhere/study")
    dvc(clone.project, "remote", "modify", "--local", "remote", "endpointurl", "http://127.0.0.1:1")
    keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_MAX_ATTEMPTS": "1"}
    evaltrail(clone.project, "restore", repo=clone.repo)
    result = evaltrail(clone.project, "record", "--push", repo=clone.repo, **keys)
    assert result.returncode == 1
    assert "Traceback" not in result.stderr
    assert "DVC's remote cannot be reached" in result.stderr.splitlines()[-1]
