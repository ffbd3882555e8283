"""predict: the answer that the rules find in each completion, and what a person read there, to predictions.jsonl."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from evaltrail import adjudications, jsonl, steps
from evaltrail.adjudications import Ruling
from evaltrail.errors import InputError
from evaltrail.records import Completion, Generation, Instance, Prediction


class Extraction(NamedTuple):
    """What a benchmark's rules read in a completion.

    answer: None when there is none. rule: the rule that found it, or that says why there is none.
    start, end: the place of what was read, in code points of the completion; None where nothing was found.
    """

    answer: str | None
    rule: str | None
    start: int | None
    end: int | None


def predictions(
    instances: dict[str, Instance],
    completions: Iterable[Completion],
    recorded_answers: dict[tuple[str, int], str | None],
    rules,
    spec: dict[str, Any],
) -> Iterator[Prediction]:
    """One prediction a completion.

    rules: the benchmark's module, with read(instance, completion, spec), an Extraction, and VERSION.
    """
    for row in completions:
        found = rules.read(instances[row.instance], row, spec)
        yield Prediction(
            instance=row.instance,
            sample=row.sample,
            prediction=found.answer,
            rule=found.rule,
            start=found.start,
            end=found.end,
            rules=rules.VERSION,
            cut=row.stop is not None,
            recorded_answer=recorded_answers.get((row.instance, row.sample)),
        )


def adjudicated(
    rows: Iterable[Prediction], rulings: dict[tuple[str, int], Ruling], instances, is_answer, path
) -> Iterator[Prediction]:
    """`rows` with a person's rulings in place of what the rules read.

    is_answer: whether a text is an answer of a type, as the benchmark has it. Raises InputError for a ruling that is
    no answer of its type and, after the last row, for one that no row matches.
    """
    left = dict(rulings)
    for row in rows:
        ruling = left.pop((row.instance, row.sample), None)
        if ruling is None:
            yield row
            continue
        type = instances[row.instance].type
        if ruling.answer is not None and not is_answer(type, ruling.answer):
            what = f"{ruling.answer!r} is no answer of type {type}"
            raise InputError(path, what, row=ruling.line, field="answer", fix="write an answer or None")
        ruled = {"prediction": ruling.answer, "rule": adjudications.RULE, "start": None, "end": None}
        yield msgspec.structs.replace(row, **ruled)
    for (instance, sample), ruling in left.items():
        what = f"there is no reply to {instance}, sample {sample}"
        raise InputError(path, what, row=ruling.line, fix="mend or remove the row")


def main(argv=None) -> None:
    files = ("instances", "completions", "predictions")
    args = steps.arguments(__doc__, *files, optional=("generations", "adjudications"), argv=argv)
    rules = steps.plugin(args.spec["benchmark"], "predict")
    instances = {instance.id: instance for instance in jsonl.read(args.instances, Instance)}
    completions = jsonl.read(args.completions, Completion)
    generations = jsonl.read(args.generations, Generation) if args.generations else ()
    recorded_answers = {(row.instance, row.sample): row.recorded_answer for row in generations}
    rows = predictions(instances, completions, recorded_answers, rules, args.spec)
    if args.adjudications:
        rulings = adjudications.read(args.adjudications, args.spec["system"])
        rows = adjudicated(rows, rulings, instances, rules.is_answer, args.adjudications)
    jsonl.write(args.predictions, rows)


if __name__ == "__main__":
    steps.run(main)
