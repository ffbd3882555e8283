"""What JEEBench puts for the names in its prompt templates (benchmark.yaml holds the templates themselves)."""

from collections.abc import Callable

from evaltrail import jsonl
from evaltrail.errors import InputError
from evaltrail.records import Instance


def fields(examples_path: str | None) -> Callable[[Instance], dict[str, str]]:
    """A function from an instance to its `question` and, given few-shot examples, those of its subject and type.

    In a question each blank line closes up once and the ends are stripped, as in the authors' inference.py.
    """
    examples = jsonl.read_document(examples_path) if examples_path else None

    def of_instance(instance: Instance) -> dict[str, str]:
        values = {"question": instance.question.replace("\n\n", "\n").strip()}
        if examples is None:
            return values
        try:
            example = examples[instance.subject][instance.type]
            return {**values, "example_problem": example["problem"], "example_solution": example["solution"]}
        except (KeyError, TypeError):
            what = f"has no example with problem and solution for {instance.subject}, {instance.type}"
            raise InputError(examples_path, what, fix="add one") from None

    return of_instance
