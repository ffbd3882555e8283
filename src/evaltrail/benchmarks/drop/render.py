"""What DROP puts for the names in its prompt wordings: passage, question, and examples drawn from other passages."""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from evaltrail import jsonl
from evaltrail.draws import below
from evaltrail.errors import InputError
from evaltrail.records import Instance, Reference


class _Pool:
    """Instances to draw examples from: those with a gold, each question once, for some are published twice."""

    def __init__(self, instances: Iterable[Instance]):
        distinct: dict[tuple[str, str], Instance] = {}
        for one in instances:
            if one.references:
                distinct.setdefault((one.extra["passage"], one.question), one)
        self.examples = list(distinct.values())
        self._by_passage = Counter(one.extra["passage"] for one in self.examples)

    def others(self, passage: str) -> int:
        """How many are of other passages."""
        return len(self.examples) - self._by_passage[passage]


def fields(examples_path: str | None, shots: dict[str, Any] | None) -> Callable[[Instance], dict[str, str]]:
    """A function from an instance to its `passage`, `question` and, given instances to draw from, `examples`.

    shots: `count` and `seed` of the examples and the `wording` of one. What is drawn depends on them, on the instance's
    id and on the instances to draw from, never on what else is asked.
    """
    pool = _Pool(jsonl.read(examples_path, Instance) if examples_path else [])

    def of_instance(instance: Instance) -> dict[str, str]:
        values = {"passage": instance.extra["passage"], "question": instance.question}
        if not shots:
            return values
        drawn = _draw(instance, pool, shots, examples_path)
        return {**values, "examples": "".join(_written(example, shots["wording"]) for example in drawn)}

    return of_instance


def _draw(instance: Instance, pool: _Pool, shots: dict[str, Any], path) -> list[Instance]:
    """Different examples, none of the instance's own passage. Raises InputError where there are too few."""
    rng = random.Random(f"{shots['seed']} {instance.id}")
    own = instance.extra["passage"]
    if pool.others(own) < shots["count"]:
        what = f"has {pool.others(own)} examples from other passages than that of {instance.id}"
        raise InputError(path, what, fix="lower the count of `shots` or draw them from another dataset")
    drawn: dict[int, Instance] = {}
    while len(drawn) < shots["count"]:
        at = below(len(pool.examples), rng)
        if pool.examples[at].extra["passage"] != own:
            drawn.setdefault(at, pool.examples[at])
    return list(drawn.values())


def _written(example: Instance, wording: str) -> str:
    answer = as_text(example.references[0]).strip()
    return wording.format_map(
        {"passage": example.extra["passage"], "question": example.question, "answer": answer}
    )


def as_text(reference: Reference) -> str:
    """A gold as one text: several spans are joined by a comma, as lm-evaluation-harness shows them to the model."""
    return reference if isinstance(reference, str) else ", ".join(reference)
