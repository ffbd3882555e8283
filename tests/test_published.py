"""The published replies give the published numbers (Arora et al. 2023, Table 2, as the authors' own script has them)."""

import csv
import hashlib
import json

import pytest

from conftest import snakemake

PARAMS = """\
datasets:
  jeebench: {benchmark: jeebench, source: published, tolerance: paper}
defaults: {client: recorded, method: normal, answers: recorded}
systems:
  GPT3: {dataset: jeebench, label: GPT3, recorded_name: GPT3_normal}
  GPT35: {dataset: jeebench, label: GPT3.5, recorded_name: GPT3.5_normal}
  GPT4: {dataset: jeebench, label: GPT4, recorded_name: GPT4_normal}
"""
HEADER = (
    "system,Chemistry,Mathematics,Physics,Integer,Single-Correct,Multi-Correct,Numeric,Total,"
    "instances,none,answers,tolerance"
)
TABLE_2 = """\
Random,0.108,0.105,0.103,0.000,0.250,0.144,0.000,0.105,515,0,expected,
GPT3,0.135,0.107,0.134,0.049,0.291,0.133,0.015,0.122,515,57,recorded,paper
GPT3.5,0.228,0.146,0.173,0.073,0.318,0.249,0.029,0.177,515,54,recorded,paper
GPT4,0.423,0.212,0.352,0.207,0.455,0.383,0.153,0.309,515,51,recorded,paper
"""
# Table 1 of the paper
TABLE_1 = """\
subject,Integer,Single-Correct,Multi-Correct,Numeric,Total
Chemistry,23,30,60,43,156
Mathematics,37,53,85,61,236
Physics,22,27,41,33,123
Total,82,110,186,137,515
"""
RECORDED = {"GPT3": "GPT3_normal", "GPT35": "GPT3.5_normal", "GPT4": "GPT4_normal"}


@pytest.fixture(scope="module")
def published(tmp_path_factory, mirror):
    project = tmp_path_factory.mktemp("published")
    (project / "params.yaml").write_text(PARAMS)
    targets = [
        f"results/jeebench_{name}.csv"
        for name in ("table1", "table2", "table5", "table6", "human", "agreement")
    ]
    result = snakemake(project, *targets, EVALTRAIL_MIRROR=str(mirror))
    assert result.returncode == 0, result.stderr
    return project


def test_table1_is_the_papers(published):
    assert (published / "results/jeebench_table1.csv").read_text() == TABLE_1


def test_table2_is_the_papers(published):
    assert (published / "results/jeebench_table2.csv").read_text() == f"{HEADER}\n{TABLE_2}"


# Marks won and lost, from the published extracts, by another program than this: (table, columns, cells)
MARKS = [
    ("table5", ("positive", "negative", "maximum"), {"GPT3": "195 -331 1074", "GPT3.5": "290 -273 1074", "GPT4": "435 -204 1074"}),
    ("table6", ("positive", "negative", "maximum"), {"GPT3": "69 -71 264", "GPT3.5": "67 -65 264", "GPT4": "97 -54 264"}),
    ("human", ("mcq_positive", "mcq_negative", "maximum"), {"GPT3": "43 -27 229", "GPT3.5": "22 -33 229", "GPT4": "38 -30 229"}),
]  # fmt: skip


def rows_of(project, table):
    with open(project / f"results/jeebench_{table}.csv", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(("table", "columns", "cells"), MARKS, ids=[case[0] for case in MARKS])
def test_marks_are_those_of_the_published_extracts(published, table, columns, cells):
    assert {
        row["system"]: " ".join(row[column] for column in columns) for row in rows_of(published, table)
    } == cells


def test_the_rules_agree_with_the_published_extracts_on_each_system(published):
    totals = {row["system"]: row for row in rows_of(published, "agreement") if row["type"] == "Total"}
    assert {system: row["n"] for system, row in totals.items()} == {
        "GPT3": "515",
        "GPT3.5": "515",
        "GPT4": "515",
    }
    assert not {system: row["agreement"] for system, row in totals.items() if float(row["agreement"]) < 0.97}


@pytest.mark.parametrize("system", RECORDED)
def test_rendered_prompts_are_the_recorded_ones(published, mirror, system):
    name = RECORDED[system]
    recorded = json.loads((mirror / f"jeebench/data/responses/{name}_responses/responses.json").read_bytes())
    lines = (published / f"results/jeebench/{system}/prompts.jsonl").read_text().splitlines()
    assert [json.loads(line)["prompt"] for line in lines] == [entry["prompt"] for entry in recorded]
    assert len(lines) == 515


@pytest.mark.parametrize("system", RECORDED)
def test_replies_and_human_extracts_travel_untouched(published, mirror, system):
    name = RECORDED[system]
    recorded = json.loads((mirror / f"jeebench/data/responses/{name}_responses/responses.json").read_bytes())
    choices = [entry[f"{name}_response"]["choices"][0] for entry in recorded]
    texts = [choice["text"] if "text" in choice else choice["message"]["content"] for choice in choices]
    rows = [json.loads(line) for line in (published / f"results/jeebench/{system}/generations.jsonl").open()]
    assert [row["text"] for row in rows] == texts
    assert [row["recorded_answer"] for row in rows] == [entry["extract"] for entry in recorded]
    assert [row["finish"] for row in rows] == [choice["finish_reason"] for choice in choices]


def test_raw_files_are_those_of_the_mirror(published, mirror):
    made = published / "data/jeebench/raw/data/dataset.json"
    assert hashlib.sha256(made.read_bytes()).hexdigest().startswith("c9e46ee7585ff837")


def test_a_mirror_named_from_where_the_command_is_typed(published, mirror, tmp_path):
    import os
    import subprocess

    from conftest import BIN, REPO

    (tmp_path / "params.yaml").write_text(PARAMS)
    (tmp_path / "here").mkdir()
    (tmp_path / "here/mirror").symlink_to(mirror)
    command = [
        BIN / "snakemake",
        "--snakefile",
        REPO / "Snakefile",
        "--directory",
        "..",
        "results/jeebench_table1.csv",
    ]
    environment = {**os.environ, "EVALTRAIL_MIRROR": "mirror"}
    subprocess.run(command, cwd=tmp_path / "here", env=environment, check=True, capture_output=True)
    with open(tmp_path / "results/jeebench_table1.csv") as file:
        assert list(csv.reader(file))[-1][-1] == "515"
