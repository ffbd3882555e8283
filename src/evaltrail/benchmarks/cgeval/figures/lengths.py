"""How far the lengths of replies are from those asked for."""

import pandas
from matplotlib.figure import Figure

from evaltrail import plotting

# The figures' font has no Chinese.
TYPES = {"名词解释": "terms", "简答题": "short answers"}
PARTS = {"shorter": "0.35", "near": "0.85", "longer": "0.6"}


def draw(frame: pandas.DataFrame) -> Figure:
    """A bar a system and type: the shares of replies that are too short, near, and too long."""
    figure, (axes,) = plotting.panels(1, columns=1, width=6.4, height=0.6 + 0.34 * max(3, len(frame)))
    names = [f"{row['system']}, {TYPES[row['type']]}" for _, row in frame.iterrows()]
    left = pandas.Series(0.0, index=frame.index)
    for name, grey in PARTS.items():
        axes.barh(
            range(len(frame)), frame[name], left=left, color=grey, edgecolor="0", linewidth=0.5, label=name
        )
        left = left + frame[name]
    axes.set_yticks(range(len(frame)), names)
    axes.invert_yaxis()
    axes.set_xlabel("share of replies: more than 20 % shorter than asked for, near it, longer")
    if len(frame):
        figure.legend(loc="outside lower center", ncols=3)
    else:
        plotting.nothing(axes, "no reply to a text question")
    return figure
