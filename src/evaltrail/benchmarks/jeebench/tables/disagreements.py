"""Every reply in which the rules and a person read different answers, to be read once more."""

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.jeebench.tables.agreement import Read, replies_of
from evaltrail.records import Completion, Instance
from evaltrail.tables import TableRow

COLUMNS = ["system", "instance", "sample", "type", "gold", "rules", "recorded", "rule", "text"]
AROUND = 160  # code points of text shown on each side of what the rule read


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a disagreement: system is its id in params.yaml, rules and recorded are the two answers (empty: none).

    rule: what read the first, or says why there is none; text: the text around the place, which stands between « and
    », or the reply's end where no place was found; a line break shows as ⏎.
    """
    lines = []
    for row in rows:
        differing = {
            (reply.prediction.instance, reply.prediction.sample): reply
            for reply in replies_of(row, instances)
            if not reply.agree
        }
        for completion in jsonl.read(row.files["completions.jsonl"], Completion):
            if reply := differing.get((completion.instance, completion.sample)):
                lines.append({"system": row.system, **_line(reply, completion.text)})
    return pandas.DataFrame(lines, columns=COLUMNS)


def _line(reply: Read, text: str) -> dict:
    prediction = reply.prediction
    return {
        "instance": prediction.instance,
        "sample": prediction.sample,
        "type": reply.instance.type,
        "gold": reply.instance.references[0],
        "rules": prediction.prediction,
        "recorded": reply.recorded,
        "rule": prediction.rule,
        "text": around(text, prediction.start, prediction.end),
    }


def around(text: str, start: int | None, end: int | None) -> str:
    """The text around a place, on one line."""
    if start is None or end is None:
        shown = _tail(text, 2 * AROUND)
    else:
        shown = _tail(text[:start], AROUND) + "«" + text[start:end] + "»" + text[end : end + AROUND]
        shown += "…" * (end + AROUND < len(text))
    # what UTF-8 cannot hold shows as its escape
    return " ⏎ ".join(shown.splitlines()).encode("utf-8", "backslashreplace").decode()


def _tail(text: str, length: int) -> str:
    return "…" * (len(text) > length) + text[-length:]
