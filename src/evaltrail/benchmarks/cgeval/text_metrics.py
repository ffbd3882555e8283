"""BLEU4, ROUGE-2 and chrF of many replies against their references, counted in numpy.

The definitions are those of `library_metrics`, which asks the libraries themselves; the values are the same to the
last digits (a test holds them to 1e-9) and come an order of magnitude sooner.

White space is no character for ROUGE-2 and chrF. A text without characters has no n-grams: 0 in all three. Nothing is
normalised: full width and half width, traditional and simplified, x² and x2 are different characters. Any string is a
text, also one with lone surrogates.
"""

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from evaltrail.benchmarks.cgeval import ngrams, zh_tokens

BLEU_ORDER = 4  # Papineni et al. 2002
CHRF_ORDER, BETA = 6, 2  # Popović 2015, 2016
ROUGE_ORDER = 2  # Lin 2004

_BLOCK = 1 << 15  # characters that are counted at once; memory grows with it and not with the number of pairs


class TextScores(NamedTuple):
    """One reply against its reference, each from 0 to 1."""

    bleu4: float
    rouge2: float
    chrf: float


def text_scores(pairs: Iterable[tuple[str, str]], block: int = _BLOCK) -> Iterator[TextScores]:
    """The scores of (reply, reference) pairs, in their order.

    Streams: `pairs` are taken until they hold `block` characters, which has no effect on any value.
    """
    for taken in _blocks(pairs, block):
        texts = [text for pair in taken for text in pair]
        text = "".join(texts)
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
        owner = np.repeat(np.arange(len(texts)), [len(one) for one in texts])
        kinds = zh_tokens.KINDS[points]
        bleu4 = _bleu(*zh_tokens.tokens(text, points, kinds, owner), len(taken))
        solid = kinds != zh_tokens.SPACE
        rouge2, chrf = _rouge_and_chrf(points[solid], owner[solid], len(taken))
        yield from map(TextScores, bleu4, rouge2, chrf)


def _blocks(pairs: Iterable[tuple[str, str]], block: int) -> Iterator[list[tuple[str, str]]]:
    taken, characters = [], 0
    for pair in pairs:
        taken.append(pair)
        characters += len(pair[0]) + len(pair[1])
        if characters >= block:
            yield taken
            taken, characters = [], 0
    if taken:
        yield taken


def _bleu(symbols: np.ndarray, owner: np.ndarray, pairs: int) -> list[float]:
    """Sentence BLEU, exponential smoothing, effective order: an order without n-grams in the reply is left out."""
    matched = ngrams.matched(symbols, owner, pairs, BLEU_ORDER)
    lengths = np.bincount(owner, minlength=2 * pairs).reshape(pairs, 2).tolist()
    return [
        _bleu_of_one(counts, reply, reference)
        for counts, (reply, reference) in zip(matched.T.tolist(), lengths, strict=True)
    ]


def _bleu_of_one(matched: list[int], reply: int, reference: int) -> float:
    """BLEU from the matched n-grams of each order and the two lengths in tokens.

    The logarithms are added one by one, as `sum` does not from Python 3.12 on: the same value everywhere.
    """
    if not matched[0]:
        return 0.0
    logarithms, smoothing = 0.0, 1
    order = min(BLEU_ORDER, reply)
    for n in range(order):
        total = reply - n
        if matched[n]:
            logarithms += math.log(matched[n] / total)
        else:
            smoothing *= 2
            logarithms += math.log(1 / (smoothing * total))
    brevity = math.exp(1 - reference / reply) if reply < reference else 1.0
    return brevity * math.exp(logarithms / order)


def _rouge_and_chrf(symbols: np.ndarray, owner: np.ndarray, pairs: int) -> tuple[list[float], list[float]]:
    matched = ngrams.matched(symbols, owner, pairs, CHRF_ORDER)
    totals = ngrams.totals(owner, pairs, CHRF_ORDER)
    precision = matched / np.maximum(totals[:, 0::2], 1)
    recall = matched / np.maximum(totals[:, 1::2], 1)
    rouge2 = _f_score(precision[ROUGE_ORDER - 1], recall[ROUGE_ORDER - 1], 1)
    # An order counts where both texts have n-grams of it.
    orders = np.count_nonzero((totals[:, 0::2] > 0) & (totals[:, 1::2] > 0), axis=0)
    means = [_sum(part) / np.maximum(orders, 1) for part in (precision, recall)]
    return rouge2.tolist(), _f_score(*means, BETA).tolist()


def _sum(rows: np.ndarray) -> np.ndarray:
    """The rows added one by one, so that the value does not hang on how numpy groups them."""
    total = np.zeros(rows.shape[1])
    for row in rows:
        total = total + row
    return total


def _f_score(precision: np.ndarray, recall: np.ndarray, beta: int) -> np.ndarray:
    weight = beta**2
    denominator = weight * precision + recall
    return (1 + weight) * precision * recall / np.where(denominator > 0, denominator, 1)
