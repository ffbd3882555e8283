"""Why answers do not match, as the Open LLM Leaderboard's deep dive sorted them (2023)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pandas

from evaltrail.benchmarks.drop.replies import Scored, as_cut, decimals, first_replies
from evaltrail.benchmarks.drop.score import SCORERS
from evaltrail.cut import as_stops
from evaltrail.records import Instance
from evaltrail.tables import TableRow

COLUMNS = ["system", "class", "instances", "share", "ids"]

# Where an answer may end before the text goes on: at a line's end, a sentence's end, a comma, a bracket; a number at
# any white space.
_ENDS = re.compile(r"\n|[.!?](?=\s|$)|[,;:](?=\s)|\s\(|\s-\s")
_NUMBER_ENDS = re.compile(rf"{_ENDS.pattern}|\s")
_IN_NUMBERS = (".", ",")  # a stop sequence that begins so may end a text within a number


class Reply(NamedTuple):
    """A first reply. ends: the stop sequences of which one may have ended its text.

    after: what the raw reply goes on with behind the stop at which it was cut; "" where that is not known.
    """

    scored: Scored
    ends: list[str]
    after: str

    @property
    def text(self) -> str:
        return self.scored.completion.text


def _is_cut_decimal(one: Reply) -> bool:
    """A gold such as 12.25, and a reply that a stop at the point ended with 12."""
    words = one.text.split()
    whole = {gold.partition(".")[0] for gold in decimals(one.scored.instance)}
    return any(stop.startswith(".") for stop in one.ends) and bool(words) and words[-1] in whole


def _is_spoiled(one: Reply) -> bool:
    """A number that counts when words end at all white space, and not when they end at blanks alone."""
    parts = one.scored.parts
    return one.scored.instance.type == "number" and parts["whitespace_F1"] > parts["official_F1"]


def _is_chatter(one: Reply) -> bool:
    """A beginning of the text is an exact match. None is tried that has more words than any gold."""
    scorer, instance = SCORERS["official"], one.scored.instance
    golds = [text for gold in instance.references for text in ([gold] if isinstance(gold, str) else gold)]
    most = max((len(scorer.normalised(gold).split()) for gold in golds), default=0)
    text = one.scored.answer.lstrip()
    for end in (_NUMBER_ENDS if instance.type == "number" else _ENDS).finditer(text):
        start = text[: end.start()]
        if scorer.score(start, instance.references)[0] == 1:
            return True
        if len(scorer.normalised(start).split()) > most:
            return False
    return False


def _may_be_cut(one: Reply) -> bool:
    """Digits at the end, and the number may go on: behind a point or comma, or where the limit of tokens ended it."""
    if not one.text[-1:].isdecimal():
        return False
    if one.scored.completion.finish == "length":
        return True
    return any(stop.startswith(_IN_NUMBERS) for stop in one.ends) and (not one.after or one.after.isdecimal())


# The first that holds is an answer's class.
CLASSES = {
    "empty": lambda one: not one.scored.answer.strip(),
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
        for one in _replies(instances, row):
            count += 1
            if one.scored.parts["official_EM"] < 1:
                name = next(name for name, holds in CLASSES.items() if holds(one))
                ids[name].append(one.scored.instance.id)
        for name, own in ids.items():
            head = {"system": row.label, "class": name, "instances": len(own), "share": len(own) / count}
            lines.append(head | {"ids": " ".join(own)})
    return pandas.DataFrame(lines, columns=COLUMNS)


def _replies(instances: list[Instance], row: TableRow) -> Iterator[Reply]:
    sent = as_stops(row.settings["generation"].get("stop"))
    for scored, raw in zip(as_cut(instances, row), first_replies(row), strict=True):
        completion = scored.completion
        if completion.stop:
            after = (raw.text or "")[completion.end + len(completion.stop) :][:1]
            yield Reply(scored, [completion.stop], after)
        else:
            yield Reply(scored, sent if completion.finish != "length" else [], after="")
