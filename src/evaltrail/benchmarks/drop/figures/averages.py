"""F1 against a leaderboard's average, at each stop sequence."""

import pandas
from matplotlib.figure import Figure

from evaltrail import plotting
from evaltrail.benchmarks.drop.normalisers import NORMALISERS


def draw(frame: pandas.DataFrame) -> Figure:
    """A panel a normaliser: a point a system, marked by the stop sequence at which its replies are cut."""
    names = [name for name in NORMALISERS if name in set(frame["normaliser"])]
    figure, axes = plotting.panels(len(names), columns=3, width=3.4, height=3.0, sharey=True)
    for one, name in zip(axes, names, strict=False):
        for number, (stop, own) in enumerate(frame[frame["normaliser"] == name].groupby("stop", sort=False)):
            look = plotting.line(number) | {"linestyle": "none"}
            one.plot(own["average"], own["F1"], label=f"cut at {stop}", **look)
        one.set_title(name)
        one.set_xlabel("average on the leaderboard")
        one.set_ylabel("mean F1 (0 to 1)")
    if names:
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    else:
        plotting.nothing(axes[0], "no system of the dataset stands in leaderboard.csv")
    return figure
