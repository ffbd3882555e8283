"""report: the tables and figures of the shown datasets on one self-contained page, results/report.html."""

import base64
import csv
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, StrictUndefined

from evaltrail import files, steps, tables

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>evaltrail report</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 95rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
  h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; }
  small { font-weight: normal; color: #666; }
  .wide { overflow: auto; max-height: 30rem; }
  img { display: block; max-width: 100%; margin: 1rem 0; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid #e4e4e4; white-space: nowrap; }
  th { background: #f4f4f4; }
  .left, th:first-child, td:first-child { text-align: left; }
</style>
</head>
<body>
<h1>evaltrail report</h1>
{% for dataset, own in datasets.items() %}
<h2>{{ dataset }}</h2>
{% for name, table in own.items() %}
<h3 id="{{ dataset }}_{{ name }}">{{ table.title }} <small>{{ dataset }}_{{ name }}.csv</small></h3>
{% if table.figure %}
<img alt="{{ name }}, drawn" src="{{ table.figure }}">
{% endif %}
<div class="wide"><table>
{% set sides = table.sides %}
<tr>{% for cell in table.rows[0] %}<th class="{{ sides[loop.index0] }}">{{ cell }}</th>{% endfor %}</tr>
{% for row in table.rows[1:] %}
<tr>
{% for cell in row %}
<td class="{{ sides[loop.index0] }}">{{ cell if cell | length <= longest else cell[:longest] ~ "…" }}</td>
{% endfor %}
</tr>
{% endfor %}
</table></div>
{% endfor %}
{% endfor %}
</body>
</html>
"""


LONGEST = 200  # characters of a cell on the page; the table has all of them


class Shown(NamedTuple):
    """A table on the page: its title, its rows of cells, the header first, and its figure as a data URL."""

    title: str
    rows: list[list[str]]
    figure: str | None

    @property
    def sides(self) -> list[str]:
        return tables.sides(self.rows)


def page(datasets: dict[str, dict[str, Shown]]) -> str:
    """The page: for each dataset its tables by name."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(PAGE).render(datasets=datasets, longest=LONGEST)


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "report", many=("tables", "figures"), argv=argv)
    datasets: dict[str, dict[str, Shown]] = {}
    figures = iter(args.figures)
    for entry, path in zip(args.spec["tables"], args.tables, strict=True):
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        figure = data_url(next(figures)) if entry["drawn"] else None
        datasets.setdefault(entry["dataset"], {})[entry["table"]] = Shown(entry["title"], rows, figure)
    files.write_text(args.report, page(datasets))


def data_url(path) -> str:
    """An SVG file as a URL that holds it, so that the page needs no other file."""
    return "data:image/svg+xml;base64," + base64.b64encode(Path(path).read_bytes()).decode()


if __name__ == "__main__":
    steps.run(main)
