"""evaltrail plan: what a run would do under the params as they are now, before it does it."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from evaltrail import jsonl, ledger, live, render, stages, study
from evaltrail.bridge import Job
from evaltrail.ledger import Ledger
from evaltrail.records import Instance


class Planned(NamedTuple):
    """A job that would run, and why. forecast: of a live generation what it would ask, where its prompts are known."""

    job: Job
    why: str
    forecast: live.Forecast | None = None


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
            there = book.there(job)
            outs = _known(book, job, there) if stands else None
            if outs is None:
                runs.append(Planned(job, _why(book, job, stands), _forecast(book, job)))
                continue
            stay = sum(there.get(path) == made for path, made in outs.items())
            current, known = current + stay, known + len(outs) - stay
            book.digests |= outs
            sound.add(job)
        return Plan(current, known, runs)


def _known(book: Ledger, job: Job, there: stages.Digests) -> stages.Digests | None:
    """The outputs, where nothing has to run for them: in the ledger, here or in the cache, or current."""
    for outs in book.earlier(job):
        if all(there.get(path) == made or book.dvc.cached(made[0]).is_file() for path, made in outs.items()):
            return outs
    return there if book.graph.is_current(job) else None


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


def _forecast(book: Ledger, job: Job) -> live.Forecast | None:
    """What a live generation would ask. Prompts that are themselves to be made are made in memory."""
    if job.rule != "generate" or not study.is_live(book.params, system := job.wildcards["system"]):
        return None
    prompts = _prompts(book, job)
    if prompts is None:
        return None
    return live.forecast(json.loads(job.spec), json.loads(study.connection(book.params, system)), prompts)


def _prompts(book: Ledger, job: Job) -> dict[str, str] | None:
    """The prompts of a generation as they will be, None where what they are made from is not there yet."""
    (own,) = [maker for maker in book.graph.makers(job) if maker.rule == "render"]
    if not all(map(os.path.isfile, own.inputs)):
        return None
    instances = jsonl.read(f"data/{own.wildcards['dataset']}/instances.jsonl", Instance)
    spec, system = json.loads(own.spec), own.wildcards["system"]
    fields_of = render.fields(
        spec, *(next(iter(of(book.params, system)), None) for of in (study.examples_of, study.solutions_of))
    )
    return {row.instance: row.prompt for row in render.render(instances, spec, fields_of, own.inputs[0])}


def lines(made: Plan) -> Iterator[str]:
    """The plan for people."""
    yield f"{made.current} files are current, {made.known} come from the ledger, {len(made.runs)} jobs run"
    for rule, count in Counter(planned.job.rule for planned in made.runs).items():
        yield f"  {rule}: {count}"
        for planned in made.runs:
            if planned.job.rule == rule:
                yield f"    {planned.job.outputs[0]}  ({planned.why})"
                if planned.forecast:
                    yield f"      {_told(planned.forecast)}"
    asked = [
        planned.forecast for planned in made.runs if planned.forecast and planned.forecast.usd is not None
    ]
    if asked:
        yield f"about {sum(forecast.usd for forecast in asked):.4f} USD in all, turns of tools not counted"


def _told(forecast: live.Forecast) -> str:
    most = "no limit to" if forecast.completion is None else f"at most {forecast.completion:,}"
    usd = "" if forecast.usd is None else f", about {forecast.usd:.4f} USD"
    tokens = (
        f": about {forecast.prompt:,} tokens sent, {most} tokens of replies{usd}" if forecast.asked else ""
    )
    return f"{forecast.reused:,} replies are in the log, {forecast.asked:,} are asked for{tokens}"
