"""`evaltrail crate`: a valid Workflow Run RO-Crate that names each file as it is, and is the same every time.

The MUSTs are those of the published profiles (RO-Crate 1.1, Workflow RO-Crate 1.0, Process and Workflow Run Crate 0.5).
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from urllib.parse import unquote

import numpy
import pandas
import pytest
import sympy
from rocrate.rocrate import ROCrate

from conftest import REPO, copy_of, files, run, snakemake, write_project
from evaltrail.facts import BENCHMARKS, benchmark_facts

NAME = "ro-crate-metadata.json"
PUBLISHED = """\
datasets:
  jeebench: {benchmark: jeebench, source: published, tables: [table1], default: true}
systems:
  GPT4: {dataset: jeebench, recorded_name: GPT4_normal, method: normal}
"""


def crate(project, *arguments, repo=REPO, **environment):
    command = [sys.executable, "-m", "evaltrail", "crate", *arguments]
    return run(command, cwd=project, PYTHONPATH=str(repo / "src"), **environment)


def entities(project) -> dict[str, dict]:
    graph = json.loads((project / NAME).read_text())["@graph"]
    assert len({entity["@id"] for entity in graph}) == len(graph)
    return {entity["@id"]: entity for entity in graph}


def ids(references) -> list[str]:
    return [reference["@id"] for reference in (references if isinstance(references, list) else [references])]


def types(entity) -> set[str]:
    return set(entity["@type"] if isinstance(entity["@type"], list) else [entity["@type"]])


def the_action(graph) -> dict:
    (action,) = [entity for entity in graph.values() if types(entity) == {"CreateAction"}]
    return action


def values(graph, owner: str) -> dict[str, str]:
    found = [graph[id] for id in ids(graph[owner]["additionalProperty"])]
    return {value["name"]: value["value"] for value in found}


@pytest.fixture
def project(finished, tmp_path):
    return copy_of(finished, tmp_path / "project")


@pytest.fixture(scope="module")
def written(finished, tmp_path_factory):
    """A finished project with its crate. Not to be changed."""
    project = copy_of(finished, tmp_path_factory.mktemp("crate") / "project")
    result = crate(project)
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"{NAME}: 4 raw files, 22 outputs\n"
    return project


@pytest.fixture(scope="module")
def graph(written):
    return entities(written)


def test_the_root_has_all_that_the_profiles_ask_of_it(graph):
    descriptor, root = graph[NAME], graph["./"]
    assert descriptor["@type"] == "CreativeWork" and ids(descriptor["about"]) == ["./"]
    workflow_ro_crate = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
    assert set(ids(descriptor["conformsTo"])) == {"https://w3id.org/ro/crate/1.1", workflow_ro_crate}
    assert root["@type"] == "Dataset" and root["name"] and root["description"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", root["datePublished"])
    assert root["license"] == "No licence is stated for the data of tiny."
    run_crates = {f"https://w3id.org/ro/wfrun/{kind}/0.5" for kind in ("process", "workflow")}
    assert set(ids(root["conformsTo"])) == run_crates | {workflow_ro_crate}
    assert all(graph[id]["@type"] == "CreativeWork" for id in ids(root["conformsTo"]))
    every_file = {id for id, entity in graph.items() if "File" in types(entity)}
    assert set(ids(root["hasPart"])) == every_file


def test_the_main_entity_is_the_snakefile_and_the_action_ran_it(graph):
    workflow = graph[graph["./"]["mainEntity"]["@id"]]
    assert types(workflow) == {"File", "SoftwareSourceCode", "ComputationalWorkflow"}
    assert workflow["sha256"] == hashlib.sha256((REPO / "Snakefile").read_bytes()).hexdigest()
    language = graph[workflow["programmingLanguage"]["@id"]]
    assert (language["@type"], language["name"]) == ("ComputerLanguage", "Snakemake")
    assert language["version"].startswith("9.27.")
    action = the_action(graph)
    assert ids(action["instrument"]) == [workflow["@id"]]
    assert action["@id"] in ids(graph["./"]["mentions"])
    assert action["actionStatus"] == "http://schema.org/CompletedActionStatus"


def test_the_library_reads_the_crate_and_every_reference_is_to_something(written, graph):
    read = ROCrate(written)
    assert read.mainEntity["programmingLanguage"]["name"] == "Snakemake"
    assert {entity.id for entity in read.get_entities()} == set(graph)
    for entity in graph.values():
        for key, value in entity.items():
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, dict) and not item["@id"].startswith(("http", "https")):
                    assert item["@id"] in graph, (entity["@id"], key)


def test_every_file_is_there_with_its_sha256_and_its_size(written, graph):
    for id, entity in graph.items():
        if "File" in types(entity):
            content = (written / unquote(id)).read_bytes()
            assert entity["sha256"] == hashlib.sha256(content).hexdigest()
            assert entity["contentSize"] == str(len(content))
            assert "/" in entity["encodingFormat"]


def test_what_went_in_and_what_came_out_is_all_that_was_made(finished, graph):
    action = the_action(graph)
    went_in, came_out = (set(map(unquote, ids(action[key]))) for key in ("object", "result"))
    made = set(files(finished))
    raw = {path for path in made if path.startswith("data/tiny/raw/")}
    assert came_out == made - raw
    sources = {path.replace("data/tiny/raw/", "source/") for path in raw}
    assert went_in == raw | sources | {"params.yaml"}
    for path in raw:
        id = next(id for id in ids(action["object"]) if unquote(id) == path)
        assert unquote(graph[id]["isBasedOn"]["@id"]) == path.replace("data/tiny/raw/", "source/")


def test_each_system_says_what_it_is_and_its_files_say_whose_they_are(graph):
    third = graph["#system/third"]
    assert third["@type"] == "SoftwareApplication"
    assert (third["name"], third["identifier"], third["softwareVersion"]) == ("Third", "third", "tiny-1")
    settings = values(graph, "#system/third")
    expected = {"client": "recorded", "recorded_name": "third_CoT+SC", "method": "CoT+SC", "samples": "3"}
    assert settings.items() >= expected.items()
    assert json.loads(settings["generation"]) == {"temperature": 0, "max_tokens": 64, "stop": None}
    assert json.loads(values(graph, "#system/first")["stop"]) == ["STOP", "END"]
    assert graph["results/tiny/third/scores.jsonl"]["about"] == {"@id": "#system/third"}
    assert {"#system/first", "#system/second", "#system/third"} < set(ids(graph["./"]["mentions"]))


def test_packages_that_compute_and_code_hashes_are_named(graph):
    packages = {
        graph[id]["name"]: graph[id]["softwareVersion"]
        for id in ids(graph["#evaltrail"]["softwareRequirements"])
    }
    expected = {module.__name__: module.__version__ for module in (numpy, pandas, sympy)}
    assert packages.items() >= expected.items()
    assert packages["Python"] == sys.version.split()[0]
    hashes = {name for name in values(graph, "#evaltrail") if name.startswith("code of ")}
    assert {"code of cut", "code of score, jeebench", "code of tables, jeebench, table2"} <= hashes


def test_no_path_or_host_of_this_machine_stands_in_it(written):
    text = (written / NAME).read_text()
    assert not re.search(r'"(/|file:)', text)
    for place in (written, REPO, sys.prefix):
        assert str(place) not in text


def test_the_same_state_gives_the_same_bytes_wherever_and_whenever(written, tmp_path):
    other = tmp_path / "other.json"
    result = crate(
        tmp_path, "--directory", str(written), "--output", "other.json", TZ="Asia/Kolkata", PYTHONHASHSEED="7"
    )
    assert (result.returncode, result.stdout) == (0, "other.json: 4 raw files, 22 outputs\n"), result.stderr
    assert other.read_bytes() == (written / NAME).read_bytes()
    moved = copy_of(written, tmp_path / "moved")
    assert crate(moved).returncode == 0
    assert (moved / NAME).read_bytes() == other.read_bytes()


def test_the_crate_changes_no_output(finished, written):
    assert files(written) == files(finished)


def test_where_nothing_is_made_one_line_says_so(tmp_path):
    project = write_project(tmp_path / "project")
    result = crate(project)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == "evaltrail: .: nothing is made here; run make or snakemake first\n"
    assert not (project / NAME).exists()


def test_outside_of_a_project_one_line_says_so(tmp_path):
    result = crate(tmp_path)
    assert result.stderr == "evaltrail: params.yaml: no such file; go to a project directory\n"


def edit_setting(project):
    params = project / "params.yaml"
    params.write_text(params.read_text().replace("label: Second", "label: Other"))


def edit_output(project):
    with open(project / "results/tiny/first/scores.jsonl", "a") as file:
        file.write("\n")


def edit_raw_file_and_hide_it(project):
    path = project / "data/tiny/raw/data/dataset.json"
    stat = path.stat()
    path.write_bytes(path.read_bytes().replace(b"Which is 1?", b"Which is 2?"))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (edit_setting, "results/report.html: is not what params.yaml and the code ask for now (and 1 more)"),
        (edit_output, "  results/tiny/first/scores.jsonl\n"),
        (edit_raw_file_and_hide_it, "data/tiny/raw/data/dataset.json: is not the file that was fetched"),
    ],
)
def test_what_is_not_as_it_was_made_gets_no_crate(project, edit, said):
    edit(project)
    result = crate(project)
    assert result.returncode == 1
    assert said in result.stderr
    assert not (project / NAME).exists()


def test_a_persons_file_is_among_the_inputs(project):
    rulings = "system,instance,sample,answer,reason\nfirst,Tiny 2016 Paper 1 #1,0,None,it chooses nothing\n"
    (project / "data/tiny/adjudications.csv").write_text(rulings)
    assert snakemake(project).returncode == 0
    assert crate(project).returncode == 0
    assert "data/tiny/adjudications.csv" in ids(the_action(entities(project))["object"])


def test_a_published_file_names_its_archive_and_its_licence(tmp_path, mirror):
    project = tmp_path / "project"
    project.mkdir()
    (project / "params.yaml").write_text(PUBLISHED)
    made = snakemake(project, "results/jeebench_table1.csv", EVALTRAIL_MIRROR=str(mirror))
    assert made.returncode == 0, made.stderr
    result = crate(project)
    assert result.stdout == f"{NAME}: 1 raw files, 2 outputs\n", result.stderr
    graph = entities(project)
    raw = graph["data/jeebench/raw/data/dataset.json"]
    assert raw["sha256"] == "c9e46ee7585ff83711e89f18e067ee447c88c08602f837b328c5a169c3011de0"
    assert raw["license"] == graph["./"]["license"] == {"@id": "https://spdx.org/licenses/MIT"}
    archive = graph[raw["isBasedOn"]["@id"]]
    assert archive["url"].endswith("/c7776fb52f7e46581f47619198f3283e9ec14849/data.zip")
    assert archive["identifier"] == "swh:1:cnt:d8d396620571d508d7f38d3a6e73fa1decdb00d5"
    assert graph["https://spdx.org/licenses/MIT"]["name"] == "MIT"
    assert not [id for id in graph if id.startswith("#system")]  # none of its files is made


def git(repo, *arguments) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    return subprocess.run(
        ["git", "-C", str(repo), *who, *arguments], check=True, capture_output=True, text=True
    ).stdout


def test_in_evaltrails_own_repository_the_commit_is_named_and_nothing_is_copied(finished, tmp_path):
    repo = tmp_path / "repo"
    listed = git(
        REPO,
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
        "src",
        "workflow",
        "Snakefile",
        "pyproject.toml",
        ".gitignore",  # else what Python caches would count as changes
    )
    for name in filter(None, listed.split("\0")):
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(REPO / name, repo / name)
    git(repo, "init", "--quiet")
    git(repo, "add", ".")
    git(repo, "commit", "--quiet", "--message", "all")
    shutil.copytree(finished, repo, dirs_exist_ok=True)
    for changed in ("false", "true"):
        result = crate(repo, repo=repo, GIT_DIR=str(tmp_path))
        assert result.returncode == 0, result.stderr
        graph = entities(repo)
        assert graph["./"]["mainEntity"] == {"@id": "Snakefile"}
        assert "workflow/rules/common.smk" in ids(graph["Snakefile"]["hasPart"])
        assert not (repo / "ro-crate-workflow").exists()
        said = values(graph, "#evaltrail")
        assert said["git commit"] == git(repo, "rev-parse", "HEAD").strip()
        assert said["uncommitted changes"] == changed
        with open(repo / "src/evaltrail/cut.py", "a") as file:
            file.write("# a remark\n")


def test_every_benchmark_states_its_licence():
    known = {"jeebench": "MIT", "cgeval": "CC-BY-NC-SA-4.0", "drop": "CC-BY-SA-4.0"}
    there = {path.parent.name for path in BENCHMARKS.glob("*/benchmark.yaml")}
    assert {name: benchmark_facts(name)["licence"] for name in there} == {name: known[name] for name in there}


def test_no_other_command_loads_the_library():
    loaded = "import sys, evaltrail.__main__ as m; m._parser(); print('rocrate' in sys.modules)"
    assert run([sys.executable, "-c", loaded], PYTHONPATH=str(REPO / "src")).stdout == "False\n"
