"""F1 by the length of the raw reply, and how many replies are that long."""

import pandas
from matplotlib.figure import Figure

from evaltrail import plotting
from evaltrail.benchmarks.drop.tables.by_length import MOST, name_of


def draw(frame: pandas.DataFrame) -> Figure:
    """A panel a system: a line an answer type over the bins of lengths, and in grey the share of replies in each."""
    names = [name_of(at) for at in range(len(MOST) + 1)]
    groups = list(frame.groupby("system", sort=False))
    figure, axes = plotting.panels(len(groups), columns=2, width=4.4, height=2.9, sharey=True)
    for one, (system, rows) in zip(axes, groups, strict=False):
        total = rows[rows["type"] == "Total"]
        shares = total["instances"] / total["instances"].sum()
        one.bar(
            [names.index(name) for name in total["length"]], shares, color="0.85", label="share of replies"
        )
        for number, (type, own) in enumerate(rows[rows["type"] != "Total"].groupby("type", sort=False)):
            places = [names.index(name) for name in own["length"]]
            one.plot(places, own["F1"], label=type, **plotting.line(number))
        one.set_title(plotting.wrapped(system, 50))
        one.set_xticks(range(len(names)), names, rotation=40, ha="right")
        one.set_ylim(-0.05, 1.05)
        one.set_xlabel("length of the raw reply (characters)")
        one.set_ylabel("mean F1, official; share")
    _legend(figure, axes, groups)
    return figure


def _legend(figure: Figure, axes: list, groups: list) -> None:
    """One legend for all panels, which need not all have every type."""
    if not groups:
        plotting.nothing(axes[0], "no system")
        return
    known = {}
    for one in axes:
        for handle, label in zip(*one.get_legend_handles_labels(), strict=True):
            known.setdefault(label, handle)
    figure.legend(known.values(), known, loc="outside lower center", ncols=6)
