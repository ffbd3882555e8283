"""What is scored of a reply: all of it, or the final answer of a computation."""

from evaltrail.benchmarks.cgeval.final_answer import VERSION, final_answer
from evaltrail.benchmarks.cgeval.kinds import MATH_TYPES
from evaltrail.predict import Extraction
from evaltrail.records import Completion, Instance

__all__ = ["VERSION", "is_answer", "read"]


def read(instance: Instance, completion: Completion, spec: dict) -> Extraction:
    """The final answer of a computation (see `final_answer`), else the whole completion; none where it is blank."""
    text = completion.text
    if instance.type in MATH_TYPES:
        found = final_answer(instance.type, text)
        return Extraction(found.answer, found.rule, found.start, found.end)
    return Extraction(text, "whole", 0, len(text)) if text.strip() else Extraction(None, None, None, None)


def is_answer(type: str, text: str) -> bool:
    """Whether `text` may stand as an answer in a person's ruling: any text that is not blank."""
    return bool(text.strip())
