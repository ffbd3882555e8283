"""The page of `evaltrail diff --html`, in jinja2's language. It needs no script and no other file."""

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>evaltrail diff</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 90rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
  h2 { margin-top: 2.5rem; border-bottom: 1px solid #ccc; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid #e4e4e4; vertical-align: top; }
  th { background: #f4f4f4; }
  th:first-child, td:first-child, .left { text-align: left; }
  td.zero { color: #767676; }
  .step { background: #e8eef7; border-radius: .3rem; padding: .1rem .5rem; white-space: nowrap; }
  article { border: 1px solid #ccc; border-radius: .4rem; padding: 0 1rem 1rem; margin: 1rem 0; }
  article:target { border-color: #1a55a5; box-shadow: 0 0 0 2px #1a55a5; }
  h3 { margin: 1.5rem 0 .5rem; overflow-wrap: anywhere; }
  h4 { margin: .8rem 0 .3rem; font-size: .95rem; }
  .sides { display: grid; grid-template-columns: 1fr 1fr; gap: .6rem; }
  .sides > div { background: #fafafa; border: 1px solid #e4e4e4; padding: .4rem .6rem; white-space: pre-wrap;
                 overflow-wrap: anywhere; unicode-bidi: plaintext; font: 14px/1.5 ui-monospace, monospace; }
  del { background: #ffd7d5; text-decoration: line-through 1px; }
  ins { background: #c9f0cf; text-decoration: underline 1px; }
  .cut { color: #767676; font-style: italic; }
  ul { margin: .2rem 0; padding-left: 1.2rem; }
  .note { color: #555; }
</style>
</head>
<body>
{% macro side(parts, tag) %}
<div>{% for part in parts %}
{% if part.kind == "changed" %}
<{{ tag }}>{{ part | marked }}</{{ tag }}>
{%- elif part.kind == "same" %}
{{ part | marked }}
{%- else %}
<span class="cut">{{ part.text }}</span>
{%- endif %}
{% endfor %}</div>
{% endmacro %}
{% macro sides(field) %}
<h4>{{ field.title | visible }}</h4>
<div class="sides">
{{ side(field.a, "del") }}{{ side(field.b, "ins") }}</div>
{% endmacro %}
<h1>evaltrail diff</h1>
<p>A, on the left: <b>{{ names[0] | visible }}</b><br>B, on the right: <b>{{ names[1] | visible }}</b></p>
{% if not report.differs %}
<p>Nothing differs.</p>
{% endif %}
{% if settings or report.reordered %}
<h2>Settings in params.yaml</h2>
{% for field in settings %}
{{ sides(field) }}{% endfor %}
{% for key in report.reordered %}
<p>{{ key }}: in another order</p>
{% endfor %}
{% endif %}
{% if files %}
<h2>Inputs and files</h2>
<ul>
{% for file in files %}
<li>{{ file.name | visible }}: {{ file.state }}</li>
{% endfor %}
</ul>
{% endif %}
{% if totals %}
<h2>Where instances part first</h2>
<div class="wide"><table>
<tr>{% for name in totals_header %}<th>{{ name }}</th>{% endfor %}</tr>
{% for row in totals %}
<tr><td>{{ row[0] | visible }}</td>
{% for count in row[1:] %}
<td{% if not count %} class="zero"{% endif %}>{{ "{:,}".format(count) }}</td>
{% endfor %}
</tr>
{% endfor %}
</table></div>
<p class="note">Instances, each at the first step whose rows differ; at threshold, files that differ though no
score does.</p>
{% endif %}
{% for table, groups in tables %}
<h2>{{ table.file | visible }}</h2>
{% for name in ("A", "B") %}
{% for column in table.columns[loop.index0] %}
<p>Column only in {{ name }}: {{ column | visible }}</p>
{% endfor %}
{% for row in table.rows[loop.index0] %}
<p>Row only in {{ name }}: {{ row | join(" / ") | visible }}</p>
{% endfor %}
{% endfor %}
{% if table.reordered %}
<p>Rows in another order.</p>
{% endif %}
{% if table.same %}
<p>The same cells, written in another way.</p>
{% endif %}
{% if groups %}
<div class="wide"><table>
<tr><th>row</th><th class="left">column</th><th>A</th><th>B</th><th class="left">instances behind</th></tr>
{% for group in groups %}
{% for cell in group.cells %}
<tr><td>{{ group.row | visible }}</td><td class="left">{{ cell.column | visible }}</td>
<td>{{ cell.a | visible }}</td><td>{{ cell.b | visible }}</td>
{% if loop.first %}
<td class="left" rowspan="{{ group.cells | length }}">
{% if not group.behind and not group.thresholds %}none{% endif %}
{% for system in group.thresholds %}
{{ system }}: its thresholds differ, though no score does
{% endfor %}
{% for behind in group.behind %}
{{ behind.system }}: {{ behind.count | number }}
<ul>
{% for link in behind.links %}
<li><a href="#{{ link.anchor }}">{{ link.title | visible }}</a> <span class="step">{{ link.step }}</span>
{% if link.score %}score {{ link.score }}{% endif %}</li>
{% endfor %}
{% if behind.links | length < behind.count %}
<li>... and {{ "{:,}".format(behind.count - behind.links | length) }} more</li>
{% endif %}
</ul>
{% endfor %}
</td>
{% endif %}
</tr>
{% endfor %}
{% endfor %}
</table></div>
{% endif %}
{% endfor %}
{% for one in instances %}
{% if loop.first %}
<h2>Instances, side by side where they part</h2>
{% endif %}
<article id="{{ one.anchor }}">
<h3>{{ one.title | visible }} <span class="step">{{ one.step }}</span></h3>
<p>{% if one.raw %}{{ one.raw | visible }} differs, and so does {% endif %}{{ one.file | visible -}}
{% if one.only %}: only in {{ one.only }}{% endif %}{% if one.score %}; score {{ one.score }}{% endif %}</p>
{% for field in one.fields %}
{{ sides(field) }}{% endfor %}
</article>
{% endfor %}
{% if left_out %}
<p>... and {{ "{:,}".format(left_out) }} more: --all shows all.</p>
{% endif %}
</body>
</html>
"""
