"""score: one score an instance (scores.jsonl) and their means by group (metrics.json)."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from evaltrail import adjudications, jsonl, steps
from evaltrail.errors import InputError
from evaltrail.means import mean
from evaltrail.records import Completion, Instance, Prediction, Score


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


class Answered(NamedTuple):
    """An instance with what is scored of its samples.

    texts: the samples' completions, where the benchmark's scores read them; reference: what the references file has.
    """

    instance: Instance
    answers: list[str | None]
    texts: list[str]
    reference: Any


def answered(
    instances: dict[str, Instance],
    predictions: Iterable[Prediction],
    spec: dict[str, Any],
    path,
    texts: dict[str, list[str]] | None = None,
    references: dict[str, Any] | None = None,
) -> Iterator[Answered]:
    """Each instance that has predictions. path: the file of the predictions; see Answered for texts and references."""
    for id, rows in groupby(predictions, key=lambda row: row.instance):
        own = (texts or {}).get(id, [])[: spec["samples"]]
        yield Answered(
            instances[id], answers_of(list(rows), spec, path), own, references[id] if references else None
        )


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
    parts = {group: _means_of_parts(rows) for group, rows in groups.items()}
    return {
        "none": none,
        "instances": {group: len(rows) for group, rows in groups.items()},
        "score": {group: mean(row.score for row in rows) for group, rows in groups.items()},
        **({"parts": parts} if any(parts.values()) else {}),
    }


def _means_of_parts(rows: list[Score]) -> dict[str, float]:
    """Each over the rows that have it: not all types of instances need have all parts."""
    names = dict.fromkeys(name for row in rows for name in row.parts)
    return {name: mean(row.parts[name] for row in rows if name in row.parts) for name in names}


def main(argv=None) -> None:
    files = ("instances", "predictions", "scores", "metrics")
    args = steps.arguments(__doc__, *files, optional=("completions", "references"), argv=argv)
    scorer = steps.plugin(args.spec["benchmark"], "score")
    instances = {instance.id: instance for instance in jsonl.read(args.instances, Instance)}
    predictions = list(jsonl.read(args.predictions, Prediction))
    items = answered(
        instances, predictions, args.spec, args.predictions, *_more(args, instances, predictions)
    )
    scores = list(scorer.scores(items, args.spec))
    ruled = [
        row for row in predictions if row.rule == adjudications.RULE and row.sample < args.spec["samples"]
    ]
    signature = {key: value for key, value in args.spec.items() if key != "code"}
    signature["adjudicated"] = len(ruled) if args.spec["answers"] == "rules" else 0
    if hasattr(scorer, "definitions"):
        signature["definitions"] = scorer.definitions(args.spec)
    jsonl.write(args.scores, scores)
    jsonl.write_document(
        args.metrics, {"signature": signature, **metrics(instances, scores, scorer.groups_of)}
    )


def _more(args, instances: dict[str, Instance], predictions: list[Prediction]):
    """Texts and references, where the benchmark's scores read them. Raises InputError where references are missing."""
    texts: dict[str, list[str]] = {}
    for row in jsonl.read(args.completions, Completion) if args.completions else ():
        texts.setdefault(row.instance, []).append(row.text)
    if "references" not in args.spec:
        return texts, None
    reader = steps.plugin(args.spec["benchmark"], "references")
    asked = dict.fromkeys(row.instance for row in predictions)
    if not args.references:
        columns = ",".join(reader.columns_for(instances[id] for id in asked))
        what, fix = (
            "no such file, and nothing can be scored without references",
            f"bring it, with the columns {columns}",
        )
        raise InputError(args.spec["references"]["missing"], what, fix=f"{fix}; README.md says more")
    return texts, reader.read(args.references, instances, asked)


if __name__ == "__main__":
    steps.run(main)
