"""What figures share: lines and bars that stay apart in grey, and axes that say why they are empty."""

import textwrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure

# Line styles and markers differ from one line to the next; greys stand only beside them.
_STYLES = ("-", "--", ":")
_GREYS = ("0.0", "0.35", "0.55")
_MARKERS = "osD^v<>Pp*hX"


def line(number: int) -> dict:
    """The look of the line with this number, counted from 0: colour, line style and marker."""
    return {
        "color": _GREYS[number // len(_STYLES) % len(_GREYS)],
        "linestyle": _STYLES[number % len(_STYLES)],
        "marker": _MARKERS[number % len(_MARKERS)],
        "markersize": 4.5,
        "linewidth": 1.2,
        "markerfacecolor": "white",
    }


def wrapped(label: str, width: int) -> str:
    """A label in lines of at most so many characters, for it stands where it must not take the drawing's room."""
    return textwrap.fill(label, width)


def panels(count: int, *, columns: int, width: float, height: float, **shared) -> tuple[Figure, list[Axes]]:
    """A figure of `count` axes in rows of `columns`, each `width` x `height` inches; at least one."""
    count = max(1, count)
    columns = min(columns, count)
    rows = -(-count // columns)
    figure = Figure(figsize=(columns * width, rows * height), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, **shared)
    flat = [one for row in axes for one in row]
    for one in flat[count:]:
        one.remove()
    return figure, flat[:count]


def nothing(axes: Axes, why: str) -> None:
    """Says in the middle of empty axes why they are empty."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.text(0.5, 0.5, why, transform=axes.transAxes, ha="center", va="center", color="0.35")
