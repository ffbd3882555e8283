"""What an answer of each type is, how a person's reading becomes one, and when two are the same."""

import re
from decimal import Decimal

OPTIONS = "ABCD"
MCQS = ("MCQ", "MCQ(multiple)")
NUMBERS = ("Integer", "Numeric")

# Readings of letters: ABD, A, C, (A) and (D), a/c. Of numbers: -14.6, .5, 1,234.5, 1e-3, 1/2.
_LETTERS = re.compile(r"(?:(?:\band\b|[\s,;.&/()\[\]])*[A-Da-d])+[\s,;.()\[\]]*")
_NUMBER = re.compile(
    r"[-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{0,40})(?:\.[0-9]{0,40})?(?:[eE][-+]?[0-9]{1,2})?"
)
_FRACTION = re.compile(r"([-+]?[0-9]{1,20})\s*/\s*([0-9]{1,20})")

# What an answer of each type looks like, a gold as well as a prediction.
FORMS = {
    "MCQ": re.compile(r"[A-D]"),
    "MCQ(multiple)": re.compile(r"(?=[A-D])A?B?C?D?"),
    "Integer": re.compile(r"[0-9]{1,40}"),
    "Numeric": re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?"),
}


def is_answer(type: str, text: str) -> bool:
    """Whether `text` is an answer of the type, in the form that predictions have: ABD, 12, -0.25."""
    return bool(FORMS[type].fullmatch(text))


def read_recorded(type: str, reading: str) -> str | None:
    """A person's reading as an answer: letters in order, or a number; None for no answer ("None", "N/A", "").

    What stands for no answer of the kind (5 for letters, words for a number) is none as well. Two letters stay two
    for a problem with one right option, and -2 stays -2 for a non-negative integer: a person read them, so an answer
    was given, and it is wrong.
    """
    reading = reading.strip()
    if type in MCQS:
        found = re.sub(r"\band\b", "", reading) if _LETTERS.fullmatch(reading) else ""
        return "".join(option for option in OPTIONS if option in found.upper()) or None
    if fraction := _FRACTION.fullmatch(reading):
        over, under = Decimal(fraction[1]), Decimal(fraction[2])
        return f"{over / under:f}" if under else None
    if _NUMBER.fullmatch(reading) and any(map(str.isdigit, reading)):
        return reading.replace(",", "")
    return None


def allowed(type: str, answer: str | None) -> str | None:
    """The answer, or None where its type forbids it: two letters for one right option, an integer below 0 or 2.5."""
    if answer is None or type == "Numeric" or is_answer(type, answer):
        return answer
    if type == "Integer" and Decimal(answer) == Decimal(answer).to_integral_value() and Decimal(answer) >= 0:
        return f"{Decimal(answer):.0f}"
    return None


def agrees(type: str, predicted: str | None, recorded: str | None) -> bool:
    """Whether what the rules read is what a person read; `recorded` is an answer or None.

    Letters must be equal. Numbers agree when they lie at most 0.01 apart, which is the tolerance of the scores, or
    when `predicted`, rounded to the decimals of `recorded`, equals it (people wrote 0.4 for 0.44); a record without
    decimals is no rounding.
    """
    if predicted is None or recorded is None:
        return predicted is recorded
    if type in MCQS:
        return predicted == recorded
    decimals = len(recorded.partition(".")[2])
    rounding = Decimal(1).scaleb(-decimals) / 2 if decimals else Decimal(0)
    return abs(Decimal(predicted) - Decimal(recorded)) <= max(Decimal("0.01"), rounding)
