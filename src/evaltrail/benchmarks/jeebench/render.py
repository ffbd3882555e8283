"""What JEEBench puts for the names in its prompt templates (benchmark.yaml holds the templates themselves)."""

from collections.abc import Callable

from evaltrail import jsonl
from evaltrail.benchmarks.jeebench.halves import halves
from evaltrail.errors import InputError
from evaltrail.records import Instance


def question_of(instance: Instance) -> str:
    """The question as prompts have it: each blank line closes up once, the ends are stripped.

    As in the authors' inference.py.
    """
    return instance.question.replace("\n\n", "\n").strip()


def fields(examples_path: str | None, shots: None = None) -> Callable[[Instance], dict[str, str]]:
    """A function from an instance to its `question`, the `first_half` of that (see `halves`), and examples.

    The examples are those of the instance's subject and type, given few-shot examples; none are drawn, so `shots`
    says nothing here.
    """
    examples = jsonl.read_document(examples_path) if examples_path else None

    def of_instance(instance: Instance) -> dict[str, str]:
        question = question_of(instance)
        values = {"question": question, "first_half": halves(question)[0]}
        if examples is None:
            return values
        try:
            example = examples[instance.subject][instance.type]
            return {**values, "example_problem": example["problem"], "example_solution": example["solution"]}
        except (KeyError, TypeError):
            what = f"has no example with problem and solution for {instance.subject}, {instance.type}"
            raise InputError(examples_path, what, fix="add one") from None

    return of_instance
