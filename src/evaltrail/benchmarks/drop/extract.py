"""DROP's questions, each with its passage; the golds are the answer and what other people answered."""

from collections.abc import Iterator

from evaltrail.benchmarks.drop.forms import questions
from evaltrail.records import Instance


def load(path) -> Iterator[Instance]:
    """The questions in file order. A question without a gold that could be met stays, and scores 0.

    subject: the kind of passage (history, nfl), as its id has it; empty where there are no ids.
    """
    for found in questions(path):
        yield Instance(
            id=found.id,
            subject=found.passage_id.partition("_")[0],
            type=found.type,
            question=found.question,
            references=found.references,
            extra={"passage": found.passage, "passage_id": found.passage_id},
        )
