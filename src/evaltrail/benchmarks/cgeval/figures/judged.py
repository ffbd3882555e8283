"""Gscore against a person's scores."""

import pandas
from matplotlib.figure import Figure

from evaltrail import plotting
from evaltrail.benchmarks.cgeval.kinds import CATEGORIES

# The figures' font has no Chinese.
NAMES = dict(
    zip(
        CATEGORIES,
        ("science and engineering", "humanities", "mathematics", "medicine", "law", "accounting"),
        strict=True,
    )
)


def draw(frame: pandas.DataFrame) -> Figure:
    """A point a reply, marked by category."""
    figure, (axes,) = plotting.panels(1, columns=1, width=5.2, height=4.2)
    for number, (category, own) in enumerate(frame.groupby("category", sort=False)):
        look = plotting.line(number) | {"linestyle": "none"}
        axes.plot(own["human"], own["gscore"], label=NAMES[category], **look)
    axes.set_xlabel("a person's score")
    axes.set_ylabel("Gscore (0 to 1)")
    if len(frame):
        figure.legend(loc="outside lower center", ncols=3)
    else:
        plotting.nothing(axes, "no reply was scored")
    return figure
