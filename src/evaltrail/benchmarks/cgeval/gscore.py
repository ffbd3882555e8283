"""Gscore: what an instance earns, from its parts (Zeng et al. 2023).

Terms and short answers are a weighted mean of four parts. Computations earn all for the right final answer, and a part
of 0.3 for the steps to a wrong one. All parts and all scores lie between 0 and 1.
"""

from collections.abc import Mapping
from typing import TypeVar

import numpy as np

Value = TypeVar("Value", float, np.ndarray)
WEIGHTS = {"bleu4": 0.2, "rouge2": 0.25, "chrf": 0.25, "similarity": 0.3}
STEP_WEIGHT = 0.3


def gscore(parts: Mapping[str, Value], weights: Mapping[str, float] = WEIGHTS) -> Value:
    """The weighted mean of the parts, of one instance or of a column of them; the weights sum to 1.

    Added in the order of WEIGHTS, so that the order in which a user wrote the weights changes no digit.
    """
    total = 0.0
    for part in WEIGHTS:
        total = total + weights[part] * parts[part]
    return total


def mathematics_gscore(accuracy: float, step_chrf: float | None) -> float:
    """Accuracy + (1 - Accuracy) x 0.3 x StepChrf; where no steps are asked for (`step_chrf` is None), Accuracy."""
    return accuracy + (1 - accuracy) * STEP_WEIGHT * (step_chrf or 0.0)
