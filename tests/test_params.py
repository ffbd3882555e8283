"""Bad params.yaml: one line with file, row, field and what to do; and what good ones mean."""

import json
import os

import pytest

from conftest import PARAMS, REPO, snakemake, write_project
from evaltrail import params, specs, yaml12
from evaltrail.errors import InputError

SCHEMA = REPO / "workflow/schemas/params.schema.yaml"

# (what is wrong, text in PARAMS, what stands there instead, the line that says so)
BAD = [
    ("unknown key", "label: First", "lable: First", "params.yaml: row 8: field systems.first.lable: unknown key lable; did you mean label?"),
    ("unknown key at the top", "defaults:", "default:", "params.yaml: row 3: field default: unknown key default; did you mean defaults?"),
    ("unknown key far from all", "label: First", "zzz: First", "params.yaml: row 8: field systems.first.zzz: unknown key zzz; known: dataset, label, client, "),
    ("unknown key in generation", "max_tokens", "max_token", "params.yaml: row 6: field defaults.generation.max_token: unknown key max_token; did you mean max_tokens?"),
    ("wrong type", "samples: 3", "samples: many", "params.yaml: row 10: field systems.third.samples: 'many' is no integer; write a value of type integer"),
    ("a part of a sample", "samples: 3", "samples: 2.5", "params.yaml: row 10: field systems.third.samples: 2.5 is no integer"),
    ("no samples", "samples: 3", "samples: 0", "params.yaml: row 10: field systems.third.samples: 0 is less than the minimum of 1"),
    ("a YAML 1.1 boolean", "default: true", "default: yes", "params.yaml: row 2: field datasets.tiny.default: 'yes' is no boolean"),
    ("a key given twice", "label: First", "label: First, label: Second", "params.yaml: row 8: field systems.first.label: key given twice, first at row 8; keep one"),
    ("a system given twice", "  second:", "  first:", "params.yaml: row 9: field systems.first: key given twice, first at row 8; keep one"),
    ("an undefined method", "method: normal", "method: norml", "params.yaml: row 8: field systems.first.method: unknown method norml; did you mean normal?"),
    ("no method", ", method: normal", "", "params.yaml: row 8: field systems.first: has no method; add `method: ...`"),
    ("no recorded_name", ", recorded_name: first_normal", "", "params.yaml: row 8: field systems.first: has no recorded_name; add `recorded_name: ...`"),
    ("no dataset", "dataset: tiny, label: First", "label: First", "params.yaml: row 8: field systems.first: has no dataset; add `dataset: ...`"),
    ("an undefined dataset", "dataset: tiny, label: First", "dataset: tinny, label: First", "params.yaml: row 8: field systems.first.dataset: unknown dataset tinny; did you mean tiny?"),
    ("an undefined benchmark", "benchmark: jeebench", "benchmark: jebench", "params.yaml: row 2: field datasets.tiny.benchmark: unknown benchmark jebench; did you mean jeebench?"),
    ("an undefined tolerance", "tolerance: paper", "tolerance: papers", "params.yaml: row 2: field datasets.tiny.tolerance: unknown value papers; did you mean paper?"),
    ("an undefined part", "method: normal", "method: normal, instances: mcqs", "params.yaml: row 8: field systems.first.instances: unknown part of the instances mcqs; did you mean mcq?"),
    ("an undefined pair", "method: normal", "method: normal, pairs_with: secnd", "params.yaml: row 8: field systems.first.pairs_with: unknown system of the dataset secnd; did you mean second?"),
    ("a client that is not there", "client: recorded", "client: recorder", "params.yaml: row 4: field defaults.client: unknown value recorder; did you mean recorded?"),
    ("a source that is not there", "source: source", "source: sauce", "params.yaml: row 2: field datasets.tiny.source: sauce is no folder; give `published` or a folder"),
    ("published replies that are not there", "source: source", "source: published", "params.yaml: row 8: field systems.first.recorded_name: unknown published replies first_normal; did you mean GPT"),
    ("an id with a dot", "  first:", "  fir.st:", "params.yaml: row 8: field systems.fir.st: 'fir.st' is no id; use letters, digits, _, + and -"),
    ("an id with a slash", "  first:", "  ../first:", "params.yaml: row 8: field systems.../first: '../first' is no id"),
    ("a name that leaves the folder", "first_normal", "../first", "params.yaml: row 8: field systems.first.recorded_name: "),
    ("an empty stop", "[STOP, END]", "['']", "params.yaml: row 8: field systems.first.stop.0: "),
    ("two systems with one label", "label: Second", "label: First", "params.yaml: row 9: field systems.second.label: label First is that of system first; give each system of a dataset its own"),
    ("a label that is taken", "label: First", "label: Random", "params.yaml: row 8: field systems.first.label: label Random is that of the row of a random answerer"),
    ("a label of two lines", "label: First", 'label: "a\\nb"', "params.yaml: row 8: field systems.first.label: "),
    ("an id that ends a line", "  first:", '  "first\\n":', "params.yaml: row 8: field systems.first\\n: "),
    ("braces in a path", "source: source", "source: 'so{ur}ce'", "params.yaml: row 2: field datasets.tiny.source: "),
    ("replies that are not there", "first_normal", "fist_normal", "params.yaml: row 2: field datasets.tiny.source: source/data/responses/fist_normal_responses/responses.json is no file; bring it, or mend source or recorded_name"),
    ("a key that is one system's in defaults", "client: recorded", "recorded_name: x", "params.yaml: row 4: field defaults.recorded_name: belongs to one system; move it to that system"),
    ("an undefined table", "[table1, table2]", "[table1, tabel2]", "params.yaml: row 2: field datasets.tiny.tables.1: unknown table tabel2; did you mean table2?"),
    ("a tag", "samples: 3", "samples: !!str 3", "params.yaml: row 10: has the tag tag:yaml.org,2002:str; write a plain value"),
    ("a number too large", "samples: 3", "samples: " + "9" * 5000, "params.yaml: row 10: 9999"),
    ("a float too large", "temperature: 0", "temperature: 1e400", "params.yaml: row 6: 1e400 is no finite number that anyone needs"),
    ("a list within itself", "[STOP, END]", "&s [STOP, *s]", "params.yaml: "),
    ("a share above 1", "samples: 3", "tau: 1.5", "params.yaml: row 10: field systems.third.tau: 1.5 is greater than the maximum of 1; workflow/schemas"),
    ("a key unknown in extraction", "samples: 3", "extraction: {with: []}", "params.yaml: row 10: field systems.third.extraction"),
    ("no YAML", "datasets:", "datasets: [", "params.yaml: row 3: no valid YAML: "),
    ("a tab", "  first:", "\tfirst:", "params.yaml: row 8: no valid YAML: "),
    ("not a number", "temperature: 0", "temperature: .nan", "params.yaml: row 6: .nan is no finite number that anyone needs; write a smaller one"),
    ("a wording with an unknown field", "systems:", "methods: {jeebench: {CoT: '{qestion}'}}\nsystems:", "params.yaml: row 7: field methods.jeebench.CoT: unknown field qestion; did you mean question?"),
    ("a wording with a lone brace", "systems:", "methods: {jeebench: {CoT: 'a } b'}}\nsystems:", "params.yaml: row 7: field methods.jeebench.CoT: no template: "),
    ("a wording that looks inside", "systems:", "methods: {jeebench: {CoT: '{question.x}'}}\nsystems:", "params.yaml: row 7: field methods.jeebench.CoT: no template: "),
    ("no datasets", PARAMS, "systems: {}\n", "params.yaml: row 1: has no datasets; add `datasets: ...`"),
    ("an empty file", PARAMS, "", "params.yaml: row 1: None is no object"),
    ("a list", PARAMS, "- 1\n", "params.yaml: row 1: [1] is no object"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_params_get_one_line(tmp_path, monkeypatch, old, new, line):
    assert PARAMS.count(old) >= 1
    write_project(tmp_path, PARAMS.replace(old, new, 1))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as error:
        params.load("params.yaml", SCHEMA)
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("bad", [b"\xef\xbb\xbfa: 1\n", b"a: \xff\n"], ids=["byte-order mark", "no UTF-8"])
def test_bytes_that_are_no_utf8_get_one_line(tmp_path, bad):
    (tmp_path / "params.yaml").write_bytes(bad)
    with pytest.raises(
        InputError, match=r"row 1: (starts with a byte-order mark|not UTF-8); save it as UTF-8"
    ):
        yaml12.load(tmp_path / "params.yaml")


def test_a_bad_params_file_ends_the_run_with_its_line_alone(project):
    (project / "params.yaml").write_text(PARAMS.replace("label: First", "lable: First"))
    result = snakemake(project)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == (
        "evaltrail: params.yaml: row 8: field systems.first.lable: unknown key lable; did you mean label?"
    )
    assert not (project / "results").exists()


def test_config_on_the_command_line_is_refused_not_ignored(project):
    result = snakemake(project, "--config", "samples=1")
    assert result.returncode == 1
    assert "edit params.yaml, the only configuration" in result.stderr


# YAML 1.2.2, section 10.3.2: what each plain scalar is
SCALARS = [
    ("no", "no"), ("yes", "yes"), ("on", "on"), ("true", True), ("False", False), ("~", None), ("null", None),
    ("1e-3", 0.001), ("1E3", 1000.0), (".5", 0.5), ("5.", 5.0), ("-0", 0), ("+7", 7), ("010", 10), ("0o10", 8),
    ("0x1F", 31), ("1_000", "1_000"), ("12:30:45", "12:30:45"), ("2023-01-01", "2023-01-01"), ("'1'", "1"),
    ("0b1", "0b1"), ("=", "="), ("nullify", "nullify"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), SCALARS)
def test_a_plain_scalar_is_what_yaml_1_2_says(tmp_path, text, value):
    (tmp_path / "a.yaml").write_text(f"a: {text}\n")
    read = yaml12.load(tmp_path / "a.yaml").data["a"]
    assert read == value
    assert type(read) is type(value)


def test_a_system_takes_from_defaults_what_it_does_not_say(tmp_path, monkeypatch):
    write_project(tmp_path, PARAMS.replace("samples: 3", "samples: 3, generation: {temperature: 0.5}"))
    monkeypatch.chdir(tmp_path)
    third = params.load("params.yaml", SCHEMA)["systems"]["third"]
    assert third["generation"] == {"temperature": 0.5, "max_tokens": 64, "stop": None}
    assert (third["answers"], third["samples"], third["stop"]) == ("recorded", 3, None)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [64.0, 0.5, None]}, '{"a":[64,0.5,null],"b":1}'),
        ({"a": True, "b": 1}, '{"a":true,"b":1}'),
        ("é\n", '"\\u00e9\\n"'),
        (1e22, "10000000000000000000000"),
    ],
)
def test_equal_settings_have_one_canonical_text(value, text):
    assert specs.canonical(value) == text
    assert json.loads(text) == value


def test_a_file_that_may_not_be_read_is_named(project, monkeypatch):
    own = project / "data/tiny/adjudications.csv"
    own.parent.mkdir(parents=True)
    own.write_text("system,instance,sample,answer,reason\n")
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("adjudications.csv"))
    monkeypatch.chdir(project)
    with pytest.raises(InputError, match=r"^data/tiny/adjudications\.csv: may not be read; mend its rights$"):
        params.load("params.yaml", SCHEMA)
