"""Gscore of each instance, with its parts (Zeng et al. 2023): texts by likeness, computations by their final answer."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from evaltrail.benchmarks.cgeval import (
    library_metrics,
    mathematics,
    signatures,
    text_metrics,
)
from evaltrail.benchmarks.cgeval.gscore import gscore
from evaltrail.benchmarks.cgeval.judge import SECONDS, Judge
from evaltrail.benchmarks.cgeval.kinds import MATH_TYPES
from evaltrail.benchmarks.cgeval.similarity import Similarity
from evaltrail.means import mean
from evaltrail.records import Instance, Score

STORE = Path("data/embeddings")  # vectors of texts, kept by encoder and content
METRICS: dict[str, Callable] = {
    "numpy": text_metrics.text_scores,
    "library": library_metrics.text_scores,
}
TOTAL = "Total"


def groups_of(instance: Instance) -> list[str]:
    """Its category, its subject within that, which may have any name, and all."""
    category = instance.extra["category"]
    return [category, subject_of(category, instance.subject), TOTAL]


def subject_of(category: str, subject: str) -> str:
    """The group of a subject's instances."""
    return f"{category}: {subject}"


def scores(items: Iterable, spec: dict[str, Any]) -> Iterator[Score]:
    """The score of each item (`evaltrail.score.Answered`), in their order; of several samples the mean.

    parts: bleu4, rouge2, chrf, similarity of a text; accuracy and step_chrf of a computation. All from 0 to 1.
    """
    items = list(items)
    texts = [item for item in items if item.instance.type not in MATH_TYPES]
    sums = [item for item in items if item.instance.type in MATH_TYPES]
    found = {
        id: means
        for own, of in ((texts, _of_texts), (sums, _of_computations))
        for id, means in _by_instance(own, of(own, spec))
    }
    for item in items:
        score, parts = found[item.instance.id]
        reference = (item.reference.answer,)
        yield Score(item.instance.id, item.answers[0], reference, score, tuple(item.answers), parts=parts)


Scored = tuple[float, dict[str, float]]  # Gscore and its parts


def _by_instance(items: list, samples: Iterator[Scored]) -> Iterator[tuple[str, Scored]]:
    """The means over each item's samples."""
    for item in items:
        own = [next(samples) for _ in item.texts]
        parts = {name: mean([parts[name] for _, parts in own]) for name in own[0][1]}
        yield item.instance.id, (mean([score for score, _ in own]), parts)


def _of_texts(items: list, spec: dict[str, Any]) -> Iterator[Scored]:
    pairs = [(answer or "", item.reference.answer) for item in items for answer in item.answers]
    alike = (
        Similarity(spec["encoder"], STORE).of_pairs(pairs)
        if pairs and spec["encoder"]
        else [0.0] * len(pairs)
    )
    for metrics, similarity in zip(METRICS[spec["metrics"]](pairs), alike, strict=True):
        parts = {**metrics._asdict(), "similarity": similarity}
        yield gscore(parts, spec["weights"]), parts


def _of_computations(items: list, spec: dict[str, Any]) -> Iterator[Scored]:
    rows = [
        (item.instance.type, answer, text, expected)
        for item in items
        for expected in [mathematics.reference(item.instance.type, *item.reference)]
        for answer, text in zip(item.answers, item.texts, strict=True)
    ]
    with Judge() if spec["equivalence"] == "symbolic" else nullcontext() as judge:
        equal, undecided = judge.equal if judge else None, 0
        for one in mathematics.scores(rows, equal, METRICS[spec["metrics"]]):
            undecided += one.verdict == "undecided"
            steps = {} if one.step_chrf is None else {"step_chrf": one.step_chrf}
            yield one.gscore, {"accuracy": float(one.accuracy), **steps}
    if undecided:
        what = f"{undecided} of {len(rows)} final answers could not be compared within {SECONDS} s of CPU"
        print(f"evaltrail: {what}; they count as different", file=sys.stderr)


def definitions(spec: dict[str, Any]) -> dict[str, str]:
    """One line a number that the asked questions have: how it is computed, by which versions."""
    metrics, encoder = signatures.of_text_metrics(), spec["encoder"]
    found = {"chrf": metrics["chrf"], "metrics": spec["metrics"]}
    if spec["instances"] != "text":
        found["mathematics"] = signatures.of_mathematics(spec["equivalence"])
    if spec["instances"] != "mathematics":
        similarity = Similarity(encoder, STORE).signature if encoder else "none"
        found |= {**metrics, "gscore": signatures.of_gscore(spec["weights"]), "similarity": similarity}
    return found
