"""Whole files or none: the only way a step puts a file under its final name."""

import contextlib
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from evaltrail.errors import InputError

# The lock of a project directory holds the token of the run that has it; a run's steps find their token in RUN.
LOCK = Path(".snakemake/evaltrail.lock")
RUN = "EVALTRAIL_RUN"
# What stopped the steps of the run, a line each, for the run to say last of all.
STOPPED = LOCK.with_name("evaltrail.stopped")
_PARTIAL = re.compile(
    r"\..+\.[a-z0-9_]{8}\.partial"
)  # a file that is being written, or was when its step was killed


@contextlib.contextmanager
def atomic_path(path) -> Iterator[Path]:
    """A temporary sibling of `path` to write to; it takes the name `path`, synced to disk, when the block succeeds.

    When the block fails the temporary file is removed and whatever stood at `path` stays. Two writers of one
    `path` never mix: each has a file of its own and the last to finish wins.
    Raises OSError as the file system does, and InputError when another run has taken over the project directory.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".partial", dir=path.parent)
    os.close(descriptor)
    partial = Path(name)
    try:
        yield partial
        # mkstemp gives 0600; a finished file has the mode that any new file of this user has.
        umask = os.umask(0)
        os.umask(umask)
        partial.chmod(0o666 & ~umask)
        with open(partial, "rb+") as file:
            os.fsync(file.fileno())
        _check_run(path)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _check_run(path: Path) -> None:
    """Raises InputError in a step that outlived its run, when another run has begun."""
    token = os.environ.get(RUN)
    if token and LOCK.exists() and LOCK.read_text() != token:
        raise InputError(path, "another run has taken over this directory", fix="nothing to do")


def sweep(*folders) -> None:
    """Removes the partial files under `folders`. Only for who knows that no step is at work there."""
    for folder in folders:
        for path in Path(folder).rglob(".*.partial"):
            if _PARTIAL.fullmatch(path.name) and path.is_file():
                path.unlink(missing_ok=True)


def write_text(path, text: str) -> None:
    """Writes `text` to `path` as UTF-8 with the line ends it has, whole or not at all."""
    with atomic_path(path) as partial:
        partial.write_bytes(text.encode("utf-8"))


def sha256(path) -> str:
    """The sha256 of a file's bytes, in hex. Streams."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
