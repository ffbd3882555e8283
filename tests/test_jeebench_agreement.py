"""The rules against what people recorded for the three published systems of the mirror.

The rules were made on a fixed random half of the instances. On the other half they agreed at 96.8 % before any of
its replies had been looked at; some general rules came from it since. Both halves must hold, and each system.
"""

import hashlib
import json
from functools import cache
from pathlib import Path

import pytest

from evaltrail.benchmarks.jeebench.answers import agrees, allowed, read_recorded
from evaltrail.benchmarks.jeebench.predict import predict

LEAST = 0.97
SYSTEMS = ("GPT3", "GPT3.5", "GPT4")


def half_of(record: dict) -> str:
    """A fixed random half of the instances, the same for every system."""
    name = f"{record['description']}|{record['index']}"
    return "made on" if hashlib.sha256(name.encode()).digest()[0] % 2 == 0 else "held out"


@cache
def agreement(mirror: Path, system: str) -> dict[str, list[bool]]:
    """Half to whether each of its replies is read as people read it."""
    path = mirror / f"jeebench/data/responses/{system}_normal_responses" / "responses.json"
    outcomes: dict[str, list[bool]] = {"made on": [], "held out": []}
    for record in json.loads(path.read_text(encoding="utf-8")):
        choice = record[f"{system}_normal_response"]["choices"][0]
        text = choice["text"] if "text" in choice else choice["message"]["content"]
        found = predict(record["type"], record["question"], text, choice.get("finish_reason"))
        recorded = allowed(record["type"], read_recorded(record["type"], record["extract"]))
        outcomes[half_of(record)].append(agrees(record["type"], found.answer, recorded))
    return outcomes


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_system_is_read_as_people_read_it(mirror, system):
    halves = agreement(mirror, system)
    outcomes = [outcome for half in halves.values() for outcome in half]
    assert len(outcomes) == 515
    assert sum(outcomes) / len(outcomes) >= LEAST


@pytest.mark.parametrize("half", ["made on", "held out"])
def test_each_half_is_read_as_people_read_it(mirror, half, record_property):
    outcomes = [outcome for system in SYSTEMS for outcome in agreement(mirror, system)[half]]
    share = sum(outcomes) / len(outcomes)
    record_property(f"agreement on the half {half}", round(share, 4))
    assert share >= LEAST
