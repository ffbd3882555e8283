"""What DROP puts for the names in its prompt wordings: passage, question, and examples drawn from other passages."""

import random
from collections.abc import Callable
from typing import Any

from evaltrail import jsonl
from evaltrail.draws import below
from evaltrail.errors import InputError
from evaltrail.records import Instance, Reference


def fields(examples_path: str | None, shots: dict[str, Any] | None) -> Callable[[Instance], dict[str, str]]:
    """A function from an instance to its `passage`, `question` and, given instances to draw from, `examples`.

    shots: `count` and `seed` of the examples and the `wording` of one. What is drawn depends on them, on the instance's
    id and on the instances to draw from, never on what else is asked.
    """
    pool = list(jsonl.read(examples_path, Instance)) if examples_path else []
    # Some published questions stand there twice.
    distinct = {(one.extra["passage"], one.question): one for one in reversed(pool) if one.references}
    pool = list(reversed(distinct.values()))

    def of_instance(instance: Instance) -> dict[str, str]:
        values = {"passage": instance.extra["passage"], "question": instance.question}
        if not shots:
            return values
        drawn = _draw(instance, pool, shots, examples_path)
        return {**values, "examples": "".join(_written(example, shots["wording"]) for example in drawn)}

    return of_instance


def _draw(instance: Instance, pool: list[Instance], shots: dict[str, Any], path) -> list[Instance]:
    """Different examples, none of the instance's own passage. Raises InputError where there are too few."""
    rng = random.Random(f"{shots['seed']} {instance.id}")
    seen: dict[int, bool] = {}  # whether what stands at a place of the pool is from another passage
    while sum(seen.values()) < shots["count"]:
        if len(seen) == len(pool):
            what = f"has {sum(seen.values())} examples from other passages than that of {instance.id}"
            raise InputError(path, what, fix="lower the count of `shots` or draw them from another dataset")
        at = below(len(pool), rng)
        seen[at] = pool[at].extra["passage"] != instance.extra["passage"]
    return [pool[at] for at, other in seen.items() if other]


def _written(example: Instance, wording: str) -> str:
    answer = as_text(example.references[0]).strip()
    return wording.format_map(
        {"passage": example.extra["passage"], "question": example.question, "answer": answer}
    )


def as_text(reference: Reference) -> str:
    """A gold as one text: several spans are joined by a comma, as lm-evaluation-harness shows them to the model."""
    return reference if isinstance(reference, str) else ", ".join(reference)
