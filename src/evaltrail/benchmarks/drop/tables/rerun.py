"""What sending another stop sequence would ask again: replies that the old one ended before the new one occurred."""

from typing import Any

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.drop.replies import decimals, first_replies, shown
from evaltrail.cut import as_stops
from evaltrail.exchange import BYTES
from evaltrail.records import Generation, Instance, Prompt
from evaltrail.tables import TableRow

COLUMNS = [
    *("system", "sent", "new", "records", "answered", "asked", "share"),
    *("decimal_golds", "number_ends", "tokens", "gpu_hours", "tokens_per_gpu_second"),
]


def table(
    instances: list[Instance], rows: list[TableRow], *, stops: list[str], tokens_per_gpu_second: float
) -> pandas.DataFrame:
    """A row a system and stop of the dataset's `stops` that it was not asked with; none for random answers.

    Of the first samples: asked, records that no kept reply answers, and their share; among them decimal_golds, with a
    decimal gold, and number_ends, of the others those whose reply ends in a digit. tokens: of the prompts that are sent
    again, about one for four bytes, and of replies of the most tokens that the system allows; of recorded replies only
    the end of the prompt is known, so examples before it are not counted.
    """
    decimal = {instance.id for instance in instances if decimals(instance)}
    lines = []
    for row in rows:
        settings = row.settings["generation"]
        sent = as_stops(settings.get("stop"))
        replies, prompts = list(first_replies(row)), _prompt_tokens(row)
        for stop in stops:
            if stop not in sent and row.settings["client"] != "random":
                asked = [reply for reply in replies if not answers(reply, stop, sent)]
                head = {"system": row.label, "sent": _sent(row), "new": shown(stop), "records": len(replies)}
                tokens = sum(prompts[reply.instance] + (settings.get("max_tokens") or 0) for reply in asked)
                hours = {"tokens": tokens, "gpu_hours": tokens / tokens_per_gpu_second / 3600}
                lines.append(head | _counts(asked, len(replies), decimal) | hours)
    return pandas.DataFrame(lines, columns=COLUMNS).assign(tokens_per_gpu_second=tokens_per_gpu_second)


def _sent(row: TableRow) -> str:
    """The stop that was sent; a recorded system need not say."""
    stop = row.settings["generation"].get("stop")
    return "not stated" if not stop and row.settings["client"] == "recorded" else shown(stop)


def _counts(asked: list[Generation], records: int, decimal: set[str]) -> dict[str, Any]:
    others = [reply for reply in asked if reply.instance not in decimal]
    return {
        "answered": records - len(asked),
        "asked": len(asked),
        "share": len(asked) / records,
        "decimal_golds": len(asked) - len(others),
        "number_ends": sum((reply.text or "")[-1:].isdecimal() for reply in others),
    }


def answers(reply: Generation, stop: str, sent: list[str]) -> bool:
    """Whether the reply shows what the model would have said with `stop` in place of those stops that were `sent`.

    It does where `stop` occurs in it, or would with any of the stops that may have ended it; where the limit of tokens
    ended it; and where the model did, which is known only where nothing was sent.
    """
    if reply.text is None:
        return False
    if stop in reply.text or reply.finish == "length":
        return True
    known = reply.finish == "stop" or (reply.finish is None and sent)
    return bool(known) and all(stop in reply.text + end for end in sent)


def _prompt_tokens(row: TableRow) -> dict[str, int]:
    prompts = jsonl.read(row.files["prompts.jsonl"], Prompt)
    return {one.instance: len(one.prompt.encode("utf-8", "surrogatepass")) // BYTES for one in prompts}
