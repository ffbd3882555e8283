"""DROP's metric: exact match and F1 of a predicted answer against gold answers (Dua et al. 2019, section 5).

`get_metrics` and `normalize_answer` give what the functions of the same names give in the official scripts, allennlp's
`drop_eval` and lm-evaluation-harness' `drop/utils`, to the last bit. A `Scorer` gives the same for many records, and
with other normalisers than the official one.

An answer is a text, or a list or tuple of spans. Exact match is 1 when both answers have the same spans, in any order.
F1 is that of the two sets of words, and 0 where the gold one holds numbers and the predicted one none of them; with
several spans it is the mean over the best one-to-one alignment. It is rounded to two decimals, half to even.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from evaltrail.benchmarks.drop.alignment import mean_of_aligned
from evaltrail.benchmarks.drop.memo import Memo
from evaltrail.benchmarks.drop.normalisers import NORMALISERS

Answer = str | Sequence[str]


class _Span(NamedTuple):
    text: str
    bag: set[str]  # its words


class _GoldSpan(NamedTuple):
    words: tuple[str, ...]
    bag: set[str]
    numbers: tuple[str, ...]
    blank: bool


class Scorer:
    """Exact match and F1 of many records by one normaliser: official, whitespace or exact.

    It remembers what it read of tokens and golds up to a limit, so that memory does not grow with the records.
    """

    def __init__(self, normaliser: str) -> None:
        self._tokens, words, self._is_number = NORMALISERS[normaliser]
        self._words_of_token = Memo(
            lambda token: tuple(words(token).split()), most=65_536, longest=64
        ).__getitem__
        self._gold_span = Memo(self._read_gold, most=16_384, longest=256).__getitem__

    def score(self, predicted: Answer, golds: Sequence[Answer]) -> tuple[float, float]:
        """The greatest exact match and the greatest F1 of `predicted` against any of `golds`.

        A gold whose first span is blank, or that has no span, is passed over; (0.0, 0.0) when no gold is left.
        Raises TypeError where an answer is neither a text nor a list or tuple of texts.
        """
        read = self._predicted(predicted)
        exact_match = f1 = 0.0
        for gold in golds:
            spans = self._gold(gold)
            if spans and not spans[0].blank:
                found = self._compare(read, spans)
                exact_match, f1 = max(exact_match, found[0]), max(f1, found[1])
        return exact_match, f1

    def metrics(self, predicted: Answer, gold: Answer) -> tuple[float, float]:
        """Exact match (0.0 or 1.0) and F1 of `predicted` against one gold, be it blank.

        F1 is nan when neither has a span. Raises TypeError as `score` does.
        """
        return self._compare(self._predicted(predicted), self._gold(gold))

    def normalised(self, text: str) -> str:
        """The words of `text`, joined by blanks."""
        return " ".join(self._words(text))

    def _words(self, text: str) -> Iterator[str]:
        if not isinstance(text, str):
            raise TypeError(f"a span is a text, not {text!r:.100}")
        return chain.from_iterable(map(self._words_of_token, self._tokens(text)))

    def _predicted(self, answer: Answer) -> list[_Span]:
        return [_Span(text, set(self._words(text))) for text in _spans(answer)]

    def _gold(self, answer: Answer) -> list[_GoldSpan]:
        return list(map(self._gold_span, _spans(answer)))

    def _read_gold(self, text: str) -> _GoldSpan:
        words = tuple(self._words(text))
        return _GoldSpan(words, set(words), tuple(filter(self._is_number, words)), not text.strip())

    def _compare(self, predicted: list[_Span], gold: list[_GoldSpan]) -> tuple[float, float]:
        """Exact match and F1, rounded."""
        if len(predicted) == len(gold) == 1:
            span, of_gold = predicted[0], gold[0]
            same = span.bag == of_gold.bag and tuple(self._words(span.text)) == of_gold.words
            return float(same), _rounded(_f1(span.bag, of_gold))
        same = len(predicted) == len(gold) and self._distinct(predicted) == {span.words for span in gold}
        if not predicted or not gold:
            return float(same), 0.0 if predicted or gold else math.nan
        scores = [[_f1(span.bag, of_gold) for span in predicted] for of_gold in gold]
        return float(same), _rounded(mean_of_aligned(scores))

    def _distinct(self, predicted: list[_Span]) -> set[tuple[str, ...]]:
        return {tuple(self._words(span.text)) for span in predicted}


def _spans(answer: Answer) -> Sequence[str]:
    if isinstance(answer, str):
        return (answer,)
    if isinstance(answer, list | tuple):
        return answer
    raise TypeError(f"an answer is a text, or a list or tuple of texts, not {answer!r:.100}")


def _f1(predicted: set[str], gold: _GoldSpan) -> float:
    """F1 of two bags of words; two empty ones are the same, and one that lacks all numbers of the gold one gets 0."""
    common = len(gold.bag & predicted)
    if not common:
        return float(not gold.bag and not predicted)
    if gold.numbers and predicted.isdisjoint(gold.numbers):
        return 0.0
    precision, recall = common / len(predicted), common / len(gold.bag)
    return 2 * precision * recall / (precision + recall)


def _rounded(value: float) -> float:
    """To two decimals as numpy rounds, by way of the value times 100: 0.025 gives 0.02, where `round` gives 0.03."""
    return round(value * 100) / 100


_OFFICIAL = Scorer("official")


def get_metrics(predicted: Answer, gold: Answer) -> tuple[float, float]:
    """Exact match and F1 as the official scripts' `get_metrics` has them; see `Scorer.metrics`."""
    return _OFFICIAL.metrics(predicted, gold)


def normalize_answer(text: str) -> str:
    """`text` as the official scripts normalise it."""
    return _OFFICIAL.normalised(text)
