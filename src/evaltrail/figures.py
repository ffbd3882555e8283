"""figures: one SVG, drawn from a table's CSV; the same bytes for the same table."""

import warnings

import matplotlib
import pandas
from matplotlib import font_manager
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.text import Text

from evaltrail import files, steps

# Over matplotlib's own defaults, so that no matplotlibrc of the user's changes a figure. The letters are drawn from
# the DejaVu font that matplotlib brings, and ids are hashes of what they name. Where that font lacks a letter, as it
# lacks all Chinese ones, the figure holds its texts as texts, and the viewer's fonts draw them.
FONT = "DejaVu Sans"
STYLE = {
    "svg.hashsalt": "evaltrail",
    "svg.fonttype": "path",
    "font.family": [FONT, "sans-serif"],
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
        if not _drawable(figure):
            matplotlib.rcParams["svg.fonttype"] = "none"
        with files.atomic_path(path) as partial, warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing from font")
            FigureCanvasSVG(figure).print_svg(partial, metadata={"Date": None, "Creator": None})


def _drawable(figure) -> bool:
    """Whether the font has all letters of the figure."""
    known = font_manager.get_font(font_manager.findfont(FONT)).get_charmap()
    texts = (text.get_text() for text in figure.findobj(Text))
    return all(ord(letter) in known for text in texts for letter in text if letter != "\n")


def read_table(path) -> pandas.DataFrame:
    """A table as `tables` wrote it: an empty cell is missing, and a system may be called None, NA or 4."""
    return pandas.read_csv(path, keep_default_na=False, na_values=[""], dtype={"system": str})


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "table", "figure", argv=argv)
    draw = steps.plugin(args.spec["benchmark"], f"figures.{args.spec['figure']}").draw
    save(draw, read_table(args.table), args.figure)


if __name__ == "__main__":
    steps.run(main)
