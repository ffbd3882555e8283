"""Random draws that are the same for a seed in every version of Python: it promises that of `random()` alone."""

import random


def below(n: int, rng: random.Random) -> int:
    """A whole number from 0 to n - 1."""
    return int(rng.random() * n)
