"""What sending another stop sequence would ask again: replies that the old one ended before the new one occurred."""

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.drop.replies import first_replies, shown
from evaltrail.cut import as_stops
from evaltrail.exchange import BYTES
from evaltrail.records import Generation, Instance, Prompt
from evaltrail.tables import TableRow

COLUMNS = ["system", "sent", "new", "records", "answered", "asked", "share", "decimal_golds", "share_of_rest"]
COLUMNS += ["tokens", "gpu_hours", "tokens_per_gpu_second"]


def table(
    instances: list[Instance], rows: list[TableRow], *, stops: list[str], tokens_per_gpu_second: float
) -> pandas.DataFrame:
    """A row a system and stop of the dataset's `stops` that it was not asked with; none for random answers.

    asked: records that no kept reply answers, share of all. Of them `decimal_golds` have a gold with a point in it;
    share_of_rest: the share that is asked again of the records without such a gold. tokens: of the prompts that are
    sent again, about one for four bytes, and of replies of the most tokens that the system allows.
    """
    decimal = {instance.id for instance in instances if any("." in str(gold) for gold in instance.references)}
    lines = []
    for row in rows:
        if row.settings["client"] == "random":
            continue
        settings, prompts = row.settings["generation"], _prompt_tokens(row)
        sent, most = as_stops(settings.get("stop")), settings.get("max_tokens") or 0
        replies = list(first_replies(row))
        for stop in stops:
            if stop in sent:
                continue
            asked = [reply.instance for reply in replies if not answers(reply, stop, sent)]
            rest = [reply.instance for reply in replies if reply.instance not in decimal]
            tokens = sum(prompts[id] + most for id in asked)
            lines.append(
                {
                    "system": row.label,
                    "sent": shown(settings.get("stop")),
                    "new": shown(stop),
                    "records": len(replies),
                    "answered": len(replies) - len(asked),
                    "asked": len(asked),
                    "share": len(asked) / len(replies),
                    "decimal_golds": sum(id in decimal for id in asked),
                    "share_of_rest": sum(id not in decimal for id in asked) / len(rest) if rest else None,
                    "tokens": tokens,
                    "gpu_hours": tokens / tokens_per_gpu_second / 3600,
                    "tokens_per_gpu_second": tokens_per_gpu_second,
                }
            )
    return pandas.DataFrame(lines, columns=COLUMNS)


def answers(reply: Generation, stop: str, sent: list[str]) -> bool:
    """Whether the reply shows what the model would have said with `stop` in place of those stops that were `sent`.

    It does where `stop` occurs in it, where the limit of tokens ended it, and where the model did, which is known only
    where nothing was sent.
    """
    return stop in (reply.text or "") or reply.finish == "length" or (reply.finish == "stop" and not sent)


def _prompt_tokens(row: TableRow) -> dict[str, int]:
    prompts = jsonl.read(row.files["prompts.jsonl"], Prompt)
    return {prompt.instance: len(jsonl.encode(prompt.prompt)) // BYTES for prompt in prompts}
