"""`evaltrail diff` on git revisions: real repositories of git and DVC, with a small finished project in them."""

import argparse
import json
import os
import shutil
import signal
import tempfile
from pathlib import Path

import pytest

from conftest import PARAMS, copy_of, files, snakemake, write_project
from evaltrail.audit import diff_command
from evaltrail.audit.revisions import project_directory
from repositories import commit, dvc, git, repository

FIRST = PARAMS.replace("stop: [STOP, END]", "answers: rules")
SECOND = FIRST.replace("answers: rules", "answers: rules, stop: The answer")
# A person's file that DVC tracks by itself, as `dvc add` does, not as an output of a stage.
JUDGED = "data/tiny/annotations.csv"
HEADER = "system,instance,type,gold,prediction,score,error,verifier,note\n"
SCORES = "results/tiny/first/scores.jsonl"


def made(project: Path) -> Path:
    result = snakemake(project)
    assert result.returncode == 0, result.stderr
    return project


@pytest.fixture(scope="module")
def versions(tmp_path_factory) -> tuple[Path, Path]:
    """Two finished project directories with another stop, and another file of a person."""
    first = made(write_project(tmp_path_factory.mktemp("versions") / "first", FIRST))
    second = copy_of(first, first.parent / "second")
    (second / "params.yaml").write_text(SECOND)
    made(second)
    for project in (first, second):
        (project / JUDGED).write_text(
            HEADER + f"first,Tiny 2016 Paper 1 #1,MCQ,A,A,1.000,none,,{project.name}\n"
        )
    return first, second


def record(project: Path, version: Path) -> None:
    """Makes the version the next revision of a project directory: the tables in git, all else that was made in DVC."""
    for top in ("data", "results"):
        shutil.rmtree(project / top, ignore_errors=True)
        shutil.copytree(version / top, project / top)
    shutil.copy(version / "params.yaml", project)
    outs = [
        {file: {"cache": False}} if file.endswith(".csv") else file
        for file in files(version)
        if file != JUDGED
    ]
    (project / "dvc.yaml").write_text(json.dumps({"stages": {"all": {"cmd": "true", "outs": outs}}}))
    (project / f"{JUDGED}.dvc").write_text("outs: [{path: annotations.csv}]")
    dvc(project, "commit", "--force", "--quiet")
    commit(project, version.name)


@pytest.fixture(scope="module")
def recorded(versions, tmp_path_factory) -> dict[str, Path]:
    """Repositories with both versions as revisions, in the project directory at their top or in a folder of it."""
    found = {}
    for folder in (".", "study"):
        repo = repository(tmp_path_factory.mktemp("recorded") / "repo")
        if folder != ".":
            dvc(repo, "cache", "dir", "--local", "../elsewhere")
            (repo / folder).mkdir()
        (repo / "README").write_text("The lab's.\n")
        commit(repo, "before the project")
        for version in versions:
            record(repo / folder, version)
        found[folder] = repo / folder
    return found


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder for temporary files; at the end of the test nothing is left in it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("DVC_SITE_CACHE_DIR", str(tmp_path / "site-cache"))
    yield folder
    assert not list(folder.iterdir())


@pytest.fixture
def lab(recorded, tmp_path, temporary, monkeypatch) -> Path:
    """A copy of the repository with the project at its top, to be changed; where the commands are typed."""
    repo = copy_of(recorded["."], tmp_path / "lab")
    monkeypatch.chdir(repo)
    return repo


def run(*arguments) -> int:
    parser = argparse.ArgumentParser()
    diff_command.add_arguments(parser)
    return diff_command.run(parser.parse_args([str(argument) for argument in arguments]))


def report(capsys, *arguments) -> dict:
    """What differs, as JSON."""
    assert run(*arguments, "--json") == 1
    return json.loads(capsys.readouterr().out)


def refused(capsys, *arguments) -> str:
    """The one line that says why."""
    assert run(*arguments) == 2
    out, line = capsys.readouterr()
    assert not out and line.startswith("evaltrail: ") and line.count("\n") == 1
    return line.removeprefix("evaltrail: ").rstrip("\n")


def in_cache(repo: Path, file: str, revision: str = "HEAD") -> Path:
    """The file of DVC's cache that holds an output at a revision."""
    lines = git(repo, "show", f"{revision}:dvc.lock").splitlines()
    (at,) = (number for number, line in enumerate(lines) if line == f"    - path: {file}")
    md5 = next(line.split()[-1] for line in lines[at:] if line.startswith("      md5: "))
    return repo / ".dvc/cache/files/md5" / md5[:2] / md5[2:]


# Revisions against the same two directories.


@pytest.mark.parametrize("folder", [".", "study"])
def test_revisions_differ_as_the_directories_do(recorded, versions, folder, temporary, monkeypatch, capsys):
    directly = report(capsys, *versions)
    assert directly["totals"]["cut"] == 6
    table2 = next(table for table in directly["tables"] if table["file"] == "results/tiny_table2.csv")
    assert "Total" in [cell["column"] for cell in table2["cells"]]
    assert directly["datasets"][0]["inputs"] == {JUDGED: "differs"}

    monkeypatch.chdir(recorded[folder])
    names = ["HEAD~1", git(recorded[folder], "rev-parse", "--short", "HEAD").strip()]
    assert report(capsys, *names) == directly | dict(zip("ab", names, strict=True))
    assert report(capsys, "HEAD~1") == directly | {"a": "HEAD~1", "b": "."}
    assert report(capsys, versions[0], "main") == directly | {"a": str(versions[0]), "b": "main"}
    # typed elsewhere
    monkeypatch.chdir(temporary)
    there = recorded[folder]
    assert report(capsys, "main^", "main", "--directory", there) == directly | {"a": "main^", "b": "main"}
    assert report(capsys, "main^", "--directory", there) == directly | {"a": "main^", "b": str(there)}


def test_a_revision_does_not_differ_from_its_checkout(lab, capsys):
    assert run("main") == 0
    assert capsys.readouterr().out == "A: main\nB: .\nnothing differs\n"
    git(lab, "checkout", "--quiet", "main^")
    dvc(lab, "checkout", "--quiet")
    assert run("HEAD", ".") == run("main~1") == 0
    assert run("main") == 1


def test_the_page_shows_texts_of_both_revisions(lab, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert run("HEAD~1", "HEAD", "--html", page) == 1
    assert "<del>The answer is A.</del>" in page.read_text("utf-8")
    assert str(tmp_path / "temporary") not in page.read_text("utf-8") + capsys.readouterr().out


def test_a_directory_wins_over_a_revision_of_its_name(lab, versions, capsys):
    git(lab, "tag", "first", "HEAD~1")
    assert run("first", "HEAD") == 1
    shutil.copytree(versions[1], lab / "first")
    assert run("first", "HEAD") == 0


def test_what_git_exports_otherwise_is_read_as_it_is_stored(lab, capsys):
    (lab / ".gitattributes").write_text(
        "results export-ignore\nparams.yaml export-ignore\n*.csv text eol=crlf\n"
    )
    commit(lab, "attributes")
    assert run("HEAD~1", "HEAD") == 0


def test_what_leads_out_of_the_project_is_left_out(lab, temporary):
    (lab / "data/link").symlink_to("/etc")
    with open(lab / "dvc.lock", "a") as lock:
        lock.write(
            f"    - path: ../../outside\n      md5: {'a' * 32}\n    - path: /outside\n      md5: {'a' * 32}\n"
        )
    commit(lab, "links")
    with project_directory("HEAD", lab) as root:
        assert not os.path.lexists(root / "data/link")
        assert [path.name for path in temporary.rglob("*") if path.name in ("link", "outside")] == []
    assert run("HEAD~1", "HEAD") == 0


def test_the_cache_is_linked_and_never_written(lab, temporary):
    with project_directory("HEAD", lab) as root:
        assert (root / SCORES).readlink() == in_cache(lab, SCORES)
        assert not (root / "results/tiny_table2.csv").is_symlink()
        assert (root / SCORES).read_bytes() == (lab / SCORES).read_bytes()
    assert in_cache(lab, SCORES).read_bytes() == (lab / SCORES).read_bytes()


def test_nothing_is_left_when_it_is_interrupted(lab, temporary):
    with pytest.raises(KeyboardInterrupt), project_directory("HEAD", lab):
        assert list(temporary.iterdir())
        signal.raise_signal(signal.SIGINT)
    assert not list(temporary.iterdir())


# What is missing in the cache.


def test_a_file_that_the_cache_lacks_is_named_with_how_many(lab, versions, capsys):
    shutil.rmtree(lab / ".dvc/cache")
    in_dvc = [JUDGED, *(file for file in files(versions[0]) if not file.endswith(".csv"))]
    line = refused(capsys, "HEAD~1", "HEAD")
    assert line == (
        f"HEAD~1/data/tiny/instances.jsonl: is not in DVC's cache (files missing there: {len(in_dvc)}); "
        "run `dvc fetch` at that revision, or `dvc fetch --all-commits`"
    )


def test_a_file_that_the_cache_lacks_and_that_is_not_needed_is_no_error(lab, versions, capsys):
    directly = report(capsys, *versions)
    same = "data/tiny/raw/data/dataset.json", "results/tiny/second/generations.jsonl", "results/report.html"
    for file in same:
        in_cache(lab, file).unlink()
    assert report(capsys, "HEAD~1", "HEAD") == directly | {"a": "HEAD~1", "b": "HEAD"}
    in_cache(lab, SCORES, "HEAD~1").unlink()
    assert report(capsys, "HEAD~1", "HEAD", "--table", "table1")["tables"] == []
    line = refused(capsys, "HEAD~1", "HEAD")
    assert line.startswith(
        f"HEAD~1/{SCORES}: is not in DVC's cache (files missing there: 3); run `dvc fetch`"
    )


def test_fetched_from_a_remote_it_is_there(lab, tmp_path, capsys):
    dvc(lab, "remote", "add", "--default", "--local", "store", str(tmp_path / "store"))
    dvc(lab, "push", "--quiet", "--all-commits")
    shutil.rmtree(lab / ".dvc/cache")
    refused(capsys, "HEAD~1", "HEAD")
    dvc(lab, "fetch", "--quiet", "--all-commits")
    assert run("HEAD~1", "HEAD") == 1


# Names that mean nothing.


def test_no_such_revision(lab, capsys):
    for name in ("v9", "main:results", "params.yaml", "HEAD~9", "0" * 40):
        line = refused(capsys, name)
        assert line.startswith(f"{name}: no such directory, and no branch, tag or commit in {lab}/.git; ")
    assert refused(capsys, "HEAD", "v9").startswith("v9: ")


def test_a_revision_without_the_project(recorded, lab, monkeypatch, capsys):
    assert refused(capsys, "HEAD~2").startswith("HEAD~2/params.yaml: no such file")
    line = refused(capsys, "HEAD~2", "--directory", recorded["study"])
    assert line.startswith("HEAD~2: has no directory study/ at that revision; ")


def test_no_git_repository(tmp_path, temporary, monkeypatch, capsys):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    line = refused(capsys, "HEAD", "HEAD~1")
    assert line.startswith(
        "HEAD: no such directory, and no revision, for git says: fatal: not a git repository"
    )
    assert "cannot change to" in refused(capsys, "HEAD", "--directory", "none")


def test_no_dvc_repository(lab, capsys):
    shutil.rmtree(lab / ".dvc")
    line = refused(capsys, "HEAD~1", "HEAD")
    assert line == (
        "HEAD~1: has files in DVC, and . is in no DVC repository; go to one, or give two project directories"
    )


LOCKS = {
    "no YAML": ("stages:\n<<<<<<< HEAD\n  a: {}", "row 3: is no YAML"),
    "no mapping": ("[1, 2]", "is not as DVC writes it: Expected `object`, got `array`"),
    "no stages": ("stages: 3", "is not as DVC writes it: Expected `object`, got `int` - at `$.stages`"),
    "no md5": ("stages: {a: {outs: [{path: x, md5: ../../../x}]}}", "is not as DVC writes it"),
}


@pytest.mark.parametrize("case", LOCKS.values(), ids=LOCKS)
def test_a_lock_that_is_none_is_named(lab, case, capsys):
    text, what = case
    (lab / "dvc.lock").write_text(text)
    commit(lab, "broken")
    line = refused(capsys, "HEAD", "HEAD~1")
    assert line.startswith(f"HEAD/dvc.lock: {what}") and line.endswith("; give another revision")
