"""The mean score by the number of samples that self-consistency votes over (Wang et al. 2023)."""

import math
from collections.abc import Iterator
from itertools import combinations

import pandas

from evaltrail import jsonl, statistics
from evaltrail.benchmarks.jeebench import marks
from evaltrail.benchmarks.jeebench.score import score
from evaltrail.records import Instance
from evaltrail.tables import TableRow

# Subsets of one size are all taken up to this many, else this many are drawn; 8 samples have at most 70.
MOST = 1000
COLUMNS = ["system", "n", "subsets", "instances", "score", "low", "high"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system and number of samples n, from 1 to all that it has.

    score: the mean over the subsets of n samples, each voted over as the system's own are, in their recorded order;
    it is unbiased for n fresh samples, and at n = all the system's score. subsets: how many there are; where there
    are more than 1,000, that many drawn by a fixed seed. low, high: the 95 % bootstrap interval over instances.
    """
    lines = []
    for row in rows:
        answered = marks.answered(instances, row.files["scores.jsonl"])
        # The rows hold answers as the rules give them, whoever read the replies.
        signature = jsonl.read_document(row.files["metrics.json"])["signature"] | {"answers": "rules"}
        samples = marks.samples_of(answered)
        known: list[dict] = [{} for _ in answered]
        for n in range(1, samples + 1):
            chosen = list(subsets(samples, n))
            means = [
                _mean(one, chosen, signature, scores) for one, scores in zip(answered, known, strict=True)
            ]
            low, high = statistics.interval(means)
            lines.append(
                {
                    "system": row.label,
                    "n": n,
                    "subsets": len(chosen),
                    "instances": len(means),
                    "score": math.fsum(means) / len(means),
                    "low": low,
                    "high": high,
                }
            )
    return pandas.DataFrame(lines, columns=COLUMNS)


def subsets(samples: int, n: int) -> Iterator[tuple[int, ...]]:
    """The places of n of the samples, in order: every choice of them, or `MOST` drawn evenly where there are more."""
    if math.comb(samples, n) <= MOST:
        yield from combinations(range(samples), n)
        return
    # n of the places that sort first by a random key
    for keys in statistics.draws(statistics.SEED, 2**31, (MOST, samples)):
        for row in keys.argsort(axis=1, kind="stable")[:, :n]:
            yield tuple(sorted(map(int, row)))


def _mean(one: marks.Answered, chosen: list[tuple[int, ...]], signature: dict, known: dict) -> float:
    """The mean score of an instance over the chosen subsets. known: scores of the answers met before."""
    scores = []
    for places in chosen:
        answers = tuple(one.score.answers[place] for place in places)
        if answers not in known:
            known[answers] = score(one.instance, list(answers), signature).score
        scores.append(known[answers])
    return math.fsum(scores) / len(scores)
