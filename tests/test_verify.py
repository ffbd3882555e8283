"""evaltrail verify and plan: what was tampered with is named, and what will run is said before it runs."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from conftest import copy_of, evaltrail, files, run
from repositories import dvc, git, save, write_lab


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Path:
    """A lab's repository in which everything is recorded, the response log too. Not to be changed."""
    lab = write_lab(tmp_path_factory.mktemp("verify"))
    segment = lab / "data/responses/model-1/one.jsonl"
    segment.parent.mkdir(parents=True)
    segment.write_text('{"reply": "B"}\n{"reply": "C"}\n')
    assert evaltrail(lab, "record").returncode == 0
    save(lab, "the log")
    return lab


@pytest.fixture
def project(lab, tmp_path) -> Path:
    return copy_of(lab, tmp_path / "project")


def change(path: Path, old: str, new: str) -> None:
    """Changes a file and leaves its time stamp as it was."""
    stamp = path.stat()
    text = path.read_text()
    assert text.count(old) >= 1, f"{old!r} is not in {path}"
    path.chmod(0o644)
    path.write_text(text.replace(old, new, 1))
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


def findings(project: Path, *options: str) -> list[str]:
    result = evaltrail(project, "verify", *options)
    assert "Traceback" not in result.stderr, result.stderr
    return result.stdout.splitlines() if result.returncode else []


def test_nothing_is_found_where_nothing_was_changed(lab):
    result = evaltrail(lab, "verify", "--rederive")
    assert result.returncode == 0, result.stdout + result.stderr
    assert re.fullmatch(
        r"\d+ files are as dvc.lock records them, and all comes out the same when it is computed again\n",
        result.stdout,
    )
    assert git(lab, "status", "--porcelain") == ""


# (what is tampered with, the file and the change, what the first finding says)
TAMPERED = [
    ("a score", "results/tiny/first/scores.jsonl", ('"score": 0.0', '"score": 1.0'), "is not the file that dvc.lock records; it was changed"),
    ("a prompt", "results/tiny/first/prompts.jsonl", ("Which is 1?", "Which is 2?"), "is not the file that dvc.lock records; it was changed"),
    ("a reply", "results/tiny/second/generations.jsonl", ("Let me see", "Let us see"), "is not the file that dvc.lock records; it was changed"),
    ("a source", "source/data/dataset.json", ("Which is 1?", "Which is 2?"), "is not the file that dvc.lock records; it was changed"),
    ("a table", "results/tiny_table2.csv", ("First,", "First ,"), "is not the file that dvc.lock records; it was changed"),
    ("a log line", "data/responses/model-1/one.jsonl", ('"B"', '"A"'), "is not the file that data/responses.dvc records"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "edit", "said"), [case[1:] for case in TAMPERED], ids=[case[0] for case in TAMPERED]
)
def test_what_was_tampered_with_is_named(project, file, edit, said):
    change(project / file, *edit)
    first = findings(project)[0]
    assert first.startswith(f"{file}: {said}"), first


def lock_line(project: Path, path: str) -> str:
    """The md5 that dvc.lock has of an output, in its own stage: the last place where the path stands under `outs`."""
    text = (project / "dvc.lock").read_text()
    (md5,) = set(
        re.findall(
            rf"outs:\n(?:    - path: .*\n(?:      .*\n)+)*?    - path: {re.escape(path)}\n      hash: md5\n      md5: ([0-9a-f']+)",
            text,
        )
    )
    return md5


def test_a_changed_digest_in_the_lock_is_told_from_a_changed_file(project):
    path = "results/tiny/first/scores.jsonl"
    md5 = lock_line(project, "results/tiny/first/completions.jsonl")
    change(project / "dvc.lock", f"md5: {lock_line(project, path)}", f"md5: {'f' * 32}")
    assert md5
    found = "\n".join(findings(project))
    assert "dvc.lock" in found
    assert path in found


def test_a_changed_spec_in_the_lock_is_named(project):
    change(project / "dvc.lock", '"stop":["STOP","END"]', '"stop":["STOP"]')
    (found,) = findings(project)
    assert found.startswith("results/tiny/first/completions.jsonl: was made under other settings (stop)")


def test_params_that_were_changed_since_are_named(project):
    change(project / "params.yaml", "[STOP, END]", "[STOP]")
    (found,) = findings(project)
    assert found.startswith("results/tiny/first/completions.jsonl: was made under other settings (stop)")


def test_a_file_and_its_lock_changed_together_are_found_by_deriving_again(project):
    """Who changes a score and all digests with it fools every comparison with dvc.lock, but not the derivation."""
    change(project / "results/tiny/first/scores.jsonl", '"score": 0.0', '"score": 1.0')
    old = (project / "dvc.lock").read_text()
    dvc(project, "commit", "--force", "--quiet", "score-first", "tables-tiny-table2")
    assert (project / "dvc.lock").read_text() != old
    assert findings(project) == []
    (found,) = findings(project, "--rederive")
    assert found.startswith(
        "results/tiny/first/scores.jsonl: comes out otherwise when it is computed again, row 4 is"
    )
    assert "file and dvc.lock were changed together" in found


def test_deriving_again_names_the_first_file_that_differs_and_what_is_behind_it(project):
    change(project / "results/tiny/first/completions.jsonl", "The answer is A", "The answer is B")
    said = findings(project, "--rederive")
    assert said[0].startswith("results/tiny/first/completions.jsonl: is not the file")
    assert said[-1].startswith("results/tiny/first/completions.jsonl: comes out otherwise")
    assert "it was changed after it was recorded" in said[-1]


def test_verify_changes_nothing(project):
    change(project / "results/tiny/first/scores.jsonl", '"score": 0.0', '"score": 1.0')
    before = files(project), (project / "dvc.lock").read_bytes()
    findings(project, "--rederive")
    assert (files(project), (project / "dvc.lock").read_bytes()) == before


def test_a_missing_file_is_named(project):
    (project / "results/tiny/first/scores.jsonl").unlink()
    assert findings(project)[0].startswith("results/tiny/first/scores.jsonl: is missing; `dvc pull`")


def test_a_project_without_a_lock_is_told_what_to_do(tmp_path):
    (tmp_path / "params.yaml").write_text("datasets: {}\n")
    result = evaltrail(tmp_path, "verify")
    assert result.returncode == 1
    assert (
        result.stderr
        == "evaltrail: dvc.lock: no such file; `evaltrail record` makes it in a DVC repository\n"
    )


def planned(project: Path, *targets: str) -> list[str]:
    result = evaltrail(project, "plan", *targets)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def test_the_plan_says_that_nothing_runs(lab):
    assert planned(lab) == ["26 files are current, 0 come from the ledger, 0 jobs run"]


def test_the_plan_names_the_jobs_and_why_and_runs_none_of_them(project):
    before = files(project)
    change(project / "params.yaml", "[STOP, END]", "[Let]")
    assert planned(project) == [
        "20 files are current, 0 come from the ledger, 5 jobs run",
        "  cut: 1",
        "    results/tiny/first/completions.jsonl  (changed: stop)",
        "  predict: 1",
        "    results/tiny/first/predictions.jsonl  (what it is made from is made anew)",
        "  score: 1",
        "    results/tiny/first/scores.jsonl  (what it is made from is made anew)",
        "  tables: 1",
        "    results/tiny_table2.csv  (what it is made from is made anew)",
        "  report: 1",
        "    results/report.html  (what it is made from is made anew)",
    ]
    assert (
        planned(project, "results/tiny_table1.csv")[0]
        == "3 files are current, 0 come from the ledger, 0 jobs run"
    )
    assert files(project) == before


def test_the_plan_knows_what_the_ledger_has(project):
    shutil.rmtree(project / "results")
    assert planned(project)[0] == "5 files are current, 21 come from the ledger, 0 jobs run"
    shutil.rmtree(project / ".dvc/cache")
    said = planned(project)
    assert said[0] == "5 files are current, 0 come from the ledger, 18 jobs run"
    assert "    results/tiny/first/prompts.jsonl  (not here, nor in DVC's cache)" in said


def test_the_plan_of_a_project_where_nothing_was_made(project):
    for name in ("dvc.lock", "dvc.yaml", "specs.json"):
        (project / name).unlink()
    for folder in ("results", "data", ".dvc/cache", ".snakemake"):
        shutil.rmtree(project / folder)
    said = planned(project)
    assert said[0] == "0 files are current, 0 come from the ledger, 23 jobs run"
    assert "    data/tiny/instances.jsonl  (what it is made from is made anew)" in said


def test_help_needs_neither_snakemake_nor_dvc():
    """Start-up counts: what a command does not need is not imported."""
    script = "import json, sys; from evaltrail import __main__; __main__._parser(); print(json.dumps([*sys.modules]))"
    result = run([sys.executable, "-c", script]).stdout
    loaded = {name.split(".")[0] for name in json.loads(result)}
    assert not loaded & {"snakemake", "dvc", "pandas", "rocrate", "torch", "openai"}


def edit_lock(project: Path, change) -> None:
    path = project / "dvc.lock"
    document = YAML(typ="safe").load(path)
    change(document["stages"])
    YAML().dump(document, path)


# (what is done to the stages of dvc.lock, what is found)
DOCTORED = [
    ("a stage taken away", lambda stages: stages.pop("report"), "results/report.html: is in no stage of dvc.lock"),
    ("all stages taken away", lambda stages: stages.clear(), "data/tiny/raw/data/dataset.json: is in no stage of dvc.lock"),
    ("another command", lambda stages: stages["cut-first"].update(cmd="echo"), "dvc.lock: cut-first is not as the job has it: cmd"),
    ("an input taken away", lambda stages: stages["report"]["deps"].pop(), "dvc.lock: report is not as the job has it: deps"),
    ("a key of params.yaml", lambda stages: stages["cut-first"]["params"]["params.yaml"].clear(), "dvc.lock: cut-first is not as the job has it: params"),
    ("no spec", lambda stages: stages["cut-first"].pop("params"), "results/tiny/first/completions.jsonl: was made under other settings (code, stop)"),
    ("a spec that is no JSON", lambda stages: stages["cut-first"]["params"].update({"specs.json": {"cut-first": "{"}}), "results/tiny/first/completions.jsonl: was made under other settings (all of it)"),
    ("a stage of nothing", lambda stages: stages.update(more={"cmd": "true", "outs": []}), "dvc.lock: the stage more is none of the jobs"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"), [case[1:] for case in DOCTORED], ids=[case[0] for case in DOCTORED]
)
def test_a_doctored_lock_is_found(project, change, said):
    edit_lock(project, change)
    assert findings(project)[0].startswith(said)


def test_a_raw_file_that_is_not_what_was_fetched_is_found_whatever_the_lock_says(project):
    raw = "data/tiny/raw/data/responses/first_normal_responses/responses.json"
    change(project / raw, "The answer is A", "The answer is B")
    dvc(
        project,
        "commit",
        "--force",
        "--quiet",
        "fetch-tiny-data_responses_first_normal_responses_responses_json",
    )
    found = findings(project)
    assert (
        f"{raw}: is not the file that was fetched: its sha256 is another; it was changed after it was recorded"
        in found
    )


def test_a_log_that_lost_or_changed_what_was_recorded_is_not_recorded_again(project):
    segment = project / "data/responses/model-1/one.jsonl"
    with open(segment, "a") as file:
        file.write('{"reply": "D"}\n')
    assert evaltrail(project, "record").returncode == 0, "a log may grow"
    change(segment, '"B"', '"A"')
    result = evaltrail(project, "record")
    assert result.returncode == 1
    assert result.stderr.startswith(
        "evaltrail: data/responses/model-1/one.jsonl: is not what was recorded of this segment"
    )


def test_the_crate_describes_no_tampered_file(project):
    change(project / "results/tiny/first/scores.jsonl", '"score": 0.0', '"score": 1.0')
    result = evaltrail(project, "crate")
    assert result.returncode == 1
    assert "results/tiny/first/scores.jsonl: was changed since it was made" in result.stderr
