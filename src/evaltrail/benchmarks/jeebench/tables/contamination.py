"""How much of a question's second half a model writes that was given the first: one that saw it may know it.

Overlap is ROUGE-L recall (Lin 2004): the longest common subsequence of words, over the words of the true half. Of a
reply as many words count as the true half has, as in tests of memorisation (Carlini et al. 2023), so that a long
reply gains nothing; where it opens with the first half word for word, what comes after that counts.
"""

import math
import re
from collections.abc import Sequence

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.jeebench.halves import halves
from evaltrail.benchmarks.jeebench.render import question_of
from evaltrail.records import Completion, Instance
from evaltrail.tables import TableRow

METHOD = "contamination"
BOUND = 0.5
COLUMNS = ["system", "year", "instances", "overlap", "above", "bound"]

# A LaTeX command, a number, a run of letters, or a sign of arithmetic. Braces, $ and punctuation are no words: they
# are everywhere, so they would count as known. Case counts: in a formula it means something.
_WORD = re.compile(r"\\[A-Za-z]+|[0-9]+(?:\.[0-9]+)?|[^\W\d_]+|[-+*/=<>^|]")


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a year and one for all years, for each system whose method is `contamination`.

    overlap: the mean over instances, 0 to 1, an instance's being the mean over its samples; above: the share of
    instances whose overlap is above `bound`.
    """
    by_id = {instance.id: instance for instance in instances}
    lines = []
    for row in rows:
        if row.settings["method"] == METHOD:
            overlaps = _overlaps(by_id, row.files["completions.jsonl"])
            years = sorted({by_id[id].extra["year"] for id in overlaps})
            for year in [*years, "all"]:
                own = [value for id, value in overlaps.items() if year in (by_id[id].extra["year"], "all")]
                lines.append({"system": row.label, "year": str(year), **_line(own)})
    return pandas.DataFrame(lines, columns=COLUMNS)


def _overlaps(by_id: dict[str, Instance], path) -> dict[str, float]:
    """The overlap by instance, in the order of the file."""
    samples: dict[str, list[float]] = {}
    for row in jsonl.read(path, Completion):
        first, second = halves(question_of(by_id[row.instance]))
        samples.setdefault(row.instance, []).append(overlap(first, second, row.text))
    return {id: _mean(values) for id, values in samples.items()}


def _line(overlaps: list[float]) -> dict:
    above = [float(value > BOUND) for value in overlaps]
    return {"instances": len(overlaps), "overlap": _mean(overlaps), "above": _mean(above), "bound": BOUND}


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values)


def overlap(first: str, second: str, reply: str) -> float:
    """The overlap of a reply to `first` with the true `second`, 0 to 1; 0 where that has no word."""
    before, true, given = (_WORD.findall(text) for text in (first, second, reply))
    if before and given[: len(before)] == before:
        given = given[len(before) :]
    return common(true, given[: len(true)]) / len(true) if true else 0.0


def common(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the longest common subsequence, by whole rows of bits (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for at, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << at
    every = (1 << len(first)) - 1
    unmatched = every
    for word in second:
        here = unmatched & places.get(word, 0)
        unmatched = (unmatched + here | unmatched - here) & every
    return len(first) - unmatched.bit_count()
