"""Figure 6: how often an option is right that a system names with a given confidence."""

from typing import NamedTuple

import pandas

from evaltrail.benchmarks.jeebench import marks
from evaltrail.records import Instance
from evaltrail.tables import TableRow

BINS = 10
COLUMNS = ["system", "bin", "from", "to", "options", "confidence", "accuracy", "error", "mce", "ace", "ece"]


class Bin(NamedTuple):
    """The options of one bin: how many, the sum of the samples that named them, and how many are right."""

    options: int
    samples: int
    right: int


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system (with more than one sample) and bin that has options, over the four options of every MCQ.

    bin, from, to: ten bins of width 0.1, the lower end inside, 1 in the last; with up to 9 samples no two
    confidences share a bin, so no other even binning that tells them apart gives other errors. confidence: the mean
    share of ALL samples that name the option; accuracy: the share of options that are right; error: how far the two
    lie apart. For the system: mce, the largest error of a bin; ace, their mean, each bin counting once; ece, their
    mean weighted by options (Naeini et al. 2015; the paper gives MCE 0.136 and ACE 0.098 for GPT-4 + CoT + SC).
    """
    lines = []
    for row in rows:
        mcqs = marks.mcqs(marks.answered(instances, row.files["scores.jsonl"]))
        if marks.samples_of(mcqs) > 1:
            lines += _lines(row.label, binned(mcqs), marks.samples_of(mcqs))
    return pandas.DataFrame(lines, columns=COLUMNS)


def binned(rows: list[marks.Answered]) -> dict[int, Bin]:
    """The bins that have options, by number from 0."""
    found: dict[int, Bin] = {}
    for instance, score in rows:
        samples = len(score.answers)
        for option, count in marks.option_counts(score.answers).items():
            number = min(BINS - 1, BINS * count // samples)
            old = found.get(number, Bin(0, 0, 0))
            right = option in instance.references[0]
            found[number] = Bin(old.options + 1, old.samples + count, old.right + right)
    return dict(sorted(found.items()))


def _lines(label: str, bins: dict[int, Bin], samples: int) -> list[dict]:
    lines = []
    for number, found in bins.items():
        confidence = found.samples / (samples * found.options)
        accuracy = found.right / found.options
        # One division of whole numbers, so that the error of a well-calibrated bin is exactly 0.
        error = abs(found.samples - samples * found.right) / (samples * found.options)
        lines.append(
            {
                "system": label,
                "bin": number + 1,
                "from": number / BINS,
                "to": (number + 1) / BINS,
                "options": found.options,
                "confidence": confidence,
                "accuracy": accuracy,
                "error": error,
            }
        )
    errors = [line["error"] for line in lines]
    weighted = sum(abs(found.samples - samples * found.right) for found in bins.values())
    summary = {
        "mce": max(errors),
        "ace": sum(errors) / len(errors),
        "ece": weighted / (samples * sum(found.options for found in bins.values())),
    }
    return [line | summary for line in lines]
