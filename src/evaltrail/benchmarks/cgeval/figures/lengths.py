"""How far the lengths of replies are from those asked for."""

import pandas
from matplotlib.figure import Figure

from evaltrail import plotting

# The figures' font has no Chinese.
TYPES = {"名词解释": "terms", "简答题": "short answers"}
PARTS = {"shorter": "0.35", "near": "0.85", "longer": "0.6"}


def draw(frame: pandas.DataFrame) -> Figure:
    """A bar a system and type: the shares of replies that are too short, near, and too long."""
    names = [plotting.wrapped(f"{row['system']}, {TYPES[row['type']]}", 30) for _, row in frame.iterrows()]
    pitch = max([0.34, *(0.17 * (name.count("\n") + 1) for name in names)])
    figure, (axes,) = plotting.panels(1, columns=1, width=6.4, height=0.6 + pitch * max(3, len(frame)))
    left = pandas.Series(0.0, index=frame.index)
    for name, grey in PARTS.items():
        axes.barh(
            range(len(frame)), frame[name], left=left, color=grey, edgecolor="0", linewidth=0.5, label=name
        )
        left = left + frame[name]
    axes.set_yticks(range(len(frame)), names)
    axes.invert_yaxis()
    axes.set_xlabel("share of replies, by how far from the length asked for (20 %)")
    if len(frame):
        figure.legend(loc="outside lower center", ncols=3)
    else:
        plotting.nothing(axes, "no reply to a text question")
    return figure
