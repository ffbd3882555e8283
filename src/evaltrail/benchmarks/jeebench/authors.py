"""What the authors' own script makes of the readings of a problem's samples, quirks included (`compat: authors`).

Reference: compute_metrics.py of dair-iitd/jeebench at the pinned commit. README.md lists each quirk beside what
evaltrail does by default. Where that script would stop with an error (a letter beyond D, a number it cannot read),
the reading is no answer here.
"""

from collections import Counter

from evaltrail.benchmarks.jeebench.answers import NUMBERS, OPTIONS

# The script passes its answers through a CSV file that pandas reads, which takes these texts for missing values.
MISSING = {
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>"),
    *("N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"),
}


def aggregate(type: str, readings: list[str]) -> str:
    """One reading of n samples, "None" for no answer. A single sample is taken as it is."""
    if len(readings) == 1:
        return readings[0]
    if type in NUMBERS:
        # Compared as texts: 0.5 and .50 are two answers; of equally frequent ones the first in text order wins.
        given = Counter(reading for reading in readings if reading != "None")
        return min(given, key=lambda reading: (-given[reading], reading), default="None")
    counts = {option: sum(reading.count(option) for reading in readings) for option in OPTIONS}
    if type == "MCQ":
        return max(OPTIONS, key=counts.get)  # the first among equals, so A when no sample has an answer
    return "".join(option for option in OPTIONS if 2 * counts[option] >= len(readings)) or "None"


def as_answer(type: str, reading: str) -> str | None:
    """The answer that `score` takes a reading for, in the form that predictions have; None for none."""
    if reading in MISSING:
        return None
    if type in NUMBERS:
        return reading
    # Any text counts by the letters A to D that occur in it.
    return "".join(option for option in OPTIONS if option in reading) or None


def score(type: str, gold: str, reading: str) -> float:
    """The score of one reading, 0 to 1."""
    answer = as_answer(type, reading)
    if answer is None:
        return 0.0
    if type in NUMBERS:
        try:
            return float(abs(float(gold) - float(answer)) <= 0.01)
        except ValueError:
            return 0.0
    right, given = set(gold), set(answer)
    if given == right:
        return 1.0
    return 0.25 * len(given) if type == "MCQ(multiple)" and given < right else 0.0
