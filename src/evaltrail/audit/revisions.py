"""A project directory as of a git revision: what git has of it, and links to what DVC has."""

import contextlib
import os
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from evaltrail import repository, stages
from evaltrail.errors import InputError

GIVE_ANOTHER = "give another revision"


class Outs(msgspec.Struct):
    """A whole .dvc file."""

    outs: list[stages.File] = []


@contextlib.contextmanager
def project_directory(name: str, project: Path) -> Iterator[Path]:
    """The directory that `name` means: the one of that path, else the project directory as of that git revision.

    The second is a temporary directory, only to be read and gone when the block ends. Its outputs that DVC has are
    links into DVC's cache; where the cache lacks the file, the link leads nowhere. A directory that is one output, and
    a link that git has and that leads out of the project directory, are left out.
    project: the project directory, somewhere in a git repository; asked only where no directory has this name.
    Raises InputError where there is neither a directory nor such a revision of the project directory.
    """
    if os.path.isdir(name):
        yield Path(name)
        return
    git_directory, tree = _find(name, project)
    with tempfile.TemporaryDirectory(prefix="evaltrail-") as temporary:
        root = Path(temporary, "project")
        root.mkdir()
        _take_from_git(name, git_directory, tree, root)
        _link_to_dvc(name, project, root)
        yield root


def _find(name: str, project: Path) -> tuple[str, str]:
    """The git directory, and the project directory's tree at the revision `name`."""
    place = _git("-C", project, "rev-parse", "--absolute-git-dir", "--show-prefix")
    if place.returncode:
        what = f"no such directory, and no revision, for git says: {place.stderr.strip()}"
        raise InputError(name, what, fix="give a project directory, or a revision in one that git knows")
    git_directory, folder = place.stdout.splitlines()
    for what, wanted in (
        (f"no such directory, and no branch, tag or commit in {git_directory}", "^{commit}"),
        (f"has no directory {folder} at that revision", f"^{{commit}}:{folder}"),
    ):
        found = _git("-C", project, "rev-parse", "--verify", "--quiet", "--end-of-options", name + wanted)
        if found.returncode:
            raise InputError(name, what, fix="`git log --oneline --all -- .` lists revisions")
    return git_directory, found.stdout.strip()


def _take_from_git(name: str, git_directory: str, tree: str, root: Path) -> None:
    """Puts the files of a tree into the empty directory `root`."""
    archive = root.with_name("archive.tar")
    # An empty work tree has no attributes: nothing is left out (export-ignore), no byte changed (eol, export-subst).
    as_stored = ["-C", root, "--git-dir", git_directory, "--work-tree", root, "-c", "core.autocrlf=false"]
    done = _git(*as_stored, "archive", "--worktree-attributes", "--format=tar", "-o", archive, tree)
    if done.returncode:
        raise InputError(name, f"cannot be read from git: {done.stderr.strip()}", fix="try `git fsck`")
    with tarfile.open(archive) as members:
        for member in members:
            _put(members, member, root)
    archive.unlink()


def _put(archive: tarfile.TarFile, member: tarfile.TarInfo, root: Path) -> None:
    """Puts a member in its place, unless it or what it links to leads out of `root`.

    By hand, for Python 3.11.2, which Debian 12 has, knows no filters of extraction.
    """
    path = root / member.name
    ends = (path.parent, path.parent / member.linkname) if member.issym() else (path,)
    if not all(Path(os.path.realpath(end)).is_relative_to(os.path.realpath(root)) for end in ends):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if member.isdir():
        path.mkdir(exist_ok=True)
    elif member.issym():
        path.symlink_to(member.linkname)
    elif member.isfile():
        path.write_bytes(archive.extractfile(member).read())


def _git(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], capture_output=True, text=True, errors="replace")


def _link_to_dvc(name: str, project: Path, root: Path) -> None:
    """Links the outputs that DVC has and git has not to their places in `root`."""
    wanted = {path: md5 for path, md5 in _outs(name, root).items() if not os.path.lexists(root / path)}
    if not wanted:
        return
    if (dvc_root := repository.dvc_root(project)) is None:
        what = f"has files in DVC, and {project} is in no DVC repository"
        raise InputError(name, what, fix="go to one, or give two project directories")
    with repository.Dvc(project, dvc_root) as dvc:
        for path, md5 in wanted.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).symlink_to(dvc.cached(md5))


def _outs(name: str, root: Path) -> dict[str, str]:
    """The md5 of each file that dvc.lock and the .dvc files in `root` have as an output, by path."""
    found = {}
    for file in [root / "dvc.lock", *sorted(root.rglob("*.dvc"))]:
        if file.is_file():
            for out in _outs_of(file, os.path.join(name, file.relative_to(root))):
                path = os.path.relpath(file.parent / out["path"], root)
                md5 = out.get("md5", "")
                if md5 and not md5.endswith(".dir") and not path.startswith(".."):
                    found[path] = md5
    return found


def _outs_of(file: Path, shown: str) -> list[dict]:
    try:
        document = repository.read_yaml(file)
    except InputError as error:
        raise InputError(shown, error.what, fix=GIVE_ANOTHER, row=error.row) from None
    if file.name != "dvc.lock":
        return stages.checked(document, Outs, shown, GIVE_ANOTHER).get("outs", [])
    locked = stages.checked(document, stages.Lock, shown, GIVE_ANOTHER)["stages"]
    return [out for entry in locked.values() for out in entry["outs"]]
