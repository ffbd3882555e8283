"""What CG-Eval puts for the names in its prompt wordings (benchmark.yaml holds the wordings themselves)."""

from collections.abc import Callable

from evaltrail.records import Instance


def fields(examples_path: None, shots: None) -> Callable[[Instance], dict[str, str]]:
    """A function from an instance to its `question`, `raw_subject`, mended `subject`, and the `length` to ask for."""

    def of_instance(instance: Instance) -> dict[str, str]:
        return {
            "question": instance.question,
            "subject": instance.subject,
            "raw_subject": instance.extra["raw_subject"],
            "length": str(instance.extra["length"]),
        }

    return of_instance
