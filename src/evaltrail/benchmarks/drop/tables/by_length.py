"""F1 by the length of the raw reply and by answer type."""

import pandas

from evaltrail.benchmarks.drop.replies import Scored, as_cut, first_replies
from evaltrail.benchmarks.drop.score import groups_of
from evaltrail.benchmarks.drop.tables.by_type import GROUPS
from evaltrail.means import mean
from evaltrail.records import Instance
from evaltrail.tables import TableRow

# The most characters of a reply in each bin; what is longer is in the last.
MOST = [0, 5, 10, 20, 50, 100, 200, 500]
COLUMNS = ["system", "type", "length", "instances", "EM", "F1"]


def table(instances: list[Instance], rows: list[TableRow]) -> pandas.DataFrame:
    """A row a system, answer type and bin of lengths that has replies. length: characters of the reply before any cut.

    EM, F1: means by the official normaliser, of the first sample as the system's stop cuts it.
    """
    lines = []
    for row in rows:
        lengths = {reply.instance: len(reply.text or "") for reply in first_replies(row)}
        bins: dict[tuple[str, int], list[Scored]] = {}
        for one in as_cut(instances, row):
            for group in groups_of(one.instance):
                bins.setdefault((group, bin_of(lengths[one.instance.id])), []).append(one)
        for group, at in sorted(bins, key=lambda key: (GROUPS.index(key[0]), key[1])):
            own = bins[group, at]
            means = {part: mean(one.parts[f"official_{part}"] for one in own) for part in ("EM", "F1")}
            head = {"system": row.label, "type": group, "length": name_of(at), "instances": len(own)}
            lines.append(head | means)
    return pandas.DataFrame(lines, columns=COLUMNS)


def bin_of(length: int) -> int:
    """The number of the bin that a reply of so many characters is in."""
    return next((at for at, most in enumerate(MOST) if length <= most), len(MOST))


def name_of(at: int) -> str:
    """The lengths in a bin: `0`, `1 to 5`, ..., `over 500`."""
    if at == 0:
        return "0"
    return f"over {MOST[-1]}" if at == len(MOST) else f"{MOST[at - 1] + 1} to {MOST[at]}"
