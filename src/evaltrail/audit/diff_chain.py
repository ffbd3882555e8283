"""Where the chains of two project directories part: for each instance of each system the first step that differs."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from evaltrail.audit.diff_rows import At, differing, instances_in
from evaltrail.audit.diff_sides import DIFFERS, NEITHER, SAME, Pair

STEPS = ("raw data", "instance", "prompt", "generation", "cut", "prediction", "score", "threshold")

# The file of a system's folder that each step writes, in the order of the chain.
FILES = {
    "prompt": "prompts.jsonl",
    "generation": "generations.jsonl",
    "cut": "completions.jsonl",
    "prediction": "predictions.jsonl",
    "score": "scores.jsonl",
}


@dataclass(slots=True)
class Parting:
    """Where the chains of one instance part.

    step: the first step that differs. It is `raw data` where the rows of a step differ first and so does the raw file
    that this step reads: the dataset at instance, the few-shot examples at prompt, the recorded replies at generation.
    file: the file whose rows differ; raw: the raw file, if it is that.
    fields: the fields that differ, none where one side lacks the rows.
    rows: for each row (sample) that differs, where it begins in `file` of A and of B, in bytes; None where it lacks.
    """

    step: str
    file: str
    raw: str | None
    fields: tuple[str, ...]
    rows: tuple[At, ...]

    @property
    def only(self) -> str | None:
        """The side that alone has the rows, if one lacks all of them."""
        for number, other in ((0, "B"), (1, "A")):
            if all(at[number] is None for at in self.rows):
                return other
        return None


Partings = dict[str, Parting]  # by instance


@dataclass
class SystemDiff:
    """What differs in the chain of one system.

    scores: the score in A and in B (None: no row) of each instance in which they differ.
    thresholds: whether thresholds.json is the same or absent; `parts` when it differs though all that it is made of
    is the same, `follows` when that differs too; or the one side that has it.
    metrics: whether metrics.json differs. rewritten: files whose bytes differ though no row does.
    """

    dataset: str
    system: str
    partings: Partings = field(default_factory=dict)
    scores: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    thresholds: str = NEITHER
    metrics: bool = False
    rewritten: list[str] = field(default_factory=list)

    def steps(self) -> dict[str, int]:
        """How many instances part at each step; at threshold it counts the file."""
        counts = Counter(parting.step for parting in self.partings.values())
        counts["threshold"] = int(self.thresholds == "parts")
        return {step: counts[step] for step in STEPS}

    @property
    def differs(self) -> bool:
        changed = self.partings or self.metrics or self.rewritten
        return bool(changed) or self.thresholds not in (SAME, NEITHER)


def dataset_partings(pair: Pair, dataset: str) -> tuple[Partings, list[str]]:
    """The instances whose own rows differ; and instances.jsonl, if its bytes differ though no row does."""
    file = f"data/{dataset}/instances.jsonl"
    if not pair.differs(file):
        return {}, []
    found, any_row = _partings(pair, file, "instance", dataset)
    return found, [] if any_row else [file]


def system_diff(pair: Pair, dataset: str, system: str, instances: Partings) -> SystemDiff:
    """The chain of a system that both sides have. `instances`: the dataset's instances that differ themselves.

    Raises InputError when one side lacks a file of the chain.
    """
    diff = SystemDiff(dataset, system)
    folder = f"results/{dataset}/{system}"
    asked = f"{folder}/{FILES['prompt']}"
    pair.differs(asked)  # for its error where one side lacks the file
    for side in (pair.a, pair.b):
        if instances and side.has(asked):
            diff.partings |= {id: instances[id] for id in instances_in(side, asked, instances)}
    for step, name in FILES.items():
        file = f"{folder}/{name}"
        if pair.differs(file):
            scores = diff.scores if step == "score" else None
            found, any_row = _partings(pair, file, step, dataset, system, diff.partings, scores)
            diff.partings |= found
            diff.rewritten += [] if any_row else [file]
    diff.metrics = pair.differs(f"{folder}/metrics.json")
    diff.thresholds = _thresholds(pair, folder, bool(instances))
    return diff


def _thresholds(pair: Pair, folder: str, instances: bool) -> str:
    """What SystemDiff says of them. They are made of the instances and of the scores."""
    state = pair.state(f"{folder}/thresholds.json")
    if state != DIFFERS:
        return state
    return "follows" if instances or pair.differs(f"{folder}/{FILES['score']}") else "parts"


def _partings(
    pair: Pair,
    file: str,
    step: str,
    dataset: str,
    system: str | None = None,
    known: Iterable[str] = (),
    scores: dict[str, tuple[Any, Any]] | None = None,
) -> tuple[Partings, bool]:
    """The instances that part at the step which writes `file`, and whether any row there differs.

    known: instances that parted at an earlier step; scores: takes the scores that differ.
    """
    found: dict[str, dict[int, At]] = {}  # by instance and sample
    fields: dict[str, dict[str, None]] = {}
    any_row = False
    for row in differing(pair, file):
        if scores is not None and row.scores[0] != row.scores[1]:
            scores[row.instance] = row.scores
        if row.instance in known:
            any_row = True
        elif (names := row.fields()) or None in row.at:
            any_row = True
            found.setdefault(row.instance, {})[row.sample] = row.at
            fields.setdefault(row.instance, {}).update(dict.fromkeys(names))
    raw = pair.raw_parts(dataset, step, system) if found else None
    step = "raw data" if raw else step
    partings = {
        id: Parting(step, file, raw, tuple(fields[id]), tuple(rows[sample] for sample in sorted(rows)))
        for id, rows in found.items()
    }
    return partings, any_row
