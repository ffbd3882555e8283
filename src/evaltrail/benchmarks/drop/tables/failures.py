"""Why answers do not match, as the Open LLM Leaderboard's deep dive sorted them (2023)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.drop.score import SCORERS
from evaltrail.cut import as_stops
from evaltrail.records import Completion, Instance, Score
from evaltrail.tables import TableRow

COLUMNS = ["system", "class", "instances", "share", "ids"]
_DECIMAL = re.compile(r"[-+$€£]?[0-9,]*\.[0-9]+%?")
# Where an answer may end before the text goes on: at a line's end, a sentence's end, a comma, a bracket.
_ENDS = re.compile(r"\n|[.!?](?=\s|$)|[,;:](?=\s)|\s\(|\s-\s")


class Answered(NamedTuple):
    """An instance with its reply's text and score. ends: the stop sequences of which one may have ended the text."""

    instance: Instance
    completion: Completion
    score: Score
    ends: list[str]

    @property
    def text(self) -> str:
        return self.completion.text


def _is_cut_decimal(one: Answered) -> bool:
    """A gold such as 12.25, and a reply that a stop at the point ended with 12."""
    words = one.text.split()
    whole = {gold.partition(".")[0] for gold in _texts(one.instance) if _DECIMAL.fullmatch(gold)}
    return any(stop.startswith(".") for stop in one.ends) and bool(words) and words[-1] in whole


def _is_spoiled(one: Answered) -> bool:
    """A number that counts when words end at all white space, and not when they end at blanks alone."""
    return one.instance.type == "number" and one.score.parts["whitespace_F1"] > one.score.parts["official_F1"]


def _is_chatter(one: Answered) -> bool:
    text = one.text.lstrip()
    starts = (text[: end.start()] for end in _ENDS.finditer(text))
    return any(SCORERS["official"].score(start, one.instance.references)[0] == 1 for start in starts)


def _may_be_cut(one: Answered) -> bool:
    """Digits at which a point or comma ended the text, or the limit of tokens did: the number may go on."""
    in_number = one.completion.finish == "length" or any(stop[0] in ".," for stop in one.ends)
    return in_number and one.text[-1:].isdecimal()


# The first that holds is an answer's class.
CLASSES = {
    "empty": lambda one: not one.text.strip(),
    "decimal gold cut at its point": _is_cut_decimal,
    "right number spoiled by white space": _is_spoiled,
    "right answer then chatter": _is_chatter,
    "ends in a number that may be cut": _may_be_cut,
    "other": lambda one: True,
}


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system and class: how many of the first samples without an exact match (official normaliser) are of it.

    share: of all instances that the system answered to. ids: which they are, with a blank between.
    """
    lines = []
    for row in rows:
        ids: dict[str, list[str]] = {name: [] for name in CLASSES}
        count = 0
        for one in _answered(instances, row):
            count += 1
            if one.score.parts["official_EM"] < 1:
                ids[next(name for name, holds in CLASSES.items() if holds(one))].append(one.instance.id)
        lines += [
            {
                "system": row.label,
                "class": name,
                "instances": len(own),
                "share": len(own) / count,
                "ids": " ".join(own),
            }
            for name, own in ids.items()
        ]
    return pandas.DataFrame(lines, columns=COLUMNS)


def _answered(instances: list[Instance], row: TableRow) -> Iterator[Answered]:
    by_id = {instance.id: instance for instance in instances}
    sent = as_stops(row.settings["generation"].get("stop"))
    completions = jsonl.read(row.files["completions.jsonl"], Completion)
    firsts = (completion for completion in completions if completion.sample == 0)
    for completion, score in zip(firsts, jsonl.read(row.files["scores.jsonl"], Score), strict=True):
        ends = [completion.stop] if completion.stop else sent if completion.finish != "length" else []
        yield Answered(by_id[score.instance], completion, score, ends)


def _texts(instance: Instance) -> Iterator[str]:
    for gold in instance.references:
        yield from [gold] if isinstance(gold, str) else gold
