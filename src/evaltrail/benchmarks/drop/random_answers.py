"""Random answers: a number that the passage names, or a few words of it."""

import random
import re

from evaltrail.records import Instance

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")


def draw(instance: Instance, generator: random.Random) -> str:
    """For a number one of the passage's numbers, a digit where it has none; else one to three words in a row."""
    passage = instance.extra["passage"]
    if instance.type == "number":
        return generator.choice(_NUMBER.findall(passage) or list("0123456789"))
    words = passage.split() or [""]
    start, length = generator.randrange(len(words)), generator.randint(1, 3)
    return " ".join(words[start : start + length])
