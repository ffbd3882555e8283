"""`evaltrail diff`: what differs between two project directories, and the first step at which instances part."""

import argparse
import html.parser
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import (
    copy_of,
    problems,
    prompt_of,
    responses,
    responses_file,
    snakemake,
    write_json,
    write_project,
)
from evaltrail.audit import diff_command, diff_page
from evaltrail.audit.diff import diff
from evaltrail.audit.diff_marks import CHANGED, LEFT_OUT, common, side_by_side
from evaltrail.errors import InputError

BASE = """\
datasets:
  tiny: {benchmark: jeebench, source: source, tolerance: paper, tables: [table1, table2, table6, compare], default: true}
defaults: {client: recorded, answers: recorded}
systems:
  cutter: {dataset: tiny, label: Cutter, recorded_name: first_normal, method: normal, answers: rules}
  strict: {dataset: tiny, label: Strict, recorded_name: first_normal, method: normal}
  judged: {dataset: tiny, label: Judged, recorded_name: second_CoT, method: CoT, answers: rules}
  named: {dataset: tiny, label: Named, recorded_name: second_CoT, method: CoT}
  many: {dataset: tiny, label: Many, recorded_name: third_CoT+SC, method: CoT+SC, samples: 3}
"""
SETTINGS = (
    BASE.replace("tolerance: paper", "tolerance: exact")
    .replace("method: normal, answers: rules", "method: normal, answers: rules, stop: The answer")
    .replace("label: Named", "label: Renamed")
    .replace("samples: 3", "samples: 2")
)
RULING = "system,instance,sample,answer,reason\njudged,Tiny 2016 Paper 1 #1,0,A,the reply says so\n"
SOURCES = BASE.replace("method: CoT+SC", "method: terse") + (
    'methods: {jeebench: {terse: "{instruction}\\n\\n{question}\\n\\nAnswer:"}}\n'
)
ONE, TWO, THREE, FOUR, FIVE, SIX = (f"{each['description']} #{each['index']}" for each in problems())
SYSTEMS = ["cutter", "strict", "judged", "named", "many"]


def made(project: Path) -> Path:
    result = snakemake(project)
    assert result.returncode == 0, result.stderr
    return project


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> Path:
    return made(write_project(tmp_path_factory.mktemp("diff") / "base", BASE))


@pytest.fixture(scope="module")
def settings(base) -> Path:
    """Other settings: tolerance, a stop, a label, samples, and a person's ruling."""
    project = copy_of(base, base.parent / "settings")
    (project / "params.yaml").write_text(SETTINGS)
    (project / "data/tiny/adjudications.csv").write_text(RULING)
    return made(project)


@pytest.fixture(scope="module")
def sources(base) -> Path:
    """Other data: the third problem's question, a reply of the second system to the first, a wording."""
    project = write_project(base.parent / "sources", SOURCES)
    changed = problems()
    changed[2]["question"] = "How much is $3+1$?"
    write_json(project / "source/data/dataset.json", changed)
    for name in ("first_normal", "second_CoT", "third_CoT+SC"):
        entries = responses(name)
        entries[2] |= {"question": changed[2]["question"]}
        if "prompt" in entries[2]:
            entries[2]["prompt"] = prompt_of(changed[2], name.partition("_")[2])
        if name == "second_CoT":
            choice = entries[0]["second_CoT_response"]["choices"][0]
            choice |= {"message": {"content": "The answer is A."}, "extract": "A"}
        write_json(responses_file(project, name), entries)
    return made(project)


@pytest.fixture
def other(base, tmp_path) -> Path:
    """A copy of the base to be edited by hand."""
    return copy_of(base, tmp_path / "other")


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def write_rows(path: Path, values: list[dict]) -> None:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), "utf-8")


def edit(project: Path, file: str, number: int, **fields) -> None:
    """Sets fields of one row of a row file."""
    values = rows(project / file)
    values[number] |= fields
    write_rows(project / file, values)


def folder(system: str) -> str:
    return f"results/tiny/{system}"


def steps(report) -> dict[str, dict[str, int]]:
    """By system how many instances part at which step, zeros left out."""
    return {
        one.system: {step: n for step, n in one.steps().items() if n}
        for one in report.systems
        if any(one.steps().values())
    }


def parted(report, system: str) -> dict[str, str]:
    return {id: found.step for id, found in report.datasets[0].systems[system].partings.items()}


def cells(report, table: str) -> dict[tuple[str, str], tuple[str, str, dict]]:
    """The changed cells of a table: values and what is behind, by key (joined) and column."""
    found = next((one for one in report.tables if one.table == table), None)
    return {("/".join(c.row), c.column): (c.a, c.b, c.behind) for c in (found.cells if found else [])}


def run(*arguments) -> int:
    parser = argparse.ArgumentParser()
    diff_command.add_arguments(parser)
    return diff_command.run(parser.parse_args([str(argument) for argument in arguments]))


# Two runs of the workflow, compared.


def test_a_project_does_not_differ_from_its_copy(base, other, capsys):
    assert not diff(base, other).differs
    assert run(base, other) == 0
    assert capsys.readouterr().out == f"A: {base}\nB: {other}\nnothing differs\n"


def test_settings_part_the_chains_at_their_steps(base, settings):
    report = diff(base, settings)
    assert steps(report) == {
        "cutter": {"cut": 6},
        "strict": {"score": 1},
        "judged": {"prediction": 1},
        "many": {"score": 6},
    }
    assert report.totals() == {
        "raw data": 0,
        "instance": 0,
        "prompt": 0,
        "generation": 0,
        "cut": 6,
        "prediction": 1,
        "score": 7,
        "threshold": 0,
    }
    assert parted(report, "strict") == {FOUR: "score"}
    assert report.datasets[0].systems["strict"].scores == {FOUR: (0.0, 1.0)}
    assert report.datasets[0].systems["many"].thresholds == "follows"
    assert {".".join(s.key): (s.a, s.b) for s in report.settings} == {
        "datasets.tiny.tolerance": ("paper", "exact"),
        "systems.cutter.stop": (..., "The answer"),
        "systems.named.label": ("Named", "Renamed"),
        "systems.many.samples": (3, 2),
    }
    assert report.datasets[0].inputs == {"data/tiny/adjudications.csv": "only in B"}


def test_cells_name_the_instances_behind_them(base, settings):
    found = cells(diff(base, settings), "table2")
    # a group's mean: those of the group with another score
    assert found["Strict", "Mathematics"] == ("0.417", "0.750", {"strict": [FOUR]})
    assert found["Cutter", "Multi-Correct"][2] == {"cutter": [TWO, SIX]}
    assert found["Cutter", "Total"][2] == {"cutter": [ONE, TWO, THREE, SIX]}
    # other columns: all of the system
    assert found["Cutter", "none"] == ("1", "6", {"cutter": [ONE, TWO, THREE, FOUR, FIVE, SIX]})
    assert found["Judged", "answers"] == ("rules", "rules, 1 adjudicated", {"judged": [ONE]})
    # a label is no new row, and no instance is behind it
    assert found["Named", "system"] == ("Named", "Renamed", {})
    assert not [key for key in found if key[0] == "Random"]
    found = cells(diff(base, settings), "compare")
    # two systems, and a group named in the key
    assert found["Cutter/Strict/Numeric", "difference"][2] == {"cutter": [FOUR, FIVE], "strict": [FOUR]}


def test_data_parts_the_chains_at_their_steps(base, sources):
    report = diff(base, sources)
    assert steps(report) == {
        "cutter": {"raw data": 1},
        "strict": {"raw data": 1},
        "judged": {"raw data": 2},
        "named": {"raw data": 2},
        "many": {"raw data": 1, "prompt": 5},
    }
    own = report.datasets[0].systems["named"].partings
    assert own[THREE].raw == "data/tiny/raw/data/dataset.json"
    assert own[THREE].fields == ("question",)
    assert own[ONE].raw.endswith("second_CoT_responses/responses.json")
    assert own[ONE].file == "results/tiny/named/generations.jsonl"
    assert own[ONE].fields == ("text", "recorded_answer")
    assert report.datasets[0].instances.keys() == {THREE}
    assert cells(report, "table2")["Named", "Physics"] == ("0.500", "1.000", {"named": [ONE]})
    keys = [".".join(setting.key) for setting in report.settings]
    assert keys == ["systems.many.method", "methods.jeebench.terse"]


# One file edited by hand. The step, and the fields that differ.
EDITS = {
    "instance": ("data/tiny/instances.jsonl", {"question": "Other?"}, "instance", ("question",)),
    "prompt": (f"{folder('many')}/prompts.jsonl", {"prompt": "Other?"}, "prompt", ("prompt",)),
    "text": (f"{folder('many')}/generations.jsonl", {"text": "other"}, "generation", ("text",)),
    "finish": (f"{folder('many')}/generations.jsonl", {"finish": "length"}, "generation", ("finish",)),
    "model": (f"{folder('many')}/generations.jsonl", {"model": "tiny-2"}, "generation", ("model",)),
    "cut": (f"{folder('many')}/completions.jsonl", {"text": "", "end": 0}, "cut", ("text", "end")),
    "prediction": (f"{folder('many')}/predictions.jsonl", {"rule": "new"}, "prediction", ("rule",)),
    "score": (f"{folder('many')}/scores.jsonl", {"score": 0.5}, "score", ("score",)),
}


@pytest.mark.parametrize("case", EDITS.values(), ids=EDITS)
def test_an_edited_row_parts_at_its_step(base, other, case):
    file, fields, step, names = case
    edit(other, file, 0, **fields)
    report = diff(base, other)
    found = report.datasets[0].systems["many"].partings
    assert {id: (one.step, one.file, one.fields) for id, one in found.items()} == {ONE: (step, file, names)}
    assert report.totals()[step] == (5 if step == "instance" else 1)


def test_the_earliest_of_several_steps_counts(base, other):
    for name in ("scores", "predictions", "completions", "generations"):
        edit(other, f"{folder('named')}/{name}.jsonl", 1, extra=1)
    edit(other, f"{folder('named')}/scores.jsonl", 2, score=0.25)
    assert parted(diff(base, other), "named") == {TWO: "generation", THREE: "score"}


def test_a_raw_reply_counts_as_raw_data_only_where_the_reply_itself_differs(base, other):
    raw = other / "data/tiny/raw/data/responses/second_CoT_responses/responses.json"
    raw.write_text(raw.read_text() + "\n")
    report = diff(base, other)
    assert report.differs and not steps(report)
    assert list(report.datasets[0].inputs.values()) == ["differs"]
    edit(other, f"{folder('named')}/generations.jsonl", 0, text="other")
    edit(other, f"{folder('cutter')}/generations.jsonl", 0, text="other")
    assert steps(diff(base, other)) == {"named": {"raw data": 1}, "cutter": {"generation": 1}}


def test_replies_under_another_name_are_no_changed_raw_data(base, other):
    """The system reads another file: a setting differs."""
    raw = other / "data/tiny/raw/data/responses"
    (raw / "third_CoT+SC_responses").rename(raw / "fourth_responses")
    (other / "params.yaml").write_text(BASE.replace("third_CoT+SC", "fourth"))
    edit(other, f"{folder('many')}/generations.jsonl", 0, text="other")
    assert steps(diff(base, other)) == {"many": {"generation": 1}}


def test_samples_of_an_instance_count_once(base, other):
    for number, text in ((1, "one"), (2, "two"), (3, "three")):
        edit(other, f"{folder('many')}/generations.jsonl", number, text=text)
    report = diff(base, other)
    assert steps(report) == {"many": {"generation": 2}}
    assert len(report.datasets[0].systems["many"].partings[ONE].rows) == 2


def test_an_instance_that_one_side_lacks_parts_at_the_first_step_without_it(base, other):
    path = other / f"{folder('named')}/generations.jsonl"
    write_rows(path, [row for row in rows(path) if row["instance"] != TWO])
    path = other / "data/tiny/instances.jsonl"
    write_rows(path, [*rows(path), rows(path)[0] | {"id": "New #1"}])
    path = other / f"{folder('cutter')}/prompts.jsonl"
    write_rows(path, [*rows(path), {"instance": "New #1", "prompt": "?"}])
    report = diff(base, other)
    assert parted(report, "named") == {TWO: "generation"}
    assert report.datasets[0].systems["named"].partings[TWO].only == "A"
    assert parted(report, "cutter") == {"New #1": "instance"}
    assert report.datasets[0].systems["cutter"].partings["New #1"].only == "B"
    assert not parted(report, "judged")  # it was never asked the new problem


def test_thresholds_part_where_the_scores_do_not_differ(base, other, capsys):
    path = other / f"{folder('many')}/thresholds.json"
    path.write_text(path.read_text().replace('"samples": 3', '"samples": 4'))
    table = other / "results/tiny_table6.csv"
    table.write_text(table.read_text().replace("Many,with,0", "Many,with,9"))
    report = diff(base, other)
    assert steps(report) == {"many": {"threshold": 1}}
    assert cells(report, "table6")
    assert run(base, other) == 1
    assert "many: its thresholds differ, though no score does" in capsys.readouterr().out


def test_the_random_row_is_made_of_the_instances_alone(base, other):
    edit(other, "data/tiny/instances.jsonl", 0, type="MCQ(multiple)")
    edit(other, f"{folder('many')}/scores.jsonl", 5, score=1.0)
    table = other / "results/tiny_table2.csv"
    header, random, *rest = table.read_text().splitlines()
    table.write_text(
        "\n".join([header, "Random" + ",0.5" * 8 + random[random.index(",6,0") :], *rest]) + "\n"
    )
    table = other / "results/tiny_table1.csv"
    table.write_text(table.read_text().replace("1", "2"))
    report = diff(base, other)
    found = cells(report, "table2")
    assert found["Random", "Physics"][2] == found["Random", "Single-Correct"][2] == {None: [ONE]}
    assert found["Random", "Chemistry"][2] == {}
    assert cells(report, "table1")["Physics", "Single-Correct"][2] == {None: [ONE]}


def test_other_tables_count_an_instance_that_changed_its_group(base, other):
    """Its score is the same, but it counts in another column."""
    edit(other, "data/tiny/instances.jsonl", 0, type="MCQ(multiple)")
    table = other / "results/tiny_table2.csv"
    table.write_text(table.read_text().replace("Judged,1.000", "Judged,9.000").replace(",0.000,", ",9.000,"))
    found = cells(diff(base, other), "table2")
    assert found["Judged", "Single-Correct"][2] == {"judged": [ONE]}
    assert found["Judged", "Chemistry"][2] == {}


# Order, writing, and what one side alone has.


def test_rows_in_another_order_are_the_same_rows(base, other):
    for file in ("data/tiny/instances.jsonl", f"{folder('many')}/generations.jsonl"):
        write_rows(other / file, rows(other / file)[::-1])
    report = diff(base, other)
    assert not steps(report) and report.differs
    assert report.datasets[0].rewritten == ["data/tiny/instances.jsonl"]
    assert report.datasets[0].systems["many"].rewritten == [f"{folder('many')}/generations.jsonl"]
    edit(other, f"{folder('many')}/generations.jsonl", 0, text="other")
    assert parted(diff(base, other), "many") == {SIX: "generation"}


def test_a_row_written_in_another_way_is_the_same_row(base, other):
    path = other / f"{folder('named')}/scores.jsonl"
    path.write_text(path.read_text().replace('": ', '":').replace("1.0", "1"))
    report = diff(base, other)
    assert not steps(report)
    assert report.datasets[0].systems["named"].rewritten == [f"{folder('named')}/scores.jsonl"]


def test_systems_in_another_order(base, other, capsys):
    lines = BASE.splitlines(keepends=True)
    lines[4], lines[5] = lines[5], lines[4]
    (other / "params.yaml").write_text("".join(lines))
    table = other / "results/tiny_table2.csv"
    header, random, first, second, *rest = table.read_text().splitlines(keepends=True)
    table.write_text("".join([header, random, second, first, *rest]))
    report = diff(base, other)
    assert report.reordered == ["systems"] and not report.settings
    assert [one.reordered for one in report.tables] == [True] and not cells(report, "table2")
    assert run(base, other) == 1
    assert "rows in another order" in capsys.readouterr().out


def test_a_system_that_was_removed(base, other):
    """Its folder may still lie there: params.yaml says what there is."""
    (other / "params.yaml").write_text("".join(BASE.splitlines(keepends=True)[:-1]))
    table = other / "results/tiny_table2.csv"
    table.write_text("".join(table.read_text().splitlines(keepends=True)[:-1]))
    report = diff(base, other)
    assert [tuple(one) for one in report.one_sided] == [("system", "tiny/many", "only in A")]
    assert [one.rows for one in report.tables] == [([("Many",)], [])]
    assert [one.system for one in report.systems] == SYSTEMS[:-1] and not steps(report)


def test_what_one_side_alone_has(base, other):
    (other / "results/tiny_table1.csv").unlink()
    (other / f"{folder('many')}/thresholds.json").unlink()
    report = diff(base, other)
    assert [tuple(one) for one in report.one_sided] == [("table", "results/tiny_table1.csv", "only in A")]
    assert report.datasets[0].systems["many"].thresholds == "only in A"
    assert report.differs


def test_a_dataset_that_one_side_alone_has_made(base, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "params.yaml").write_text(BASE)
    report = diff(base, empty)
    assert [tuple(one) for one in report.one_sided] == [("dataset", "tiny", "only in A")]
    assert not report.datasets and report.differs
    assert not diff(empty, empty).differs


def test_a_table_belongs_to_the_dataset_with_the_longest_name(base, other, tmp_path):
    first = copy_of(base, tmp_path / "first")
    params = BASE.replace("defaults:", "  tiny_more: {benchmark: jeebench, source: source}\ndefaults:", 1)
    for project in (first, other):
        (project / "params.yaml").write_text(params)
    (first / "results/tiny_more_table2.csv").write_text("system\n")
    report = diff(first, other)
    assert [tuple(one) for one in report.one_sided] == [("dataset", "tiny_more", "only in A")]


COLUMNS = {
    "a column only in B": (lambda text: re.sub(r"$", ",x", text, flags=re.M), ([], ["x"])),
    "a column only in A": (lambda text: re.sub(r",[^,\n]*$", "", text, flags=re.M), (["tolerance"], [])),
}


@pytest.mark.parametrize("case", COLUMNS.values(), ids=COLUMNS)
def test_columns_that_one_side_alone_has(base, other, case):
    change, columns = case
    table = other / "results/tiny_table2.csv"
    table.write_text(change(table.read_text().rstrip("\n")) + "\n")
    (found,) = diff(base, other).tables
    assert (found.columns, found.cells, found.rows) == (columns, [], ([], []))


# Errors: one line that names the file.
MISSING = {
    "instances": "data/tiny/instances.jsonl",
    "prompts": f"{folder('many')}/prompts.jsonl",
    "generations": f"{folder('many')}/generations.jsonl",
    "scores": f"{folder('many')}/scores.jsonl",
    "metrics": f"{folder('many')}/metrics.json",
}


@pytest.mark.parametrize("file", MISSING.values(), ids=MISSING)
def test_a_missing_file_is_an_error_that_names_it(base, other, capsys, file):
    (other / file).unlink()
    for pair in ((base, other), (other, base)):
        assert run(*pair) == 2
        line = capsys.readouterr().err
        assert line.startswith(f"evaltrail: {other}/{file}: no such file") and line.count("\n") == 1
        assert "evaltrail restore" in line


def test_a_missing_file_that_is_not_needed_is_no_error(base, other):
    (other / "data/tiny/raw/data/dataset.json").unlink()  # needed only where instances differ
    (other / f"{folder('many')}/scores.jsonl").unlink()
    report = diff(base, other, table="tiny_table1")  # made of the instances alone
    assert not steps(report)
    edit(other, "data/tiny/instances.jsonl", 0, question="Other?")
    with pytest.raises(InputError, match=r"dataset\.json: no such file"):
        diff(base, other, table="table1")


BAD = {
    "no JSON": ("{", "row 2"),
    "no row": ('{"text": "x"}', "row 2"),
    "of another type": ('{"instance": 1}', "row 2"),
    "a list": ("[]", "row 2"),
}


@pytest.mark.parametrize("case", BAD.values(), ids=BAD)
def test_a_line_that_is_no_row_is_named(base, other, case):
    text, place = case
    path = other / f"{folder('named')}/scores.jsonl"
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], text, *lines[2:]]) + "\n")
    with pytest.raises(InputError, match=f"scores.jsonl: {place}: is no row"):
        diff(base, other)


def test_a_row_that_occurs_twice_is_named(base, other):
    path = other / f"{folder('named')}/scores.jsonl"
    write_rows(path, [rows(path)[0] | {"score": 0.5}, rows(path)[0], *rows(path)[1:], rows(path)[0]])
    with pytest.raises(InputError, match="occurs twice"):
        diff(base, other)


def test_a_table_that_is_no_table_is_named(base, other):
    (other / "results/tiny_table2.csv").write_text("system,Total\nCutter\n")
    with pytest.raises(InputError, match=r"tiny_table2\.csv: row 1: has 1 cells under 2 columns"):
        diff(base, other)


def test_directories_and_tables_that_are_not_there(base, tmp_path, capsys):
    assert run(base, tmp_path / "none") == 2
    assert "none: no such directory" in capsys.readouterr().err
    assert run(tmp_path, base) == 2
    assert "params.yaml: no such file" in capsys.readouterr().err
    assert run(base, base, "--table", "tiny_tabel2") == 2
    assert "did you mean tiny_table2?" in capsys.readouterr().err


def test_errors_name_a_side_as_the_user_does(base, other):
    (other / "params.yaml").write_text("a: 1\na: 2\n")
    with pytest.raises(InputError, match=r"^v2/params\.yaml: row 2"):
        diff(base, other, names=("v1", "v2"))


# What is printed.


def test_one_table_alone(base, settings):
    for name in ("table2", "tiny_table2"):
        assert [one.table for one in diff(base, settings, name).tables] == ["table2"]


def test_the_text(base, settings, capsys):
    assert run(base, settings, "--table", "table2") == 1
    text = capsys.readouterr().out
    assert re.search(r"^  tiny/cutter +0 +0 +0 +0 +6 +0 +0 +0 +6 +4$", text, re.M)
    assert re.search(r"^  all +0 +0 +0 +0 +6 +1 +7 +0 +14 +6$", text, re.M)
    assert (
        f"  Strict, Numeric: 0.000 -> 0.500\n    strict: 1 instance\n      {FOUR}: score, score 0.0 -> 1.0\n"
        in text
    )
    assert r"        text: Let me see.\n\nThe answer is AC. -> Let me see.\n\n" in text
    assert "      ... and 1 more\n" in text
    assert run(base, settings, "--table", "table2", "--all") == 1
    assert "more\n" not in capsys.readouterr().out


def test_instances_behind_no_cell_are_told(base, other, capsys):
    edit(other, f"{folder('named')}/generations.jsonl", 0, usage=None)
    assert run(base, other) == 1
    text = capsys.readouterr().out
    assert (
        f"Instances that part behind no changed cell\n  tiny/named: 1 instance\n      {ONE}: generation\n"
        in text
    )


def test_the_json_is_complete_sorted_and_the_same_twice(base, settings, capsys):
    assert run(base, settings, "--json") == 1
    text = capsys.readouterr().out
    found = json.loads(text)
    assert list(found) == sorted(found)
    assert found["differs"] is True
    assert found["totals"]["cut"] == 6
    assert {"key": ["systems", "cutter", "stop"], "b": "The answer"} in found["settings"]
    assert len(found["partings"]) == 14
    assert {
        "dataset": "tiny",
        "system": "strict",
        "instance": FOUR,
        "step": "score",
        "file": "results/tiny/strict/scores.jsonl",
        "score": {"a": 0.0, "b": 1.0},
        "rows": [{"a": {"score": 0.0}, "b": {"score": 1.0}}],
    } in found["partings"]
    table2 = next(table for table in found["tables"] if table["file"] == "results/tiny_table2.csv")
    cell = next(c for c in table2["cells"] if (c["row"], c["column"]) == (["Strict"], "Numeric"))
    assert found["behind"][cell["behind"]] == [{"instances": [FOUR], "system": "strict"}]
    again = [sys.executable, "-c", "import test_diff; test_diff.run(*__import__('sys').argv[1:])"]
    environment = {"PYTHONHASHSEED": "7", "LC_ALL": "C", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([*again, base, settings, "--json"], env=environment, capture_output=True)
    assert done.stdout.decode() == text, done.stderr.decode()


NASTY = '</div><script>alert("1")</script>&amp;\x00\x1b[31m \u202eabc \ud800 \U0001f600 中文 \r\n\ttab'


def test_nasty_texts_are_shown_and_do_no_harm(base, other, capsys, tmp_path):
    path = other / f"{folder('named')}/generations.jsonl"
    edit(other, f"{folder('named')}/generations.jsonl", 0, text=NASTY)
    assert r"\ud800" in path.read_text()
    page = tmp_path / "page.html"
    assert run(base, other, "--html", page) == 1
    text = capsys.readouterr().out
    assert "\x1b" not in text and "\u202e" not in text and r"\x1b[31m \u202eabc \ud800 " in text
    written = page.read_text("utf-8")
    assert "<script" not in written and "\x00" not in written and "\u202e" not in written
    assert "&lt;script&gt;" in written and "😀 中文" in written
    assert run(base, other, "--json") == 1
    (found,) = json.loads(capsys.readouterr().out)["partings"]
    assert found["rows"][0]["b"]["text"] == NASTY


class _Page(html.parser.HTMLParser):
    """The marked texts of a page, its anchors and the links to them; fails where tags do not match."""

    def __init__(self, text: str):
        super().__init__()
        self.open, self.marked, self.ids, self.links = [], [], [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "br"):
            self.open.append(tag)
        attributes = dict(attributes)
        self.ids += [attributes["id"]] if "id" in attributes else []
        self.links += [attributes["href"]] if "href" in attributes else []
        assert not {"src", "onload", "onerror"} & attributes.keys()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("ins", "del"):
            self.marked.append((self.open[-1], data))


def test_the_page_marks_what_changed(base, settings, tmp_path, monkeypatch):
    assert run(base, settings, "--html", tmp_path / "a.html", "--all") == 1
    assert run(base, settings, "--html", tmp_path / "b.html", "--all") == 1
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    page = _Page((tmp_path / "a.html").read_text("utf-8"))
    assert ("del", "The answer is AC.") in page.marked
    assert ("del", "paper") in page.marked and ("ins", "exact") in page.marked
    assert len(page.ids) == len(set(page.ids)) == 14
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    monkeypatch.setattr(diff_page, "SHOWN", 1)
    assert run(base, settings, "--html", tmp_path / "c.html") == 1
    text = (tmp_path / "c.html").read_text("utf-8")
    assert "... and 2 more</li>" in text and "--all shows all" in text
    assert len(_Page(text).ids) < 14


def test_the_reader_may_leave_early(base, settings):
    code = "import sys, test_diff; sys.exit(test_diff.run(*sys.argv[1:]))"
    whole = subprocess.run(
        f"{sys.executable} -c '{code}' {base} {settings} --all --json | head -c 1",
        shell=True,
        capture_output=True,
        env={"PYTHONPATH": ":".join(sys.path), "PATH": "/usr/bin:/bin"},
    )
    assert (whole.stdout, whole.stderr) == (b"{", b"")


# Which characters are marked.
MARKS = {
    "equal": ("same", "same", [], []),
    "a number's last digit": ("it is 0.12.", "it is 0.13.", ["2"], ["3"]),
    "a word more": ("a b", "a b c", [], [" c"]),
    "cut off": ("yes. And more", "yes.", [" And more"], []),
    "empty": ("", "x", [], ["x"]),
    "two places": ("one two three four", "one TWO three 4", ["two", "four"], ["TWO", "4"]),
    "a line between": ("a\nb\nc\n", "a\nc\n", ["b\n"], []),
    "nothing in common": ("alpha beta gamma", "uno dos tres", ["alpha beta gamma"], ["uno dos tres"]),
    "another word": ("Therefore C. Done", "Hence D. Done", ["Therefore C"], ["Hence D"]),
    "a word's ending": ("he walks home", "he walked home", ["s"], ["ed"]),
    "Chinese": ("水由氢和氧组成。", "水由氢与氧构成。", ["和", "组"], ["与", "构"]),
    "a suffix that overlaps the prefix": ("aaa", "aa", ["a"], []),
}


@pytest.mark.parametrize("case", MARKS.values(), ids=MARKS)
def test_changed_characters_are_marked(case):
    a, b, *expected = case
    sides = side_by_side(a, b)
    assert ["".join(part.text for part in side) for side in sides] == [a, b]
    assert [[part.text for part in side if part.kind == CHANGED] for side in sides] == expected


def test_long_texts_are_cut_down_to_what_changed():
    a, b = ("x " * 50_000 + middle + " y" * 50_000 for middle in ("old", "new"))
    for side, changed in zip(side_by_side(a, b), ("old", "new"), strict=True):
        assert [part.text for part in side if part.kind == CHANGED] == [changed]
        assert [part.kind for part in side].count(LEFT_OUT) == 2
        assert sum(len(part.text) for part in side) < 1000


def test_marking_takes_bounded_time():
    words = ["a b " * 20_000, "b a " * 20_000, "\n" * 9_000, "ab\nba\n" * 5_000, "x" * 300_000]
    start = time.process_time()
    for a in words:
        for b in words:
            side_by_side(a, b + "z")
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    "a, b, n", [("", "", 0), ("a", "b", 0), ("ab", "ab", 2), ("ab", "abc", 2), ("abcd", "abxd", 2)]
)
def test_what_two_texts_begin_with(a, b, n):
    assert common(a, b) == common(b, a) == n
