"""Asks `symbolic` whether two expressions are equal, in a process that a question can cost no more than its life."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import evaltrail
from evaltrail.benchmarks.cgeval import symbolic
from evaltrail.errors import InputError

TRIES = 3  # of a question where something else than the question ended the process
OF_THE_QUESTION = {
    signal.SIGXCPU,
    signal.SIGSEGV,
    signal.SIGABRT,
    signal.SIGBUS,
}  # too long, or too deep for C
SECONDS = 20  # of CPU a question; all but a few answers of thousands take less than one


class Judge:
    """`equal(a, b)`: whether two canonical expressions have the same value; None when that could not be found out.

    The limit is one of CPU time, so that a busy machine comes to the same verdicts. A context manager.
    """

    def __init__(self, seconds: int = SECONDS):
        self.seconds = seconds
        self._process: subprocess.Popen | None = None
        self._verdicts: dict[tuple[str, str], bool | None] = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._end()

    def equal(self, first: str, second: str) -> bool | None:
        pair = (first, second)
        if pair not in self._verdicts:
            self._verdicts[pair] = self._ask(*pair)
        return self._verdicts[pair]

    def _ask(self, first: str, second: str) -> bool | None:
        question = json.dumps([first, second, self.seconds])
        for _ in range(TRIES):
            if self._process is None:
                self._process = _start()
            try:
                self._process.stdin.write(f"{question}\n")
                self._process.stdin.flush()
                return json.loads(self._process.stdout.readline())
            except (BrokenPipeError, json.JSONDecodeError):
                status = self._process.wait()
                self._end()
                if -status in OF_THE_QUESTION:
                    return None
        what = f"the process that compares expressions ended {TRIES} times, last with status {status}"
        fix = "see that nothing kills it and that it has 4 GB of memory, or set `equivalence: strict`"
        raise InputError("equivalence: symbolic", what, fix=fix)

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _start() -> subprocess.Popen:
    source = str(Path(evaltrail.__file__).parent.parent)
    path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-m", symbolic.__spec__.name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"},
    )
