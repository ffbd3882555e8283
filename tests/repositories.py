"""Git and DVC repositories for tests: the real programs, cut off from the settings of who runs them."""

from pathlib import Path

from conftest import BIN, REPO, evaltrail, run, snakemake, write_project

HERMETIC = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "XDG_CONFIG_HOME": None,
    "GIT_AUTHOR_NAME": "Lab",
    "GIT_AUTHOR_EMAIL": "lab@example.org",
    "GIT_COMMITTER_NAME": "Lab",
    "GIT_COMMITTER_EMAIL": "lab@example.org",
}


def git(folder: Path, *arguments: str) -> str:
    """What `git` prints; it must succeed."""
    return _output(["git", *arguments], folder)


def dvc(folder: Path, *arguments: str, **environment: str | None) -> str:
    """What `dvc` prints; it must succeed."""
    return _output([str(BIN / "dvc"), *arguments], folder, **environment)


def repository(folder: Path) -> Path:
    """A new git and DVC repository without analytics, nothing committed."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet", "--initial-branch=main")
    dvc(folder, "init", "--quiet")
    (folder / ".dvc/config").write_text("[core]\n    analytics = false\n    check_update = false\n")
    return folder


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", message)


# What a lab's git ignores: all that is made, but for the tables.
MADE = """.snakemake/
data/*/raw/
data/*/instances.jsonl
data/responses/
results/*
!results/*.csv
"""


def write_lab(folder: Path, repo: Path = REPO) -> Path:
    """A lab's repository: the tiny project made, recorded by DVC, committed, pushed to a remote beside it."""
    lab = write_project(repository(folder / "lab"))
    (lab / ".gitignore").write_text(MADE)
    dvc(lab, "remote", "add", "--quiet", "--default", "remote", str(folder / "remote"))
    result = snakemake(lab, repo=repo)
    assert result.returncode == 0, result.stderr
    save(lab, "first")
    return lab


def save(lab: Path, message: str) -> None:
    """Commits what git holds of a lab's directory and pushes what DVC holds."""
    commit(lab, message)
    pushed = evaltrail(lab, "record", "--push")
    assert pushed.returncode == 0, pushed.stderr


def _output(command: list[str], folder: Path, **environment: str | None) -> str:
    # DVC keeps databases of a repository outside of it, in a folder that all users share.
    home = {"HOME": str(folder / ".git/home"), "DVC_SITE_CACHE_DIR": str(folder / ".git/site-cache")}
    done = run(command, cwd=folder, **HERMETIC, **home, **environment)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout
