"""Who reads the replies: the rules, a person, a later ruling; and what the authors' script makes of readings."""

import csv
import json

import pytest

from conftest import READINGS, snakemake, write_json, write_project
from evaltrail import adjudications
from evaltrail.benchmarks.jeebench import authors, score
from evaltrail.benchmarks.jeebench.tables.disagreements import around
from evaltrail.errors import InputError

FIRST, SECOND = "Tiny 2016 Paper 1 #1", "Tiny 2016 Paper 1 #2"
BY_RULES = """\
datasets:
  tiny: {benchmark: jeebench, source: source, tables: [table2, agreement]}
systems:
  first: {dataset: tiny, recorded_name: first_normal, method: normal, answers: rules}
  third: {dataset: tiny, recorded_name: third_CoT+SC, method: CoT+SC, samples: 3, answers: rules}
"""


def table(project, name):
    with open(project / f"results/tiny_{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rule(project, *rows):
    path = project / "data/tiny/adjudications.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([adjudications.COLUMNS, *rows])


def test_agreement_counts_the_replies_in_which_both_read_the_same(tmp_path):
    project = write_project(tmp_path / "p", BY_RULES)
    assert snakemake(project, "results/tiny_agreement.csv", "results/tiny_disagreements.csv").returncode == 0
    rows = {(row["system"], row["type"]): row for row in table(project, "agreement")}
    # each reply is "The answer is X." for the reading X, so both agree throughout
    assert rows["first", "Total"] | {"low": "", "high": ""} == {
        "system": "first", "type": "Total", "n": "6", "agreement": "1.000", "low": "", "high": "", "same_score": "1.000", "adjudicated": "0",
    }  # fmt: skip
    assert rows["third", "Total"]["n"] == "18"
    assert table(project, "disagreements") == []


def test_a_ruling_overrides_the_rules_and_shows_in_the_tables(tmp_path):
    project = write_project(tmp_path / "p", BY_RULES)
    rule(project, ["first", FIRST, 0, "B", "misread"], ["third", SECOND, 2, "None", "no answer given"])
    targets = [f"results/tiny_{name}.csv" for name in ("table2", "agreement", "disagreements")]
    result = snakemake(project, *targets)
    assert result.returncode == 0, result.stderr
    rows = [json.loads(line) for line in (project / "results/tiny/first/predictions.jsonl").open()]
    assert (rows[0]["prediction"], rows[0]["rule"], rows[0]["start"]) == ("B", "adjudicated", None)
    assert "adjudicated" not in {row["rule"] for row in rows[1:]}
    answers = {row["system"]: row["answers"] for row in table(project, "table2")}
    assert answers == {"Random": "expected", "first": "rules, 1 adjudicated", "third": "rules, 1 adjudicated"}
    total = next(
        row for row in table(project, "agreement") if (row["system"], row["type"]) == ("first", "Total")
    )
    # the ruling is no reading of the rules, so it counts in no share
    assert (total["n"], total["agreement"], total["same_score"], total["adjudicated"]) == (
        "5",
        "1.000",
        "1.000",
        "1",
    )
    differ = [
        (row["system"], row["instance"], row["sample"], row["rules"], row["recorded"])
        for row in table(project, "disagreements")
    ]
    assert differ == [("first", FIRST, "0", "B", "A"), ("third", SECOND, "2", "", "C")]


BAD_RULINGS = [
    ("an instance that is not there", ["first", "Tiny #9", 0, "B", "r"], "row 2: there is no reply to Tiny #9, sample 0; mend or remove the row"),
    ("a sample that is not there", ["first", FIRST, 1, "B", "r"], f"row 2: there is no reply to {FIRST}, sample 1"),
    ("a system that is not there", ["frist", FIRST, 0, "B", "r"], "row 2: field system: 'frist' is no system of the dataset; give its id in params.yaml"),
    ("a sample that is no number", ["first", FIRST, "x", "B", "r"], "row 2: field sample: 'x' is no number; count from 0"),
    ("an answer of another type", ["first", FIRST, 0, "5", "r"], "row 2: field answer: '5' is no answer of type MCQ; write an answer or None"),
    ("two letters for one right option", ["first", FIRST, 0, "AB", "r"], "row 2: field answer: 'AB' is no answer of type MCQ"),
    ("no answer", ["first", FIRST, 0, "", "r"], 'row 2: field answer: is empty; write it, or "None" for a reply without answer'),
    ("no reason", ["first", FIRST, 0, "B", " "], "row 2: field reason: is empty; say why"),
    ("a row too short", ["first", FIRST, 0, "B"], "row 2: has 4 cells instead of 5; quote cells that hold commas"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "line"), [case[1:] for case in BAD_RULINGS], ids=[case[0] for case in BAD_RULINGS]
)
def test_a_bad_ruling_is_an_error_that_names_it(finished, project, row, line):
    rule(project, row)
    result = snakemake(project, "results/tiny/first/predictions.jsonl")
    assert result.returncode == 1
    assert f"evaltrail: data/tiny/adjudications.csv: {line}" in result.stderr
    assert not (project / "results/tiny/first/predictions.jsonl").exists()


def test_two_rulings_on_one_reply_are_refused(tmp_path):
    project = write_project(tmp_path / "p", BY_RULES)
    rule(project, ["first", FIRST, 0, "B", "r"], ["first", FIRST, 0, "C", "r"])
    with pytest.raises(InputError, match="row 3: rules twice on one reply; remove one of the rows"):
        adjudications.read(project / "data/tiny/adjudications.csv", "first")


@pytest.mark.parametrize(
    ("text", "start", "end", "shown"),
    [
        ("The answer is B.", 14, 15, "The answer is «B»."),
        ("a\n\nb\r\nc", 3, 4, "a ⏎  ⏎ «b» ⏎ c"),
        ("x" * 200 + "B" + "y" * 200, 200, 201, "…" + "x" * 160 + "«B»" + "y" * 160 + "…"),
        ("no place", None, None, "no place"),
        ("x" * 400, None, None, "…" + "x" * 320),
        ("a\ud83d", 0, 1, "«a»\\ud83d"),
    ],
)
def test_the_text_around_a_place_is_shown_on_one_line(text, start, end, shown):
    assert around(text, start, end) == shown


# What the authors' compute_metrics.py gives, each run once with it; the first five are its quirks (README.md).
# (type, readings of the samples, its answer, evaltrail's own)
AUTHORS = [
    ("MCQ", ["None", "None"], "A", None),
    ("MCQ", ["D", "B"], "B", "D"),
    ("Numeric", ["0.5", ".50", "3", "3"], "3", "0.5"),
    ("Integer", ["9", "10"], "10", "9"),
    ("MCQ", ["AC", "C", "A", "C"], "C", "C"),
    ("MCQ", ["AC", "B"], "A", "AC"),
    ("MCQ(multiple)", ["AB", "AC", "None", "D"], "A", "A"),
    ("MCQ(multiple)", ["None", "None"], "None", None),
    ("Numeric", ["None", "2", "2"], "2", "2"),
    ("Integer", ["None", "None"], "None", None),
]


@pytest.mark.parametrize(("type", "readings", "theirs", "ours"), AUTHORS)
def test_samples_are_aggregated_as_the_authors_do_or_as_the_paper_says(type, readings, theirs, ours):
    assert authors.aggregate(type, readings) == theirs
    assert score.aggregate(type, [None if reading == "None" else reading for reading in readings]) == ours


# (type, gold, reading, the authors' score)
AUTHORS_SCORES = [
    ("MCQ", "B", "B", 1), ("MCQ", "B", "None", 0), ("MCQ", "B", "5", 0), ("MCQ", "B", "AB", 0),
    ("MCQ(multiple)", "AB", "A", 0.25), ("MCQ(multiple)", "AB", "N/A", 0), ("MCQ(multiple)", "AB", "Answer", 0.25),
    ("Integer", "4", "4.0", 1), ("Integer", "4", "None", 0), ("Numeric", "0.63", "0.62", 0), ("Numeric", "13.33", "13.32", 1),
    ("Numeric", "0.5", "1/2", 0), ("Numeric", "0.5", "nan", 0), ("Numeric", "0.5", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("type", "gold", "reading", "points"), AUTHORS_SCORES)
def test_a_reading_scores_as_the_authors_do(type, gold, reading, points):
    assert authors.score(type, gold, reading) == points


@pytest.mark.parametrize(
    ("type", "reading", "answer"),
    [
        ("MCQ(multiple)", "A, C", "AC"),
        ("MCQ(multiple)", "Answer", "A"),
        ("MCQ", "N/A", None),
        ("MCQ", "5", None),
        ("Numeric", "0.5", "0.5"),
    ],
)
def test_a_prediction_of_the_authors_is_what_they_score(type, reading, answer):
    assert authors.as_answer(type, reading) == answer


def test_compat_is_a_setting_of_a_system(project):
    text = (project / "params.yaml").read_text().replace("samples: 3", "samples: 3, compat: authors")
    (project / "params.yaml").write_text(text)
    assert snakemake(project, "results/tiny/third/scores.jsonl").returncode == 0
    rows = [json.loads(line) for line in (project / "results/tiny/third/scores.jsonl").open()]
    # "4", "4.0", "5" are three answers to the authors, who take the first in text order
    assert [row["prediction"] for row in rows] == ["A", "AC", "4", "0.13", "0", None]
    assert [row["answers"] for row in rows][3] == [None, "0.13", "0.13"]


def test_tau_is_a_setting_of_a_system(project):
    readings = READINGS["third_CoT+SC"][1]
    assert readings == ["A", "AC", "C"]
    text = (project / "params.yaml").read_text().replace("samples: 3", "samples: 3, tau: 0.7")
    (project / "params.yaml").write_text(text)
    assert snakemake(project, "results/tiny/third/scores.jsonl").returncode == 0
    rows = [json.loads(line) for line in (project / "results/tiny/third/scores.jsonl").open()]
    assert rows[1]["prediction"] is None  # A and C are in 2 of 3, less than 0.7 of all


def test_a_rule_can_be_left_out(tmp_path):
    project = write_project(
        tmp_path / "p",
        BY_RULES.replace("method: normal,", "method: normal, extraction: {without: [stated]},"),
    )
    made = json.loads((project / "source/data/dataset.json").read_text())
    write_json(project / "source/data/dataset.json", made)
    assert snakemake(project, "results/tiny/first/predictions.jsonl").returncode == 0
    rules = {json.loads(line)["rule"] for line in (project / "results/tiny/first/predictions.jsonl").open()}
    assert "stated" not in rules
