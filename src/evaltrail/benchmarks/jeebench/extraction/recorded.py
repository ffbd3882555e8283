"""What people recorded as a reply's answer, and when an extracted answer agrees with it."""

import re
from decimal import Decimal

from . import arithmetic

_SMALLEST, _LARGEST = Decimal("1e-6"), Decimal("1e9")
LETTER_KINDS = ("MCQ", "MCQ(multiple)")


def recorded_answer(kind: str, extract: str | None) -> str | None:
    """The recorded `extract` as an answer of its kind; None for "None", "N/A", "" and all that the kind forbids.

    Letters come back sorted, each once, also two for a single-correct problem: such a record is not missing but
    wrong. An Integer is a non-negative whole number; a Numeric may be written as a fraction.
    """
    text = "" if extract is None else str(extract).strip()
    if kind in LETTER_KINDS:
        return "".join(sorted(set(text))) if re.fullmatch("[A-D]+", text) else None
    if not re.fullmatch(r"[-+]?[\d.,]{1,40}(?:/\d{1,20}(?:\.\d{0,20})?)?", text):
        return None
    value = arithmetic.evaluate(text)
    return None if value is None else number_as(kind, value)


def number_as(kind: str, value: Decimal) -> str | None:
    """`value` written as `kind` asks for it; None where the kind forbids it, or where nobody could enter it as an
    answer: 2.5 times 10^17 for a number with two decimals was recorded as no answer throughout."""
    if value and not _SMALLEST <= abs(value) < _LARGEST:
        return None
    if kind == "Integer" and (value < 0 or value != value.to_integral_value()):
        return None
    return arithmetic.written(value)


def agrees(kind: str, predicted: str | None, recorded: str | None) -> bool:
    """Whether an extracted answer is the recorded one; `recorded` as `recorded_answer` gives it.

    Letters must be equal. Numbers agree when they are equal, when `predicted`, rounded to the decimals of
    `recorded`, equals it (people wrote 0.87 for sqrt(3)/2), or when they lie at most 0.01 apart, which is the
    tolerance of the scores.
    """
    if predicted is None or recorded is None:
        return predicted is recorded
    if kind in LETTER_KINDS:
        return predicted == recorded
    mine, theirs = Decimal(predicted), Decimal(recorded)
    decimals = max(0, -theirs.as_tuple().exponent)
    return abs(mine - theirs) <= max(Decimal("0.01"), Decimal(1).scaleb(-decimals) / 2)
