"""figures: one SVG, drawn from a table's CSV; the same bytes for the same table."""

import matplotlib
import pandas
from matplotlib.backends.backend_svg import FigureCanvasSVG

from evaltrail import files, steps

# Over matplotlib's own defaults, so that no matplotlibrc of the user's changes a figure. The letters are drawn from
# the DejaVu font that matplotlib brings, and ids are hashes of what they name.
STYLE = {
    "svg.hashsalt": "evaltrail",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.parse_math": False,  # a system's label may hold a $
    "axes.titlesize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "0.88",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "hatch.linewidth": 0.6,
}


def save(draw, frame: pandas.DataFrame, path) -> None:
    """Draws `frame` to `path`, without date, program version or pyplot's state.

    draw: makes a matplotlib Figure of the frame.
    """
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        figure = draw(frame)
        with files.atomic_path(path) as partial:
            FigureCanvasSVG(figure).print_svg(partial, metadata={"Date": None, "Creator": None})


def read_table(path) -> pandas.DataFrame:
    """A table as `tables` wrote it: an empty cell is missing, and a system may be called None, NA or 4."""
    return pandas.read_csv(path, keep_default_na=False, na_values=[""], dtype={"system": str})


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "table", "figure", argv=argv)
    draw = steps.plugin(args.spec["benchmark"], f"figures.{args.spec['figure']}").draw
    save(draw, read_table(args.table), args.figure)


if __name__ == "__main__":
    steps.run(main)
