"""Gscore against a person's scores."""

import pandas
from matplotlib.figure import Figure

from evaltrail import plotting
from evaltrail.benchmarks.cgeval.kinds import CATEGORIES
from evaltrail.benchmarks.cgeval.tables.correlation import correlations

# The figures' font has no Chinese.
NAMES = dict(
    zip(
        CATEGORIES,
        ("science and engineering", "humanities", "mathematics", "medicine", "law", "accounting"),
        strict=True,
    )
)


def draw(frame: pandas.DataFrame) -> Figure:
    """A point a reply, marked by category; where many lie on one another they are darker."""
    figure, (axes,) = plotting.panels(1, columns=1, width=5.2, height=4.2)
    for number, category in enumerate(CATEGORIES):
        own = frame[frame["category"] == category]
        if len(own):
            look = plotting.line(number) | {"linestyle": "none", "alpha": 0.5}
            axes.plot(own["human"], own["gscore"], label=NAMES[category], **look)
    axes.set_xlabel("a person's score")
    axes.set_ylabel("Gscore (0 to 1)")
    if not len(frame):
        plotting.nothing(axes, "no reply was scored")
        return figure
    kendall = correlations(frame)["kendall"]
    shown = "not defined" if kendall is None else f"{kendall:.3f}"
    axes.set_title(f"{len(frame)} replies, Kendall's tau-b {shown}")
    figure.legend(loc="outside lower center", ncols=3)
    return figure
