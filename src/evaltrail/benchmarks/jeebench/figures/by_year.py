"""The mean score by the year of the exam, with intervals."""

import pandas
from matplotlib.figure import Figure

from evaltrail import plotting


def draw(frame: pandas.DataFrame) -> Figure:
    """A panel a system: a point a year with its 95 % interval, and the mean of all years but the latest as a line."""
    groups = list(frame.groupby("system", sort=False))
    figure, axes = plotting.panels(len(groups), columns=3, width=3.0, height=2.4, sharey=True)
    for one, (system, rows) in zip(axes, groups, strict=False):
        years = rows[rows["years"].astype(str).str.fullmatch("[0-9]+")]
        spread = [years["score"] - years["low"], years["high"] - years["score"]]
        one.errorbar(
            years["years"].astype(int),
            years["score"],
            spread,
            fmt="o",
            color="0.0",
            markersize=4.5,
            markerfacecolor="white",
            elinewidth=0.9,
            capsize=2.5,
        )
        others = rows[rows["years"].astype(str).str.startswith("all but")]
        for _, row in others.iterrows():
            one.axhline(row["score"], color="0.35", linestyle="--", linewidth=1, label=row["years"])
        one.set_title(system)
        one.set_xticks(years["years"].astype(int))
        one.tick_params(axis="x", rotation=60)
        one.set_xlabel("year of the exam")
        one.set_ylabel("mean score (0 to 1)")
        one.set_ylim(-0.05, 1.05)
    if groups:
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center")
    else:
        plotting.nothing(axes[0], "no system")
    return figure
