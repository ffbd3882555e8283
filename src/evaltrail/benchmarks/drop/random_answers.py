"""Random answers: a number that the passage names, or a few words of it."""

import random
import re

from evaltrail.draws import below
from evaltrail.records import Instance

_NUMBER = re.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")


def draw(instance: Instance, rng: random.Random) -> str:
    """For a number one of the passage's numbers, a digit where it has none; else one to three words in a row."""
    passage = instance.extra["passage"]
    if instance.type == "number":
        numbers = _NUMBER.findall(passage) or list("0123456789")
        return numbers[below(len(numbers), rng)]
    words = passage.split()
    start, length = below(len(words), rng), 1 + below(3, rng)
    return " ".join(words[start : start + length])
