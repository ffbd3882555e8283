"""DROP through the real workflow: a study on the mini dataset, and exactly what each edit of it reruns."""

import json
from pathlib import Path

import pytest

from conftest import REPO, copy_of, evaltrail, remade, snakemake

MINI = REPO / "data/mini/drop/drop_dataset_dev.json"
PARAMS = """\
datasets:
  drop: {benchmark: drop, source: source, file: questions.json, tables: [table, stop_effect, rerun], default: true}
  more: {benchmark: drop, source: source, file: more.json}
systems:
  whole: {dataset: drop, recorded_name: theirs.jsonl, method: zero-shot, stop: "."}
  drawn: {dataset: drop, client: random, method: few-shot, shots: {count: 2, dataset: more}}
"""
CUT = {"cut", "predict", "score"}
SHOWN = {"table", "report"}


def write_study(project: Path) -> Path:
    """Twelve questions with replies to them, and the other questions to draw examples from."""
    passages = json.loads(MINI.read_text(encoding="utf-8"))
    source = project / "source"
    (source / "recorded").mkdir(parents=True)
    parts = {"questions.json": list(passages)[:3], "more.json": list(passages)[3:]}
    for name, ids in parts.items():
        (source / name).write_text(json.dumps({id: passages[id] for id in ids}), encoding="utf-8")
    rows = []
    for id in parts["questions.json"]:
        for pair in passages[id]["qa_pairs"]:
            prompt = f"Passage: {passages[id]['passage']}\nQuestion: {pair['question']}\nAnswer:"
            gold = pair["answer"]["number"] or ", ".join(pair["answer"]["spans"]) or "12 May 1921"
            rows.append({"arguments": [[prompt, {}]], "resps": [[f" {gold}\n\nPassage: In 2011"]]})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (source / "recorded/theirs.jsonl").write_text(lines, encoding="utf-8")
    (project / "params.yaml").write_text(PARAMS)
    return project


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    project = write_study(tmp_path_factory.mktemp("drop") / "project")
    result = snakemake(project)
    assert result.returncode == 0, result.stderr
    return project


def of(system: str, *steps: str) -> set[str]:
    return {f"{step} {system}" for step in steps}


def edited(project: Path, old: str, new: str) -> None:
    text = (project / "params.yaml").read_text()
    assert text.count(old) == 1
    (project / "params.yaml").write_text(text.replace(old, new))


# (what is edited, the old text, the new one, the jobs that run)
EDITS = [
    ("the stop at which replies are cut", 'stop: "."}', 'stop: "\\n"}', of("whole", *CUT) | SHOWN),
    ("a list of stops", 'stop: "."}', 'stop: [".", "\\n"]}', of("whole", *CUT) | SHOWN),
    ("how a reply becomes spans", 'stop: "."}', 'stop: ".", spans: split}', of("whole", "score") | {"stop_effect"} | SHOWN),
    ("what is read of a reply", 'stop: "."}', 'stop: ".", extraction: {reading: answer-line}}', of("whole", "predict", "score") | {"stop_effect"} | SHOWN),
    ("the stops that are compared", "file: questions.json", 'file: questions.json, stops: [".", ","]', {"stop_effect", "rerun", "report"}),
    ("the rate of a GPU", "file: questions.json", "file: questions.json, tokens_per_gpu_second: 10", {"rerun", "report"}),
    ("the stop that was sent", 'stop: "."}', 'stop: ".", generation: {stop: "."}}', {"rerun", "report"}),
    ("how many examples", "count: 2", "count: 3", of("drawn", "render", "generate", *CUT) | {"stop_effect", "rerun"} | SHOWN),
    ("their seed", "count: 2", "count: 2, seed: 7", of("drawn", "render", "generate", *CUT) | {"stop_effect", "rerun"} | SHOWN),
    ("their seed, written out", "count: 2", "count: 2, seed: 0", set()),
    ("a setting of another benchmark", "client: random", "client: random, tau: 0.7", set()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "expected"), [edit[1:] for edit in EDITS], ids=[edit[0] for edit in EDITS]
)
def test_an_edit_runs_exactly_what_it_touches(made, tmp_path, old, new, expected):
    project = copy_of(made, tmp_path / "project")
    edited(project, old, new)
    assert {name_of(Path(path)) for path in remade(project)} == expected


STEPS = {
    "prompts": "render",
    "generations": "generate",
    "completions": "cut",
    "predictions": "predict",
    "scores": "score",
    "metrics": "score",
}


def name_of(path: Path) -> str:
    """The job that made an output."""
    if path.suffix in (".csv", ".html"):
        return path.stem.removeprefix("drop_")
    return f"{STEPS[path.stem]} {path.parent.name}"


def test_the_stop_decides_the_table(made, tmp_path):
    project = copy_of(made, tmp_path / "project")
    edited(project, 'stop: "."}', 'stop: "\\n"}')
    assert snakemake(project, "--", "results/drop_table.csv").returncode == 0
    before, after = (exact_match(folder) for folder in (made, project))
    # At a line end all but dates are the golds; cut at a point or not at all they are followed by the next passage.
    assert before["official"] == 0.0
    assert after["official"] > 0.5


def exact_match(project: Path) -> dict[str, float]:
    metrics = json.loads((project / "results/drop/whole/metrics.json").read_text())
    return {
        name.removesuffix("_EM"): mean
        for name, mean in metrics["parts"]["Total"].items()
        if name.endswith("_EM")
    }


def test_plan_knows_the_examples_dataset(made, tmp_path):
    project = copy_of(made, tmp_path / "project")
    edited(project, "count: 2", "count: 3")
    result = evaltrail(project, "plan")
    assert result.returncode == 0, result.stderr
    assert "9 jobs run\n  render: 1\n    results/drop/drawn/prompts.jsonl" in result.stdout


REFUSED = [
    ("shots: {count: 2, dataset: more}", "shots: {count: 2, dataset: mor}", "systems.drawn.shots.dataset: unknown dataset of drop mor; did you mean more?"),
    (", shots: {count: 2, dataset: more}", "", "has examples; add `shots: {count: 3, dataset: ID}`"),
    ("file: questions.json", "file: none.json", "none.json is no file"),
    ("source: source, file: questions.json", "source: published, file: dev.json", "unknown published file dev.json"),
    ("file: questions.json", 'file: questions.json, stops: ["."]', "datasets.drop.stops"),
    ("method: zero-shot", "method: zero_shot", "did you mean zero-shot?"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), REFUSED)
def test_params_that_name_what_is_not_there_are_one_line(tmp_path, old, new, message):
    project = write_study(tmp_path / "project")
    edited(project, old, new)
    result = snakemake(project, "-n")
    assert result.returncode == 1
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("evaltrail: ")]
    assert message in line


def test_a_published_file_that_has_no_url_comes_out_of_the_archive(tmp_path):
    from evaltrail import params, specs

    (tmp_path / "params.yaml").write_text(
        "datasets:\n"
        "  a: {benchmark: drop, source: published}\n"
        "  b: {benchmark: drop, source: published, file: drop_dataset/drop_dataset_train.json}\n"
        "systems: {}\n"
    )
    read = params.load(tmp_path / "params.yaml", REPO / "workflow/schemas/params.schema.yaml")
    file = json.loads(specs.fetch(read, "a", "drop_v0_dev.jsonl.gz"))
    member = json.loads(specs.fetch(read, "b", "drop_dataset/drop_dataset_train.json"))
    assert file["url"].endswith("/drop_v0_dev.jsonl.gz") and "archive" not in file
    assert member["archive"]["sha256"] and member["sha256"] is None and "url" not in member
