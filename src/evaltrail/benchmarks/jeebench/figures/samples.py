"""The mean score by the number of samples that self-consistency votes over."""

import pandas
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from evaltrail import plotting


def draw(frame: pandas.DataFrame) -> Figure:
    """A line a system with more than one sample, and its 95 % interval as bars; others are left out."""
    figure = Figure(figsize=(6.4, 4), layout="constrained")
    axes = figure.subplots()
    groups = [(system, rows) for system, rows in frame.groupby("system", sort=False) if len(rows) > 1]
    for number, (system, rows) in enumerate(groups):
        # A step to the side, so that bars of different systems do not hide each other.
        places = rows["n"] + 0.12 * (number - (len(groups) - 1) / 2)
        spread = [rows["score"] - rows["low"], rows["high"] - rows["score"]]
        look = plotting.line(number)
        axes.errorbar(places, rows["score"], spread, label=system, elinewidth=0.7, capsize=2, **look)
    if groups:
        figure.legend(loc="outside lower center", ncols=2)
    else:
        plotting.nothing(axes, "no system with more than one sample")
    axes.set_xlabel("samples n")
    axes.set_ylabel("mean score (0 to 1) over subsets of n samples")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure
