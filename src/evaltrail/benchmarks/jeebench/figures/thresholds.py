"""Figure 7: marks won, lost and total by threshold on confidence."""

import pandas
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from evaltrail import plotting

# Column of the table, its name in the legend, and how it is drawn.
LINES = [
    ("positive", "won", {"color": "0.35", "linestyle": "--", "marker": "^"}),
    ("negative", "lost", {"color": "0.35", "linestyle": ":", "marker": "v"}),
    ("total", "total", {"color": "0.0", "linestyle": "-", "marker": "o"}),
]


def draw(frame: pandas.DataFrame) -> Figure:
    """Four panels a system: both types, on the years that thresholds were found on and on the test years."""
    groups = list(frame.groupby(["system", "type", "part"], sort=False))
    figure, axes = plotting.panels(len(groups), columns=2, width=3.6, height=2.5)
    for one, ((system, type, part), rows) in zip(axes, groups, strict=False):
        _panel(one, rows)
        one.set_title(f"{system}\n{type}, {part} ({rows['instances'].iloc[0]} problems)")
    if groups:
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    else:
        plotting.nothing(axes[0], "no system with more than one sample")
    return figure


def _panel(axes: Axes, rows: pandas.DataFrame) -> None:
    for column, name, look in LINES:
        axes.plot(rows["tau"], rows[column], label=name, markersize=4, linewidth=1.2, **look)
    axes.axhline(0, color="0.0", linewidth=0.6)
    chosen = rows[rows["chosen"] == "yes"].iloc[0]
    axes.axvline(chosen["tau"], color="0.55", linewidth=3, alpha=0.5, zorder=0, label="chosen")
    axes.set_xlabel("threshold τ (share of samples; > 1: none)")
    axes.set_ylabel("marks")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
