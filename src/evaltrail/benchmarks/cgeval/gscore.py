"""Gscore: what an instance earns, from its parts (Zeng et al. 2023).

Terms and short answers are a weighted mean of four parts. Computations earn all for the right final answer, and a part
of 0.3 for the steps to a wrong one. All parts and all scores lie between 0 and 1.
"""

import math
from collections.abc import Mapping

import numpy as np

from evaltrail.errors import InputError

WEIGHTS = {"bleu4": 0.2, "rouge2": 0.25, "chrf": 0.25, "similarity": 0.3}
STEP_WEIGHT = 0.3


def check_weights(weights: Mapping[str, float], path="params.yaml", field="weights") -> None:
    """Raises InputError unless `weights` names each part of WEIGHTS once, with shares of 1."""
    if set(weights) != set(WEIGHTS):
        what = f"has weights for {', '.join(sorted(weights)) or 'nothing'}"
        raise InputError(path, what, field=field, fix=f"give one for each of {', '.join(WEIGHTS)}")
    for part, weight in weights.items():
        if not 0 <= weight <= 1:
            what = f"{weight} is no share of 1"
            raise InputError(path, what, field=f"{field}.{part}", fix="take a number from 0 to 1")
    if not math.isclose(total := math.fsum(weights.values()), 1, rel_tol=0, abs_tol=1e-9):
        raise InputError(path, f"they sum to {total!r}", field=field, fix="make them sum to 1")


def gscore(parts: Mapping[str, np.ndarray], weights: Mapping[str, float] = WEIGHTS) -> np.ndarray:
    """The weighted mean of the columns `parts`, one value an instance; `weights` as `check_weights` takes them.

    Added in the order of WEIGHTS, so that the order in which a user wrote the weights changes no digit.
    """
    total = np.zeros(len(parts["bleu4"]))
    for part in WEIGHTS:
        total = total + weights[part] * np.asarray(parts[part], float)
    return total


def mathematics_gscore(accuracy: float, step_chrf: float | None) -> float:
    """Accuracy + (1 - Accuracy) x 0.3 x StepChrf; where no steps are asked for (`step_chrf` is None), Accuracy."""
    return accuracy + (1 - accuracy) * STEP_WEIGHT * (step_chrf or 0.0)
