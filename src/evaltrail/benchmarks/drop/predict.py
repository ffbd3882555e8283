"""What is scored of a reply to a DROP question: all of it, as the official scripts have it, or its answer line."""

import re

from evaltrail.predict import Extraction
from evaltrail.records import Completion, Instance

VERSION = "1"  # of the rules; goes into each prediction

# As simple-evals has it: what follows the first "Answer:", to the end of its line.
_ANSWER_LINE = re.compile(r"(?i)Answer\s*:\s*([^\n]+)")


def read(instance: Instance, completion: Completion, spec: dict) -> Extraction:
    """The whole completion (rule `whole`), or where `reading` asks for it and there is one its answer line.

    A blank completion has no answer. White space at the ends stays: of the official normaliser it can change the score.
    """
    text = completion.text
    wanted = spec.get("reading") == "answer-line" and "answer-line" not in spec["without"]
    if wanted and (found := _ANSWER_LINE.search(text)):
        return Extraction(found[1] if found[1].strip() else None, "answer-line", *found.span(1))
    return Extraction(text, "whole", 0, len(text)) if text.strip() else Extraction(None, None, None, None)


def is_answer(type: str, text: str) -> bool:
    """Whether `text` may stand as an answer in a person's ruling: any text that is not blank."""
    return bool(text.strip())
