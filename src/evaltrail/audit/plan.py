"""evaltrail plan: what a run would do under the params as they are now, before it does it."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from evaltrail import ledger, stages
from evaltrail.bridge import Job
from evaltrail.guard import unknown
from evaltrail.ledger import Ledger, digest


class Planned(NamedTuple):
    """A job that would run, and why."""

    job: Job
    why: str


class Plan(NamedTuple):
    """current: files that stay; known: files that the ledger has, so nothing runs for them; runs: the jobs that run."""

    current: int
    known: int
    runs: list[Planned]


def plan(directory: Path, targets: list[str]) -> Plan:
    """The plan of `evaltrail restore` and then `snakemake` for the targets (default: the rule `default`)."""
    with ledger.open_ledger(directory, targets or ["default"]) as book:
        sound: set[Job] = set()
        runs, current, known = [], 0, 0
        for job in book.graph.jobs:
            stands = book.inputs_stand(job, sound)
            if stands and (outs := _known(book, job)):
                known += sum(not os.path.isfile(path) or digest(path) != made for path, made in outs.items())
                current += sum(os.path.isfile(path) and digest(path) == made for path, made in outs.items())
                book.digests |= outs
                sound.add(job)
            elif stands and _as_left(book, job):
                current += len(job.outputs)
                book.digests |= {path: digest(path) for path in job.outputs}
                sound.add(job)
            else:
                runs.append(Planned(job, _why(book, job, stands)))
        return Plan(current, known, runs)


def _known(book: Ledger, job: Job) -> stages.Digests | None:
    """What the ledger has of the job, as far as it is here or in the cache."""
    for outs in book.earlier(job):
        there = {path: digest(path) for path in outs if os.path.isfile(path)}
        if all(there.get(path) == made or book.dvc.cached(made[0]).is_file() for path, made in outs.items()):
            return outs
    return None


def _as_left(book: Ledger, job: Job) -> bool:
    made = all(map(os.path.isfile, job.outputs))
    return made and not unknown(book.graph, job) and not book.graph.needs_run(job)


def _why(book: Ledger, job: Job, stands: bool) -> str:
    recorded = book.recorded_spec(job)
    if recorded and recorded != job.spec:
        return f"changed: {', '.join(stages.spec_changes(recorded, job.spec))}"
    if not stands:
        return "what it is made from is made anew"
    if recorded is None:
        return "not made yet"
    missing = not all(map(os.path.isfile, job.outputs))
    return "not here, nor in DVC's cache" if missing else "what it is made from was changed"


def lines(made: Plan) -> Iterator[str]:
    """The plan for people."""
    yield f"{made.current} files are current, {made.known} come from the ledger, {len(made.runs)} jobs run"
    for rule, count in Counter(planned.job.rule for planned in made.runs).items():
        yield f"  {rule}: {count}"
        for planned in made.runs:
            if planned.job.rule == rule:
                yield f"    {planned.job.outputs[0]}  ({planned.why})"
