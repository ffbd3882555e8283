"""What a stop sequence does to scores: the same replies, cut at the first of a dataset's `stops` and at each other."""

from collections.abc import Iterator

import pandas

from evaltrail.benchmarks.drop.normalisers import NORMALISERS
from evaltrail.benchmarks.drop.replies import Scored, cut_at, shown
from evaltrail.means import mean
from evaltrail.records import Instance
from evaltrail.tables import TableRow

EXAMPLES = 3
LONGEST = 40  # characters of a text in an example
EFFECTS = {
    "gained": lambda before, after: after > before,
    "lost": lambda before, after: after < before,
    "unchanged": lambda before, after: after == before,
}
COLUMNS = ["system", "before", "after", "normaliser", "effect", "instances", "share"]
COLUMNS += ["EM_before", "EM_after", "F1_before", "F1_after", "examples"]


def table(instances: list[Instance], rows: list[TableRow], *, stops: list[str]) -> pandas.DataFrame:
    """A row a system, normaliser and effect: gained where F1 rises, lost where it falls, unchanged.

    Means are over the instances of the effect, empty where there are none. examples: the first of them, with the text
    before and after. A reply that a stop sequence which was sent had ended shows nothing of what would have come next.
    """
    lines = []
    for row in rows:
        first = cut_at(instances, row, stops[0])
        for stop in stops[1:]:
            pairs = list(zip(first, cut_at(instances, row, stop), strict=True))
            head = {"system": row.label, "before": shown(stops[0]), "after": shown(stop)}
            lines += [head | line for line in _lines(pairs)]
    return pandas.DataFrame(lines, columns=COLUMNS)


def _lines(pairs: list[tuple[Scored, Scored]]) -> Iterator[dict]:
    for name in NORMALISERS:
        f1 = f"{name}_F1"
        for effect, holds in EFFECTS.items():
            own = [pair for pair in pairs if holds(pair[0].parts[f1], pair[1].parts[f1])]
            line = {
                "normaliser": name,
                "effect": effect,
                "instances": len(own),
                "share": len(own) / len(pairs),
            }
            for part in ("EM", "F1") if own else ():
                for at, when in enumerate(("before", "after")):
                    line[f"{part}_{when}"] = mean(pair[at].parts[f"{name}_{part}"] for pair in own)
            shown_pairs = own[:EXAMPLES] if effect != "unchanged" else []
            yield line | {"examples": "; ".join(map(_example, shown_pairs))}


def _example(pair: tuple[Scored, Scored]) -> str:
    before, after = (_short(scored.completion.text) for scored in pair)
    return f"{pair[0].instance.id}: {before} -> {after}"


def _short(text: str) -> str:
    return repr(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
