"""How F1 is distributed, by stop sequence and normaliser."""

import pandas
from matplotlib.figure import Figure

from evaltrail import plotting
from evaltrail.benchmarks.drop.normalisers import NORMALISERS


def draw(frame: pandas.DataFrame) -> Figure:
    """A row of panels a system, one a normaliser: the share of replies in each tenth of F1, a line a stop sequence."""
    systems = list(frame.groupby("system", sort=False))
    columns = len(NORMALISERS)
    figure, axes = plotting.panels(
        len(systems) * columns, columns=columns, width=2.9, height=2.3, sharex=True, sharey=True
    )
    for number, one in enumerate(axes if systems else ()):
        system, rows = systems[number // columns]
        name = list(NORMALISERS)[number % columns]
        for at, (stop, own) in enumerate(rows[rows["normaliser"] == name].groupby("stop", sort=False)):
            one.plot(own["F1"].astype(float), own["share"], label=f"cut at {stop}", **plotting.line(at))
        one.set_title(f"{plotting.wrapped(system, 34)}\n{name}")
        one.set_xlabel("F1: 0, or the tenth up to")
        one.set_ylabel("share of replies")
        one.set_ylim(-0.05, 1.05)
    if systems:
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    else:
        plotting.nothing(axes[0], "no system")
    return figure
