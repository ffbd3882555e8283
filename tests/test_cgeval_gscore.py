"""Gscore from its parts."""

import numpy as np
import pytest

from evaltrail.benchmarks.cgeval import signatures
from evaltrail.benchmarks.cgeval.gscore import WEIGHTS, gscore, mathematics_gscore
from evaltrail.benchmarks.cgeval.text_metrics import text_scores

# reply, reference, similarity, Gscore: 0.2 BLEU4 + 0.25 ROUGE2 + 0.25 chrF + 0.3 similarity, to six digits
BY_HAND = [
    # BLEU4 (1/120)^(1/4) = 0.302138, ROUGE2 0.5, chrF 0.26
    ("猫在垫子上", "猫在椅子上", 0.9, 0.060428 + 0.125 + 0.065 + 0.27),
    # BLEU4 1/e = 0.367879, ROUGE2 4/7 = 0.571429, chrF 23/52.6 = 0.437262
    ("一二三", "一二三四五六", 0.8, 0.073576 + 0.142857 + 0.109316 + 0.24),
    # BLEU4 (1/48)^(1/3) = 0.275161, ROUGE2 0, chrF 5/7 = 0.714286
    ("的的的", "的", 0.5, 0.055032 + 0 + 0.178571 + 0.15),
    ("猫狗", "猫狗", 1.0, 1.0),
    ("", "猫狗", 0.0, 0.0),
    ("猫", "狗", 0.7, 0.21),
]


def test_gscores_computed_by_hand():
    columns = zip(*text_scores((reply, reference) for reply, reference, *_ in BY_HAND), strict=True)
    parts = dict(zip(("bleu4", "rouge2", "chrf"), map(np.array, columns), strict=True))
    parts["similarity"] = np.array([similarity for _, _, similarity, _ in BY_HAND])
    assert gscore(parts) == pytest.approx([expected for *_, expected in BY_HAND], abs=2e-6)


def test_the_order_of_the_weights_changes_no_digit():
    rng = np.random.default_rng(0)
    parts = {part: rng.random(100) for part in WEIGHTS}
    turned = dict(reversed(WEIGHTS.items()))
    assert np.array_equal(gscore(parts), gscore(dict(reversed(parts.items())), turned))
    assert signatures.of_gscore(turned) == signatures.of_gscore()


def test_weights_are_parameters():
    parts = {"bleu4": 0.1, "rouge2": 0.2, "chrf": 0.4, "similarity": 0.8}
    weights = {"bleu4": 0.5, "rouge2": 0, "chrf": 0.25, "similarity": 0.25}
    assert gscore(parts, weights) == pytest.approx(0.05 + 0.1 + 0.2)


@pytest.mark.parametrize(
    ("accuracy", "step_chrf", "expected"),
    [(1, 0.5, 1), (0, 0.5, 0.15), (0, 1, 0.3), (0, 0, 0), (1, None, 1), (0, None, 0)],
)
def test_mathematics_gscores_computed_by_hand(accuracy, step_chrf, expected):
    assert mathematics_gscore(accuracy, step_chrf) == pytest.approx(expected)
