"""Whether replies are as long as the prompt asks: 名词解释 and 简答题 name a number of characters."""

import math

import pandas

from evaltrail import jsonl
from evaltrail.benchmarks.cgeval.kinds import TEXT_TYPES
from evaltrail.records import Completion, Instance
from evaltrail.tables import TableRow

NEAR = 0.2  # of the length asked for, up or down
COLUMNS = ["system", "type", "instances", "asked", "length", "ratio", "near", "shorter", "longer"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system and type of text. Of the first samples, without white space:

    asked, length: the mean number of characters asked for and given; ratio: the mean of given over asked; near: the
    share within 20 % of what was asked; shorter, longer: the shares below and above that. Asked 0: left out.
    """
    by_id = {instance.id: instance for instance in instances}
    lines = []
    for row in rows:
        pairs: dict[str, list[tuple[int, int]]] = {type: [] for type in TEXT_TYPES}
        for completion in jsonl.read(row.files["completions.jsonl"], Completion):
            instance = by_id[completion.instance]
            asked = instance.extra["length"]
            if instance.type in pairs and completion.sample == 0 and asked:
                pairs[instance.type].append((asked, len("".join(completion.text.split()))))
        for type, own in pairs.items():
            if own:
                lines.append({"system": row.label, "type": type, **_line(own)})
    return pandas.DataFrame(lines, columns=COLUMNS)


def _line(pairs: list[tuple[int, int]]) -> dict[str, float]:
    ratios = [given / asked for asked, given in pairs]
    count = len(pairs)
    return {
        "instances": count,
        "asked": sum(asked for asked, _ in pairs) / count,
        "length": sum(given for _, given in pairs) / count,
        "ratio": math.fsum(ratios) / count,
        "near": sum(abs(ratio - 1) <= NEAR for ratio in ratios) / count,
        "shorter": sum(ratio < 1 - NEAR for ratio in ratios) / count,
        "longer": sum(ratio > 1 + NEAR for ratio in ratios) / count,
    }
