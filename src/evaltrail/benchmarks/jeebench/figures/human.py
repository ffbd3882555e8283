"""Figure 8: marks on the 2023 paper beside those of human candidates."""

import pandas
from matplotlib.figure import Figure

from evaltrail import plotting
from evaltrail.benchmarks.jeebench.tables.human import LOW, PAPER, TOP


def draw(frame: pandas.DataFrame) -> Figure:
    """A bar a row of the table that has projected marks, and a line at each of the two published points."""
    rows = frame[frame["projected"].notna()]
    figure = Figure(figsize=(7, 1.6 + 0.32 * max(1, len(rows))), layout="constrained")
    axes = figure.subplots()
    axes.set_xlabel(f"marks out of {PAPER}, projected from the text-only problems")
    if rows.empty:
        plotting.nothing(axes, "no system answered to all problems of 2023")
        axes.set_yticks([])
        return figure
    for place, (_, row) in enumerate(rows.iterrows()):
        thresholds = row["thresholds"] == "with"
        look = {"color": "white", "hatch": "////"} if thresholds else {"color": "0.75"}
        axes.barh(place, row["projected"], height=0.62, edgecolor="0.0", linewidth=0.8, **look)
        below = row["projected"] < 0
        axes.annotate(
            f"{row['projected']:.0f}",
            (row["projected"], place),
            (-4, 0) if below else (4, 0),
            textcoords="offset points",
            ha="right" if below else "left",
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 1},
        )
    names = [
        plotting.wrapped(row["system"] + (", with thresholds" if row["thresholds"] == "with" else ""), 34)
        for _, row in rows.iterrows()
    ]
    axes.set_yticks(range(len(rows)), names)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(
        min(0, rows["projected"].min() * 1.1 - 12 * (rows["projected"].min() < 0)),
        max(1.2 * TOP[0], 1.1 * rows["projected"].max()),
    )
    axes.grid(axis="y", visible=False)
    axes.axvline(0, color="0.0", linewidth=0.8)
    for (marks, share), style, side in ((TOP, "-", "left"), (LOW, "--", "right")):
        axes.axvline(marks, color="0.0", linestyle=style, linewidth=1.2, zorder=0)
        name = f"top {share} % of candidates\n({marks} marks)"
        axes.text(marks, 1.02, name, transform=axes.get_xaxis_transform(), ha=side)
    return figure
