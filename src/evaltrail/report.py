"""report: the tables of the shown datasets on one self-contained page, results/report.html."""

import csv

from jinja2 import Environment, StrictUndefined

from evaltrail import files, steps

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>evaltrail report</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
  h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid #e4e4e4; white-space: nowrap; }
  th { background: #f4f4f4; }
  th:first-child, td:first-child { text-align: left; }
</style>
</head>
<body>
<h1>evaltrail report</h1>
{% for dataset, tables in datasets.items() %}
<h2>{{ dataset }}</h2>
{% for name, rows in tables.items() %}
<h3 id="{{ dataset }}_{{ name }}">{{ name }}</h3>
<div class="wide"><table>
<tr>{% for cell in rows[0] %}<th>{{ cell }}</th>{% endfor %}</tr>
{% for row in rows[1:] %}
<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}
</table></div>
{% endfor %}
{% endfor %}
</body>
</html>
"""


def page(datasets: dict[str, dict[str, list[list[str]]]]) -> str:
    """The page: for each dataset its tables by name, each a list of rows of cells, the header first."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(PAGE).render(datasets=datasets)


def main(argv=None) -> None:
    args = steps.arguments(__doc__, "report", many=("tables",), argv=argv)
    datasets: dict[str, dict[str, list[list[str]]]] = {}
    for shown, path in zip(args.spec["tables"], args.tables, strict=True):
        with open(path, encoding="utf-8", newline="") as file:
            datasets.setdefault(shown["dataset"], {})[shown["table"]] = list(csv.reader(file))
    files.write_text(args.report, page(datasets))


if __name__ == "__main__":
    steps.run(main)
