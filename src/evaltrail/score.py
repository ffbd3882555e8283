"""score: one score an instance (scores.jsonl) and their means by group (metrics.json)."""

import math
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from evaltrail import adjudications, jsonl, steps
from evaltrail.errors import InputError
from evaltrail.records import Instance, Prediction, Score


def answers_of(rows: list[Prediction], spec: dict[str, Any], path) -> list[str | None]:
    """What is scored of the first `samples` predictions of one instance: the rules' answers, or a person's readings.

    Raises InputError for too few samples, for a reading that is missing, and for one that was made from another
    text than the completion, because a stop sequence cut the reply that the person read.
    """
    id = rows[0].instance
    if len(rows) < spec["samples"]:
        what = f"has {len(rows)} samples where {spec['samples']} are to be scored"
        raise InputError(path, what, row=id, fix="lower the system's `samples`")
    rows = rows[: spec["samples"]]
    if spec["answers"] == "rules":
        return [row.prediction for row in rows]
    for row in rows:
        if row.cut:
            what = "was cut at a stop sequence, but its recorded answer was read in the whole reply"
            raise InputError(path, what, row=id, fix="set the system's `stop: null` or `answers: rules`")
        if row.recorded_answer is None:
            what = "has no recorded answer"
            raise InputError(path, what, row=id, fix="set the system's `answers: rules`")
    return [row.recorded_answer for row in rows]


def score(
    instances: dict[str, Instance], predictions: Iterable[Prediction], spec: dict[str, Any], scorer, path
) -> list[Score]:
    """One score for each instance that has predictions.

    scorer: the benchmark's module, with score(instance, answers, spec).
    """
    return [
        scorer.score(instances[id], answers_of(list(rows), spec, path), spec)
        for id, rows in groupby(predictions, key=lambda row: row.instance)
    ]


def metrics(instances: dict[str, Instance], scores: Iterable[Score], groups_of) -> dict[str, Any]:
    """The mean score and the number of instances by group, the means of parts, and how many instances have no answer.

    groups_of: the names of the groups that an instance counts in. Means are exact sums divided once.
    """
    groups: dict[str, list[Score]] = {}
    none = 0
    for row in scores:
        none += row.prediction is None
        for group in groups_of(instances[row.instance]):
            groups.setdefault(group, []).append(row)
    parts = {
        group: {part: _mean(row.parts[part] for row in rows) for part in rows[0].parts}
        for group, rows in groups.items()
    }
    return {
        "none": none,
        "instances": {group: len(rows) for group, rows in groups.items()},
        "score": {group: _mean(row.score for row in rows) for group, rows in groups.items()},
        **({"parts": parts} if any(parts.values()) else {}),
    }


def _mean(values: Iterable[float]) -> float:
    values = list(values)
    return math.fsum(values) / len(values)


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "instances", "predictions", "scores", "metrics", argv=argv)
    scorer = steps.plugin(args.spec["benchmark"], "score")
    instances = {instance.id: instance for instance in jsonl.read(args.instances, Instance)}
    predictions = list(jsonl.read(args.predictions, Prediction))
    scores = score(instances, predictions, args.spec, scorer, args.predictions)
    ruled = [
        row for row in predictions if row.rule == adjudications.RULE and row.sample < args.spec["samples"]
    ]
    signature = {key: value for key, value in args.spec.items() if key != "code"}
    signature["adjudicated"] = len(ruled) if args.spec["answers"] == "rules" else 0
    jsonl.write(args.scores, scores)
    jsonl.write_document(
        args.metrics, {"signature": signature, **metrics(instances, scores, scorer.groups_of)}
    )


if __name__ == "__main__":
    steps.run(main)
