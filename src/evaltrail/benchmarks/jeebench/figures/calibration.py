"""Figure 6: accuracy of options by the confidence that systems have in them."""

import pandas
from matplotlib.figure import Figure

from evaltrail import plotting


def draw(frame: pandas.DataFrame) -> Figure:
    """A panel a system: a point a bin, its area by the number of options, and the line of perfect calibration."""
    groups = list(frame.groupby("system", sort=False))
    figure, axes = plotting.panels(len(groups), columns=2, width=3.6, height=3.4)
    for one, (system, rows) in zip(axes, groups, strict=False):
        one.plot([0, 1], [0, 1], color="0.55", linestyle="--", linewidth=1, label="perfectly calibrated")
        one.plot(rows["confidence"], rows["accuracy"], color="0.0", linewidth=1.2)
        areas = 14 + 140 * rows["options"] / rows["options"].max()
        one.scatter(
            rows["confidence"],
            rows["accuracy"],
            areas,
            color="0.75",
            edgecolor="0.0",
            zorder=3,
            label="options, area by their number",
        )
        first = rows.iloc[0]
        one.set_title(f"{system}\nMCE {first['mce']:.3f}, ACE {first['ace']:.3f}, ECE {first['ece']:.3f}")
    if groups:
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=min(2, len(groups)))
    else:
        plotting.nothing(axes[0], "no system with more than one sample")
    for one in axes:
        one.set(xlim=(-0.05, 1.05), ylim=(-0.05, 1.05), aspect="equal")
        one.set_xlabel("confidence (share of samples with the option)")
        one.set_ylabel("accuracy (share of options that are right)")
    return figure
