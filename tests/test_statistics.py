"""Intervals and p-values against computations of another kind: full enumeration, a formula, counts by hand."""

import math
import os
import subprocess
import sys
from fractions import Fraction
from itertools import product

import numpy
import pytest

from evaltrail import statistics


def all_means(values):
    """The means of all n^n resamples, sorted."""
    return sorted(Fraction(sum(draw)) / len(values) for draw in product(values, repeat=len(values)))


def ends(means, level):
    """The ends of the interval among all means, at a level where draws that miss it by 1.5 % find the same ends."""
    tails = [(1 - level) / 2 + shift for shift in (-0.015, 0, 0.015)]
    lows, highs = zip(
        *[(means[int(t * len(means))], means[-1 - int(t * len(means))]) for t in tails], strict=True
    )
    assert len({*lows}) == len({*highs}) == 1
    return pytest.approx((float(lows[0]), float(highs[0])), abs=1e-12)


@pytest.mark.parametrize(
    ("values", "level"),
    [
        ([0, 1], 0.95),
        ([0, 1, 5], 0.75),
        ([1, 2, 4, 8], 0.7),
        ([0, 0.25, 1, 1, 0.5], 0.6),
        ([-3, 0, 0, 7], 0.85),
        ([0, 0, 1, 1, 1], 0.9),
    ],
)
def test_an_interval_is_that_of_all_resamples(values, level):
    means = all_means([Fraction(value) for value in values])
    assert statistics.interval(values, level=level) == ends(means, level)


def test_an_interval_of_many_values_is_the_normal_one():
    # 120 of 400 right: 0.3 +- 1.96 sqrt(0.3 x 0.7 / 400) = 0.2551 to 0.3449
    low, high = statistics.interval([1] * 120 + [0] * 280)
    assert (low, high) == pytest.approx((0.2551, 0.3449), abs=0.003)


@pytest.mark.parametrize("value", [0.0, 0.25, -2, 1 / 3])
def test_equal_values_have_no_spread(value):
    assert statistics.interval([value] * 7) == pytest.approx((value, value), abs=1e-12)
    assert statistics.interval([value]) == pytest.approx((value, value), abs=1e-12)


def test_an_interval_of_the_negatives_is_the_negative_interval():
    values = [number / 7 for number in range(-20, 30)]
    low, high = statistics.interval(values)
    assert statistics.interval([-value for value in values]) == (-high, -low)


def test_a_paired_interval_is_that_of_the_differences():
    first, second = [1, 1, 0, 0.25, 1], [0, 1, 0.25, 0.25, 0.5]
    assert statistics.paired_interval(first, second) == statistics.interval([1, 0, -0.25, 0, 0.5])
    assert statistics.paired(first, second).difference == 0.25


def test_a_difference_of_two_groups_is_that_of_all_pairs_of_resamples():
    first, second = [0, 1, 4], [2, 3]
    differences = sorted(a - b for a in all_means(first) for b in all_means(second))
    assert statistics.difference_interval(first, second, level=0.65) == ends(differences, 0.65)


@pytest.mark.parametrize(
    "differences", [[1, 0, -1, 1], [1, 1, 1, 1], [1, 0.25, 0, 0, 0.25], [0, 0], [-1, -1, 0.5, 0.25]]
)
def test_the_paired_p_is_the_share_of_all_resamples_as_far_from_the_mean(differences):
    means = all_means([Fraction(value) for value in differences])
    observed = Fraction(sum(differences)) / len(differences)
    expected = sum(abs(mean - observed) >= abs(observed) for mean in means) / len(means)
    # 4 standard deviations of a share of 10,000
    found = statistics.paired(differences, [0] * len(differences)).p
    assert found == pytest.approx(expected, abs=4 * math.sqrt(0.25 / 10_000))


def pairs(both, first_only, second_only, neither):
    """Scores of two systems on the same instances, by how many each got right."""
    counts = {(1, 1): both, (1, 0): first_only, (0, 1): second_only, (0, 0): neither}
    rows = [pair for pair, count in counts.items() for _ in range(count)]
    return [a for a, _ in rows], [b for _, b in rows]


@pytest.mark.parametrize(
    ("both", "first_only", "second_only", "neither", "expected"),
    [
        (0, 0, 0, 0, 1),
        (9, 0, 0, 4, 1),  # nothing differs
        (4, 2, 1, 3, 1),  # 2 x (1 + 3) / 8
        (0, 5, 0, 9, Fraction(2, 32)),
        (3, 1, 9, 2, Fraction(2 * (1 + 10), 1024)),
        (7, 10, 2, 1, Fraction(2 * (1 + 12 + 66), 4096)),
        # Agresti, Categorical Data Analysis: approval ratings, 86 and 150 changed their minds; z = 4.17
        (794, 150, 86, 570, 3.7e-05),
    ],
)
def test_mcnemar(both, first_only, second_only, neither, expected):
    first, second = pairs(both, first_only, second_only, neither)
    assert statistics.mcnemar(first, second) == pytest.approx(
        float(expected), rel=0.02 if neither == 570 else 1e-12
    )
    assert statistics.mcnemar(second, first) == statistics.mcnemar(first, second)


@pytest.mark.parametrize(("wins", "losses"), [(1, 0), (3, 2), (6, 1), (4, 8)])
def test_mcnemar_is_the_share_of_coin_throws_as_uneven(wins, losses):
    n, far = wins + losses, abs(wins - losses)
    throws = product((-1, 1), repeat=n)
    expected = sum(abs(sum(throw)) >= far for throw in throws) / 2**n
    assert statistics.mcnemar(*pairs(2, wins, losses, 3)) == pytest.approx(expected)


def test_mcnemar_of_thousands_is_no_overflow():
    assert statistics.mcnemar(*pairs(0, 6000, 5000, 0)) < 1e-20
    assert statistics.mcnemar(*pairs(0, 5000, 5000, 0)) == 1.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: statistics.interval([]),
        lambda: statistics.interval([math.nan]),
        lambda: statistics.interval([1.0, math.inf]),
        lambda: statistics.interval([1e9]),
        lambda: statistics.paired([1], [1, 0]),
        lambda: statistics.mcnemar([0.25], [1]),
        lambda: statistics.mcnemar([0], [1, 1]),
        lambda: statistics.difference_interval([1], []),
    ],
)
def test_what_has_no_answer_is_an_error(call):
    with pytest.raises(ValueError):
        call()


def test_draws_are_even_and_the_same_in_chunks_of_any_size(monkeypatch):
    whole = numpy.concatenate(list(statistics.draws(7, 10, (3000, 21))))
    assert whole.shape == (3000, 21)
    counts = numpy.bincount(whole.ravel(), minlength=10)
    assert len(counts) == 10
    assert abs(counts - 6300).max() < 5 * math.sqrt(6300)
    monkeypatch.setattr(statistics, "_CHUNK", 50)
    parts = list(statistics.draws(7, 10, (3000, 21)))
    assert len(parts) == 1500
    assert (numpy.concatenate(parts) == whole).all()


def test_the_same_numbers_on_every_machine():
    # PCG64's words are guaranteed by numpy; these are their first ten digits for seed 0, and the interval made of them.
    [first] = statistics.draws(0, 10, (1, 10))
    assert first.tolist() == [[6, 2, 0, 0, 8, 9, 6, 7, 5, 9]]
    program = (
        "import random; from evaltrail import statistics as s; r = random.Random(1); "
        "a = [r.random() for _ in range(515)]; b = [r.random() for _ in range(515)]; print(s.paired(a, b), s.interval(a))"
    )
    results = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={
                **os.environ,
                "OMP_NUM_THREADS": threads,
                "OPENBLAS_NUM_THREADS": threads,
                "PYTHONHASHSEED": seed,
            },
        ).stdout
        for threads, seed in [("1", "0"), ("2", "17")]
    }
    assert len(results) == 1


def test_another_seed_gives_other_draws():
    values = numpy.linspace(0, 1, 100)
    assert statistics.interval(values, seed=1) != statistics.interval(values, seed=2)
    assert statistics.interval(values, seed=1) == pytest.approx(statistics.interval(values, seed=2), abs=0.01)
