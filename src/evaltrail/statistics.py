"""How sure a mean is: bootstrap intervals over instances, and p-values of two systems on the same instances.

Instances are drawn with replacement (Efron and Tibshirani 1993, An Introduction to the Bootstrap). One seed gives one
result on every machine: the draws are raw words of PCG64, whose stream numpy guarantees, and sums are sums of
integers, so neither their order nor the size of a chunk matters.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy

SEED = 0
RESAMPLES = 10_000
LEVEL = 0.95

_SCALE = (
    2**40
)  # values are rounded to multiples of 2^-40, below 1e-12; quarters and other such scores stay exact
_CHUNK = 2**20  # draws held at a time: about 30 MB


class Comparison(NamedTuple):
    """Two systems on the same instances: the difference of their means, its interval, and the two-sided p."""

    difference: float
    low: float
    high: float
    p: float


def interval(
    values: Sequence[float], *, seed: int = SEED, resamples: int = RESAMPLES, level: float = LEVEL
) -> tuple[float, float]:
    """The interval of the mean of `values`, in their unit: (low, high), by the percentile bootstrap.

    Of the sorted means of `resamples` draws, low is the k-th smallest and high the k-th largest, with k the whole
    part of resamples x (1 - level) / 2, at least 1 (Efron and Tibshirani 1993, section 13.3).
    Raises ValueError for no values.
    """
    fixed = _fixed(values)
    return _percentiles(_sums(fixed, seed, resamples), len(fixed) * _SCALE, level)


def difference_interval(
    first: Sequence[float],
    second: Sequence[float],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> tuple[float, float]:
    """The interval of mean(first) - mean(second) for two groups of different instances, each drawn on its own.

    Percentiles as in `interval`. Raises ValueError when a group is empty.
    """
    a, b = _fixed(first), _fixed(second)
    means = _sums(a, [seed, 1], resamples) / len(a) - _sums(b, [seed, 2], resamples) / len(b)
    return _percentiles(means, _SCALE, level)


def paired_interval(
    first: Sequence[float],
    second: Sequence[float],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> tuple[float, float]:
    """The interval of mean(first) - mean(second) where both hold the same instances in the same order.

    Raises ValueError for no values or unequal lengths.
    """
    return paired(first, second, seed=seed, resamples=resamples, level=level)[1:3]


def paired(
    first: Sequence[float],
    second: Sequence[float],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Comparison:
    """Mean difference, interval and paired-bootstrap p of two systems on the same instances, from the same draws.

    p is two-sided: the share of resampled mean differences that lie as far from the observed one as that lies from
    0, or farther: (1 + hits) / (1 + resamples). That is the test of "no difference" by shifting the resampled
    differences to mean 0 (Riezler and Maxwell 2005, figure 1; Efron and Tibshirani 1993, section 16.4).
    Raises ValueError for no values or unequal lengths.
    """
    fixed = _fixed([a - b for a, b in zip(first, second, strict=True)])
    sums, observed = _sums(fixed, seed, resamples), int(fixed.sum())
    hits = int((abs(sums - observed) >= abs(observed)).sum())
    total = len(fixed) * _SCALE
    low, high = _percentiles(sums, total, level)
    return Comparison(observed / total, low, high, (1 + hits) / (1 + resamples))


def mcnemar(first: Sequence[float], second: Sequence[float]) -> float:
    """Exact two-sided p of McNemar's test for two systems whose scores of the same instances are 0 or 1.

    Only instances that one system alone got right count. Of n such, k on the rarer side: twice the chance of k or
    fewer heads in n throws of a fair coin, at most 1 (McNemar 1947, in its exact binomial form).
    Raises ValueError for other scores or unequal lengths.
    """
    if not {*first, *second} <= {0, 1}:
        raise ValueError("McNemar's test is for scores of 0 and 1")
    differences = [a - b for a, b in zip(first, second, strict=True)]
    wins, losses = differences.count(1), differences.count(-1)
    n = wins + losses
    ways = tail = 1  # of throwing `heads` heads, and of throwing so many or fewer
    for heads in range(1, min(wins, losses) + 1):
        ways = ways * (n - heads + 1) // heads
        tail += ways
    return min(1.0, 2 * tail / 2**n)


def draws(seed: int | list[int], below: int, shape: tuple[int, int]) -> Iterator[numpy.ndarray]:
    """A table of whole numbers from 0 to `below` - 1, drawn evenly, in chunks of rows; the same for any chunk size.

    Each is the upper 32 bits of a word of PCG64, times `below`, over 2^32: uneven by less than below / 2^32.
    """
    generator = numpy.random.PCG64(seed)
    rows, columns = shape
    each = max(1, _CHUNK // max(1, columns))
    for start in range(0, rows, each):
        count = min(each, rows - start)
        words = generator.random_raw(count * columns) >> numpy.uint64(32)
        yield (words * numpy.uint64(below) >> numpy.uint64(32)).astype(numpy.intp).reshape(count, columns)


def _fixed(values: Sequence[float]) -> numpy.ndarray:
    """The values as whole multiples of 1 / _SCALE."""
    array = numpy.asarray(values, dtype=numpy.float64)
    if not len(array):
        raise ValueError("no values, so no mean")
    if not abs(array).max() * len(array) < 2**62 / _SCALE:
        raise ValueError("the values are too large or no numbers")
    return numpy.rint(array * _SCALE).astype(numpy.int64)


def _sums(fixed: numpy.ndarray, seed: int | list[int], resamples: int) -> numpy.ndarray:
    """The sum of each resample."""
    size = len(fixed)
    return numpy.concatenate([fixed[chosen].sum(axis=1) for chosen in draws(seed, size, (resamples, size))])


def _percentiles(sums: numpy.ndarray, total: int, level: float) -> tuple[float, float]:
    """The k-th smallest and the k-th largest, as means."""
    ordered = numpy.sort(sums)
    k = max(1, math.floor(len(ordered) * (1 - Fraction(str(level))) / 2))
    return float(ordered[k - 1]) / total, float(ordered[-k]) / total
