"""What git holds of the mini datasets is what a run makes: tables, and the ledger's three files."""

import shutil
from pathlib import Path

import pytest

from conftest import REPO, files, snakemake
from repositories import git, repository

LEDGER = ("dvc.yaml", "dvc.lock", "specs.json")


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """The repository's own data and params, evaluated from nothing."""
    project = repository(tmp_path_factory.mktemp("committed") / "project")
    shutil.copytree(REPO / "data/mini", project / "data/mini")
    for name in ("params.yaml", ".gitignore"):
        shutil.copy(REPO / name, project / name)
    result = snakemake(project)
    assert result.returncode == 0, result.stderr
    return project


def test_the_tables_in_git_are_those_that_a_run_makes(made):
    tracked = git(REPO, "ls-files", "-z", "results").split("\0")[:-1]
    minis = ("results/jeebench-mini_", "results/drop-mini_", "results/cgeval-mini_")
    own = {path: content for path, content in files(made).items() if path.startswith(minis)}
    assert own == {path: (REPO / path).read_bytes() for path in tracked}


@pytest.mark.parametrize("name", LEDGER)
def test_the_ledger_in_git_is_that_of_a_run(made, name):
    assert (made / name).read_text() == (REPO / name).read_text(), "run `make` and commit what it changed"
