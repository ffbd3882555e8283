"""DROP's scores: exact match and F1 by each of the three normalisers, side by side."""

from collections.abc import Iterator

from evaltrail.benchmarks.drop.metric import Answer, Scorer
from evaltrail.benchmarks.drop.normalisers import NORMALISERS
from evaltrail.benchmarks.drop.spans import split_spans
from evaltrail.means import mean
from evaltrail.records import Instance, Reference, Score

SCORERS = {name: Scorer(name) for name in NORMALISERS}
TOTAL = "Total"


def groups_of(instance: Instance) -> list[str]:
    """Its answer's type, and all."""
    return [instance.type, TOTAL]


def scores(items, spec: dict) -> Iterator[Score]:
    """The score of each item (`evaltrail.score.Answered`)."""
    return (score(item.instance, item.answers, spec) for item in items)


def score(instance: Instance, answers: list[str | None], spec: dict) -> Score:
    """`score` is F1 by the official normaliser; `parts` has {normaliser}_EM and {normaliser}_F1.

    Of several samples each is scored, and the means count; `prediction` is the first sample's.
    """
    each = [parts(answer or "", instance.references, spec["spans"]) for answer in answers]
    means = {name: mean(one[name] for one in each) for name in each[0]}
    return Score(
        instance.id, answers[0], instance.references, means["official_F1"], tuple(answers), parts=means
    )


def parts(text: str, references: tuple[Reference, ...], spans: str) -> dict[str, float]:
    """Exact match and F1 of one reply by each normaliser. spans: `whole` takes it as one span, `split` as several."""
    answer: Answer = text if spans == "whole" else split_spans(text)
    found = {}
    for name, scorer in SCORERS.items():
        found[f"{name}_EM"], found[f"{name}_F1"] = scorer.score(answer, references)
    return found
