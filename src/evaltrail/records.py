"""One row type per file of the chain: the schema of every file that a step writes.

`sample` counts the draws of one instance from 0. `None` means there is none: no reply text, no stop sequence, no
prediction; it is never a stand-in for a wrong value.
"""

from typing import Any

import msgspec


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all row types share: fixed fields, checked when read."""


# An accepted answer: a text, or several spans that only together are the answer.
Reference = str | tuple[str, ...]


class Instance(Row):
    """instances.jsonl: one question of a benchmark, in the benchmark's order."""

    id: str
    subject: str
    type: str
    question: str
    references: tuple[Reference, ...]  # the accepted answers; the prediction is scored against each
    extra: dict[str, Any]  # what only this benchmark has (JEEBench: description, index, year)


class Prompt(Row):
    """prompts.jsonl: the exact text sent for one instance."""

    instance: str
    prompt: str


class Generation(Row):
    """generations.jsonl: one raw reply, untouched."""

    instance: str
    sample: int
    text: str | None
    finish: str | None  # why the model ended, as it said: stop, length, content_filter, ...
    model: str | None  # the model's name as the endpoint gave it
    usage: dict[str, int] | None  # of the whole response, so it stands at the response's first sample alone
    recorded_answer: (
        str | None
    )  # what a person read in a published reply; the string "None" when they found no answer


class Completion(Row):
    """completions.jsonl: a reply up to the stop sequence."""

    instance: str
    sample: int
    text: str
    end: int  # code points of the raw reply that were kept
    stop: str | None  # the stop sequence that ended the text
    finish: str | None  # "stop" where a stop sequence ended the text, else the reply's own finish reason


class Prediction(Row):
    """predictions.jsonl: what the rules, and where there is one a person, read in a completion."""

    instance: str
    sample: int
    prediction: str | None
    rule: str | None  # the rule that found the prediction, or that says why there is none
    start: int | None  # the span in the completion's text that the rule read, in code points
    end: int | None
    rules: str  # version of the rules
    cut: bool  # a stop sequence ended the completion, so a person who read the raw reply read another text
    recorded_answer: str | None


class Score(Row):
    """scores.jsonl: one instance, all its samples together."""

    instance: str
    prediction: str | None
    references: tuple[Reference, ...]
    score: float  # 0 to 1
    answers: tuple[str | None, ...]  # of the samples that the prediction was made from, in their order
    parts: dict[str, float] = {}  # what else was measured, by name; 0 to 1
