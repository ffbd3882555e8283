"""Outputs that Snakemake did not make here stop the run; `evaltrail restore` makes way."""

import shutil

import pytest

from conftest import BIN, REPO, copy_of, files, run, snakemake


@pytest.fixture
def copied(finished, tmp_path):
    """A finished project as a copy or a clone gives it: with outputs and without Snakemake's memory of them."""
    project = copy_of(finished, tmp_path / "copied")
    shutil.rmtree(project / ".snakemake")
    return project


def restore(project):
    return run([str(BIN / "evaltrail"), "restore"], cwd=project)


def test_outputs_of_unknown_origin_stop_the_run_and_are_named(copied):
    before = files(copied)
    result = snakemake(copied)
    assert result.returncode == 1
    assert "evaltrail restore" in result.stderr
    for path in before:
        assert f"  {path}\n" in result.stderr
    assert files(copied) == before


def test_a_dry_run_is_stopped_too(copied):
    assert "evaltrail restore" in snakemake(copied, "--dry-run").stderr


def test_outputs_that_the_target_does_not_need_do_not_stop_it(copied):
    shutil.rmtree(copied / "data")
    shutil.rmtree(copied / "results/tiny")
    (copied / "results/report.html").unlink()
    (copied / "results/tiny_table2.csv").unlink()
    assert "evaltrail restore" in snakemake(copied, "results/tiny_table1.csv").stderr
    assert snakemake(copied, "results/tiny_table2.csv").returncode == 0


def test_within_a_dvc_stage_the_guard_stays_off(copied):
    assert snakemake(copied, "--dry-run", DVC_STAGE="score-first").returncode == 0


def test_restore_removes_them_and_nothing_else_and_the_next_run_makes_them_again(copied, finished):
    (copied / "results/notes.txt").write_text("mine")
    (copied / "results/tiny/first/notes.txt").write_text("mine")
    assert restore(copied).returncode == 0
    assert list(files(copied)) == ["results/notes.txt", "results/tiny/first/notes.txt"]
    assert snakemake(copied).returncode == 0
    (copied / "results/notes.txt").unlink()
    (copied / "results/tiny/first/notes.txt").unlink()
    assert files(copied) == files(finished)


def test_restore_leaves_what_snakemake_made(finished, tmp_path):
    project = copy_of(finished, tmp_path / "project")
    result = restore(project)
    assert (result.returncode, result.stderr) == (0, "")
    assert files(project) == files(finished)


def test_restore_outside_a_project_directory_says_so(tmp_path):
    result = restore(tmp_path)
    assert result.returncode == 1
    assert result.stderr == "evaltrail: params.yaml: no such file; go to a project directory\n"


def test_restore_with_bad_params_says_what_the_run_would_say(copied):
    (copied / "params.yaml").write_text("datasets: {}\nsystems: {}\n")
    result = restore(copied)
    assert result.returncode == 1
    assert result.stderr.startswith("evaltrail: params.yaml: row 1: field datasets: ")


def test_a_source_that_lacks_a_file_is_named(project):
    (project / "source/data/dataset.json").unlink()
    result = snakemake(project)
    assert result.returncode == 1
    assert "source/data/dataset.json" in result.stderr
    assert "Traceback" not in result.stderr


def change(path, text=" \n"):
    """What an editor, a checkout or another tool does to an output."""
    path.write_text(path.read_text() + text)


def test_an_output_that_was_changed_since_stops_the_run_and_is_made_again(finished, tmp_path):
    project = copy_of(finished, tmp_path / "project")
    change(project / "results/tiny/first/metrics.json")
    result = snakemake(project, "results/tiny_table2.csv")
    assert result.returncode == 1
    assert "  results/tiny/first/metrics.json\n" in result.stderr
    result = restore(project)
    assert result.stderr.splitlines() == [
        "removed results/tiny/first/scores.jsonl: made beside such a file",
        "removed results/tiny/first/metrics.json: not made here, or changed since",
        "removed results/tiny_table2.csv: made from such a file",
        "removed results/report.html: made from such a file",
        "what was removed is kept in .snakemake/evaltrail.removed",
    ]
    kept = project / ".snakemake/evaltrail.removed/results/tiny/first/metrics.json"
    assert kept.read_text().endswith("}\n \n")
    assert snakemake(project).returncode == 0
    assert files(project) == files(finished)


def test_restore_looks_at_what_the_targets_need(copied, finished):
    kept = files(copied)
    result = run([str(BIN / "evaltrail"), "restore", "results/tiny_table1.csv"], cwd=copied)
    assert result.returncode == 0
    gone = set(kept) - set(files(copied))
    assert gone == {"data/tiny/raw/data/dataset.json", "data/tiny/instances.jsonl", "results/tiny_table1.csv"}


@pytest.mark.parametrize("flag", ["--touch", "--drop-metadata"])
def test_runs_that_would_blind_snakemake_are_refused(finished, tmp_path, flag):
    project = copy_of(finished, tmp_path / "project")
    text = (project / "params.yaml").read_text().replace("tolerance: paper", "tolerance: exact")
    (project / "params.yaml").write_text(text)
    result = snakemake(project, flag)
    assert result.returncode == 1
    assert f"evaltrail: {flag} would" in result.stderr
    assert files(project) == files(finished)
    assert "Nothing to be done" not in snakemake(project, "--dry-run").stdout


def test_a_module_of_the_users_does_not_get_into_the_steps(project, finished):
    (project / "json.py").write_text("raise SystemExit('the wrong json')\n")
    result = snakemake(project)
    assert result.returncode == 0, result.stderr
    assert files(project) == files(finished)


def test_a_directory_that_is_no_project_is_named(tmp_path):
    result = snakemake(tmp_path)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == (
        "evaltrail: params.yaml: no such file; name a project directory with --directory"
    )


@pytest.mark.parametrize(
    ("target", "near"),
    [
        ("results/tiny_table22.csv", "did you mean results/tiny_table2.csv?"),
        ("results/report.htm", "did you mean results/report.html?"),
        ("zzz", "README.md says what can be made"),
    ],
)
def test_a_target_that_nothing_makes_gets_the_nearest_name(project, target, near):
    for result in (snakemake(project, target), run([str(BIN / "evaltrail"), "restore", target], cwd=project)):
        assert result.returncode == 1
        assert result.stderr.splitlines()[-1] == f"evaltrail: {target}: nothing makes this; {near}"


def test_the_snakefile_may_be_named_by_any_way_to_it(project, tmp_path):
    (tmp_path / "link").symlink_to(REPO)
    for way in (tmp_path / "link/Snakefile", REPO / "tests/../Snakefile"):
        result = run([str(BIN / "snakemake"), "--snakefile", str(way), "--dry-run"], cwd=project)
        assert result.returncode == 0, result.stdout
