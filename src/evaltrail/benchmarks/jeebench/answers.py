"""What an answer of each type is, and how a person's recorded reading becomes one."""

from decimal import Decimal, InvalidOperation

OPTIONS = "ABCD"


def read_recorded(type: str, reading: str) -> str | None:
    """A person's reading as an answer: letters in order, or a number as it was written; None for no answer.

    What the type has no such answer for (N/A, 5 for letters, words for a number) is none. Two letters stay two for a
    problem with one right option: a person read them, so the answer is given and wrong.
    """
    reading = reading.strip()
    if type in ("MCQ", "MCQ(multiple)"):
        letters = "".join(sorted(set(reading)))
        return letters if letters and set(letters) <= set(OPTIONS) else None
    try:
        return reading if Decimal(reading).is_finite() else None
    except InvalidOperation:
        return None
