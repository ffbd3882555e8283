"""Why answers do not match, as the Open LLM Leaderboard's deep dive sorted them (2023)."""

import re
from collections.abc import Iterator

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.drop.score import SCORERS
from evaltrail.records import Completion, Instance, Score
from evaltrail.tables import TableRow

COLUMNS = ["system", "class", "instances", "share", "ids"]
_DECIMAL = re.compile(r"[-+$€£]?[0-9,]*\.[0-9]+%?")
# Where an answer may end before the text goes on: at a line's end, a sentence's end, a comma, a bracket.
_ENDS = re.compile(r"\n|[.!?](?=\s|$)|[,;:](?=\s)|\s\(|\s-\s")


def _is_empty(instance: Instance, completion: Completion, score: Score) -> bool:
    return not completion.text.strip()


def _is_cut_decimal(instance: Instance, completion: Completion, score: Score) -> bool:
    """A gold such as 12.25, and a reply that a stop at the point ended with 12."""
    if completion.stop is None or not completion.stop.startswith("."):
        return False
    words = completion.text.split()
    whole = {gold.partition(".")[0] for gold in _texts(instance) if _DECIMAL.fullmatch(gold)}
    return bool(words) and words[-1] in whole


def _is_spoiled(instance: Instance, completion: Completion, score: Score) -> bool:
    """A number that counts when words end at all white space, and not when they end at blanks alone."""
    return instance.type == "number" and score.parts["whitespace_F1"] > score.parts["official_F1"]


def _is_chatter(instance: Instance, completion: Completion, score: Score) -> bool:
    text = completion.text.lstrip()
    starts = (text[: end.start()] for end in _ENDS.finditer(text))
    return any(SCORERS["official"].score(start, instance.references)[0] == 1 for start in starts)


def _may_be_cut(instance: Instance, completion: Completion, score: Score) -> bool:
    """Digits at which a stop such as a point ended the text, or the limit of tokens did: the number may go on."""
    in_number = completion.stop[0] in ".," if completion.stop else completion.finish == "length"
    return in_number and completion.text[-1:].isdecimal()


# The first that holds is an answer's class.
CLASSES = {
    "empty": _is_empty,
    "decimal gold cut at its point": _is_cut_decimal,
    "right number spoiled by white space": _is_spoiled,
    "right answer, then chatter": _is_chatter,
    "ends in a number that may be cut": _may_be_cut,
    "other": lambda instance, completion, score: True,
}


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system and class: how many of the first samples without an exact match (official normaliser) are of it.

    share: of all instances that the system answered to. ids: which they are, with a blank between.
    """
    lines = []
    for row in rows:
        ids: dict[str, list[str]] = {name: [] for name in CLASSES}
        count = 0
        for instance, completion, score in _answered(instances, row):
            count += 1
            if score.parts["official_EM"] < 1:
                holds = (name for name, test in CLASSES.items() if test(instance, completion, score))
                ids[next(holds)].append(instance.id)
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


def _answered(instances: list[Instance], row: TableRow) -> Iterator[tuple[Instance, Completion, Score]]:
    by_id = {instance.id: instance for instance in instances}
    completions = jsonl.read(row.files["completions.jsonl"], Completion)
    firsts = (completion for completion in completions if completion.sample == 0)
    for completion, score in zip(firsts, jsonl.read(row.files["scores.jsonl"], Score), strict=True):
        yield by_id[score.instance], completion, score


def _texts(instance: Instance) -> Iterator[str]:
    for gold in instance.references:
        yield from [gold] if isinstance(gold, str) else gold
