"""predict: the answer that the rules find in each completion, and what a person read there, to predictions.jsonl."""

from collections.abc import Iterable, Iterator

from evaltrail import jsonl, steps
from evaltrail.records import Completion, Generation, Instance, Prediction


def predictions(
    instances: dict[str, Instance],
    completions: Iterable[Completion],
    recorded_answers: dict[tuple[str, int], str | None],
    rules,
) -> Iterator[Prediction]:
    """One prediction a completion.

    rules: the benchmark's module, with predict(type, question, text, finish) and VERSION.
    """
    for row in completions:
        instance = instances[row.instance]
        found = rules.predict(instance.type, instance.question, row.text, row.finish)
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


def main(argv=None) -> None:
    files = ("instances", "completions", "predictions")
    args = steps.arguments(__doc__, *files, optional=("generations",), argv=argv)
    rules = steps.plugin(args.spec["benchmark"], "predict")
    instances = {instance.id: instance for instance in jsonl.read(args.instances, Instance)}
    completions = jsonl.read(args.completions, Completion)
    generations = jsonl.read(args.generations, Generation) if args.generations else ()
    recorded_answers = {(row.instance, row.sample): row.recorded_answer for row in generations}
    jsonl.write(args.predictions, predictions(instances, completions, recorded_answers, rules))


if __name__ == "__main__":
    steps.run(main)
