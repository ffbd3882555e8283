"""The DVC repository around a project: all that evaltrail does with the inner parts of DVC, which is pinned for it."""

import re
from collections.abc import Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evaltrail import files
from evaltrail.errors import InputError

MEND = "take the committed one (`git checkout FILE`), or remove it and run `evaltrail record`"


def read_yaml(path: Path) -> dict[str, Any]:
    """A YAML file as DVC reads it. Raises InputError when it is none."""
    from dvc.utils.serialize import ParseError, load_yaml

    try:
        return load_yaml(str(path))
    except (ParseError, ValueError) as error:
        mark = getattr(error.__cause__, "problem_mark", None)
        row = mark.line + 1 if mark else None
        raise InputError(path, "is no YAML", row=row, fix=MEND) from None


def yaml_text(value: dict[str, Any]) -> str:
    """`value` as DVC writes it."""
    from dvc.utils.serialize import dumps_yaml

    return dumps_yaml(value)


def dvc_root(directory: Path) -> Path | None:
    """The DVC repository that `directory` lies in, if it lies in one."""
    above = [directory.absolute(), *directory.absolute().parents]
    return next((path for path in above if (path / ".dvc").is_dir()), None)


class Dvc:
    """The DVC repository that a project directory lies in; opened when it is first needed."""

    def __init__(self, directory: Path, root: Path):
        self.directory, self.root = directory.absolute(), root
        self._opened = None

    @property
    def _repo(self):
        if self._opened is None:
            from dvc.repo import Repo

            self._opened = Repo(str(self.root))
            self._opened.scm_context.quiet = True
        return self._opened

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._opened is not None:
            self._opened.close()

    def commit(self, entries: Iterable[dict[str, Any]], in_git: set[str]) -> None:
        """Puts the outputs of lock entries into the cache, and the entries into the run-cache, as `dvc commit` does.

        It leaves the files alone, which `dvc commit` may link anew. in_git: outputs that git is not told to ignore.
        Raises InputError when another DVC command is at work in the repository.
        """
        with self._quietly(), self._repo.lock:
            for entry in entries:
                self.keep({out["path"]: (out["md5"], out["size"]) for out in entry["outs"]})
                for out in entry["outs"]:
                    if out["path"] not in in_git:
                        self._repo.scm_context.ignore(str(self.directory / out["path"]))
                self._remember(entry)

    def keep(self, made: dict[str, tuple[str, int]]) -> None:
        """Puts files into the cache that it lacks: git holds some, which no pull brings. made: md5 and size by path."""
        for path, (md5, _) in made.items():
            if not self.cached(md5).is_file():
                cache = self._repo.cache.local
                cache.add(str(self.directory / path), cache.fs, md5)

    def _remember(self, entry: dict[str, Any]) -> None:
        """Puts a lock entry into the run-cache."""
        key, value = _run_key(entry), _run_key(entry, outs=True)
        path = Path(self._repo.stage_cache._get_cache_path(key, value))
        if not path.exists():
            files.write_text(path, yaml_text(entry))

    def add(self, path: Path) -> None:
        """`dvc add` of a file or folder that no job makes."""
        with self._quietly():
            self._repo.add(str(path))

    def cached(self, md5: str) -> Path:
        """Where the cache has, or would have, the file of this digest."""
        return Path(self._repo.cache.local.oid_to_path(md5))

    def pull(self, md5s: Iterable[str]) -> None:
        """Fetches the files of these digests from the remote, as far as it has them, into the cache."""
        with self._reaching():
            self._repo.cloud.pull(_hashes(md5s))

    def push(self, md5s: Iterable[str]) -> None:
        """`dvc push --run-cache`, and the files of these digests too: those that git holds DVC would not push."""
        with self._reaching():
            self._repo.push(run_cache=True)
            if failed := self._repo.cloud.push(_hashes(md5s)).failed:
                raise OSError(f"{len(failed)} files could not be sent")

    def earlier(self, entry: dict[str, Any]) -> list[dict[str, Any]]:
        """The lock entries of the run-cache for the cmd, deps and params of `entry`, the newest first."""
        folder = Path(self._repo.stage_cache._get_cache_dir(_run_key(entry)))
        named = [path for path in folder.glob("*") if re.fullmatch("[0-9a-f]{64}", path.name)]
        found = sorted(named, key=lambda path: path.stat().st_mtime_ns, reverse=True)
        return [earlier for earlier in map(read_yaml, found) if earlier.get("outs")]

    @contextmanager
    def _reaching(self):
        """One line for whatever a remote's library raises: each has errors of its own."""
        try:
            with self._quietly():
                yield
        except InputError:
            raise
        except Exception as error:
            what = f"DVC's remote cannot be reached: {type(error).__name__}: {' '.join(str(error).split())[:200]}"
            raise InputError(self.root, what, fix="`dvc remote list` says which; see README.md") from None

    @contextmanager
    def _quietly(self):
        from dvc.exceptions import DvcException
        from dvc.lock import LockError

        try:
            yield
        except LockError:
            raise InputError(
                self.root, "another DVC command is at work", fix="wait, then run again"
            ) from None
        except DvcException as error:
            raise InputError(self.directory / "dvc.yaml", " ".join(str(error).split())) from None


def _run_key(entry: dict[str, Any], outs: bool = False) -> str:
    """What the run-cache names an entry by: all of it, or all but what came out."""
    from dvc.stage.cache import _get_cache_hash

    return _get_cache_hash({**entry}, key=not outs)


def _hashes(md5s: Iterable[str]) -> set:
    from dvc_data.hashfile.hash_info import HashInfo

    return {HashInfo("md5", md5) for md5 in md5s}
