"""evaltrail restore: the outputs are held against the ledger, before a run takes them for current."""

import os
import shutil
import sys
from pathlib import Path

from evaltrail import files, ledger
from evaltrail.bridge import Job
from evaltrail.guard import REMOVED, set_aside, unknown
from evaltrail.ledger import Ledger, digest

_UNKNOWN = "not made here, or changed since"
_BESIDE = "made beside such a file"
_BEHIND = "made from such a file"


def restore(directory: Path, targets: list[str], pull: bool = False) -> bool:
    """Proves each output that the targets need (without targets: all that can be made), job by job.

    An output is proven when DVC has seen these very bytes made from these very inputs under this spec; then it is
    current for Snakemake as well. What is missing or other, and what DVC has in its cache, is taken from there: so a
    parameter set back to an earlier value finds its earlier files. Outputs that neither Snakemake nor the ledger knows
    go to .snakemake/evaltrail.removed, with what was made from them. A file of no rule is never touched.
    pull: files that the cache lacks are fetched from DVC's remote.
    Whether dvc.lock lags behind what was proven, as when an earlier value was set again, is returned.
    Raises InputError when `directory` is no project directory or a source is missing.
    """
    with ledger.open_ledger(directory, targets or ["possible"]) as book:
        return _Restore(book, pull).run()


class _Restore:
    """sound: the jobs whose outputs are right. gone: those whose outputs were taken away. lags: see `restore`."""

    def __init__(self, book: Ledger, pull: bool):
        self.book, self.graph, self.pull = book, book.graph, pull
        self.sound: set[Job] = set()
        self.gone: set[Job] = set()
        self.proven = self.taken = 0
        self.lags = False

    def run(self) -> bool:
        for job in self.graph.jobs:
            stands = self.book.inputs_stand(job, self.sound)
            if stands and self._settle(job):
                self.sound.add(job)
            elif any(maker in self.gone for maker in self.graph.makers(job)):
                self._remove(job, dict.fromkeys(job.outputs, _BEHIND))
            elif wrong := [*unknown(self.graph, job), *(self.book.contradicted(job) if stands else [])]:
                self._remove(job, dict.fromkeys(job.outputs, _BESIDE) | dict.fromkeys(wrong, _UNKNOWN))
        if self.proven:
            taken = f", {self.taken} of them taken from DVC's cache" if self.taken else ""
            print(f"proven by the ledger: {self.proven} files{taken}", file=sys.stderr)
        if self.gone:
            print(f"what was removed is kept in {REMOVED}", file=sys.stderr)
        return self.lags

    def _settle(self, job: Job) -> bool:
        """Whether the outputs are right, or were put right."""
        there, as_left = self.book.there(job), self.graph.is_current(job)
        for outs in self.book.earlier(job):
            if (there != outs and not self._take(outs, there)) or self.book.broken_pins(job):
                continue
            self.lags |= outs != self.book.recorded(job)
            self.book.dvc.keep(outs)
            if there != outs or not as_left:
                _unlink_copies(job)
                self.graph.mark(job)
                self.proven += len(outs)
            self.book.digests |= outs
            return True
        if as_left and not self.book.contradicted(job):
            self.lags |= self.book.dvc is not None  # as after a record that was killed
            self.book.digests |= there
            return True
        return False

    def _take(self, outs, there) -> bool:
        """Puts those of `outs` that are missing or other in place from the cache; whether it has them all."""
        other = {path: made for path, made in outs.items() if there.get(path) != made}
        cached = {path: self.book.dvc.cached(md5) for path, (md5, _) in other.items()}
        if self.pull and not all(path.is_file() for path in cached.values()):
            self.book.dvc.pull(md5 for md5, _ in other.values())
        if not all(path.is_file() and digest(path)[0] == other[out][0] for out, path in cached.items()):
            return False
        for out, path in cached.items():
            if out in there and not self.book.dvc.cached(there[out][0]).is_file():
                self._keep(out, "its bytes are not those that the ledger has")
            with files.atomic_path(out) as partial:
                shutil.copyfile(path, partial)
        self.taken += len(cached)
        return True

    def _remove(self, job: Job, why: dict[str, str]) -> None:
        self.gone.add(job)
        for path in filter(os.path.lexists, job.outputs):
            self._keep(path, why[path])

    def _keep(self, path: str, why: str) -> None:
        set_aside(path)
        print(f"removed {path}: {why}", file=sys.stderr)


def _unlink_copies(job: Job) -> None:
    """Gives each output an inode of its own: DVC may have linked it, and a mark on one would be a mark on all."""
    for path in job.outputs:
        if os.path.islink(path) or os.stat(path).st_nlink > 1:
            with files.atomic_path(path) as partial:
                shutil.copyfile(path, partial)
