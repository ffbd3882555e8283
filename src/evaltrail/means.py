"""The mean, the same whatever the order of the values."""

import math
from collections.abc import Iterable


def mean(values: Iterable[float]) -> float:
    """The exact sum of `values`, at least one, divided once."""
    values = list(values)
    return math.fsum(values) / len(values)
