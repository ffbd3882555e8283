"""Project directories made on the spot, and runs of the real workflow in them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from llama_server import llama_server  # noqa: F401  (a fixture)
from s3_server import s3_server as s3_server  # a fixture for all tests

# A test is never decided by a clock: an example may wait for a disk.
settings.register_profile("evaltrail", deadline=None)
settings.load_profile("evaltrail")

REPO = Path(__file__).parent.parent
BIN = Path(sys.executable).parent

INSTRUCTIONS = {
    "MCQ": "In this problem, only one option will be correct.",
    "MCQ(multiple)": "In this problem, multiple options can be correct.",
    "Integer": "In this problem, the final answer will be a non-negative integer.",
    "Numeric": "In this problem, the final will be a numeric value. Give the numerical answer correct upto the "
    "2nd decimal digit.",
}
OPTIONS = "\n\n(A) one\n\n(B) two\n\n(C) three\n\n(D) four"
# (paper, index, subject, type, question, gold); a dataset that fits on a page, one problem a type and subject or so
PROBLEMS = [
    ("Tiny 2016 Paper 1", 1, "phy", "MCQ", "Which is 1?" + OPTIONS, "A"),
    ("Tiny 2016 Paper 1", 2, "chem", "MCQ(multiple)", "Which are odd?" + OPTIONS, "AC"),
    ("Tiny 2021 Paper 1", 1, "math", "Integer", "How much is $2+2$?", "4"),
    ("Tiny 2022 Paper 1", 1, "math", "Numeric", "How much is $\\frac{1}{8}$, to two decimals?", "0.13"),
    ("Tiny 2023 Paper 1", 1, "phy", "Numeric", "How much is $-\\frac{1}{4}$?", "-0.25"),
    ("Tiny 2023 Paper 1", 2, "math", "MCQ(multiple)", "Which are even?" + OPTIONS, "BD"),
]
# What the systems of the tiny dataset answer, a reading for each problem and sample.
READINGS = {
    "first_normal": [["A"], ["AC"], ["4"], ["0.12"], ["None"], ["B"]],
    "second_CoT": [["B"], ["ABC"], ["4"], ["0.13"], ["-0.25"], ["BD"]],
    "third_CoT+SC": [
        ["A", "A", "B"],
        ["A", "AC", "C"],
        ["4", "4.0", "5"],
        ["None", "0.13", "0.13"],
        ["0", "1", "2"],
        ["None"] * 3,
    ],
}
PARAMS = """\
datasets:
  tiny: {benchmark: jeebench, source: source, tolerance: paper, tables: [table1, table2], default: true}
defaults:
  client: recorded
  answers: recorded
  generation: {temperature: 0, max_tokens: 64, stop: null}
systems:
  first: {dataset: tiny, label: First, recorded_name: first_normal, method: normal, stop: [STOP, END]}
  second: {dataset: tiny, label: Second, recorded_name: second_CoT, method: CoT}
  third: {dataset: tiny, label: Third, recorded_name: third_CoT+SC, method: CoT+SC, samples: 3}
"""


def problems() -> list[dict]:
    """The tiny dataset as dataset.json has it."""
    keys = ("description", "index", "subject", "type", "question", "gold")
    return [dict(zip(keys, problem, strict=True)) for problem in PROBLEMS]


def prompt_of(problem: dict, method: str) -> str:
    """The prompt, written here by hand and not by evaltrail."""
    instruction = (
        INSTRUCTIONS[problem["type"]]
        + " Give a detailed solution and end the solution with the final answer."
    )
    question = problem["question"].replace("\n\n", "\n")
    ending = "" if method == "normal" else "\nSolution: Let's think step by step."
    return f"{instruction}\n\nProblem: {question}{ending}"


def responses(name: str) -> list[dict]:
    """The recorded replies of a system of the tiny dataset, as responses.json has them."""
    method = name.partition("_")[2]
    entries = []
    for problem, readings in zip(problems(), READINGS[name], strict=True):
        choices = [
            {
                "index": n,
                "message": {"role": "assistant", "content": f"Let me see.\n\nThe answer is {reading}."},
                "finish_reason": "stop",
                "extract": reading,
            }
            for n, reading in enumerate(readings)
        ]
        response = {
            "model": "tiny-1",
            "choices": choices,
            "usage": {"prompt_tokens": 9, "completion_tokens": 5},
        }
        # Not every published file keeps its prompts: the third does not.
        prompt = {} if name.startswith("third") else {"prompt": prompt_of(problem, method)}
        entries.append({**problem, **prompt, f"{name}_response": response})
    return entries


def write_json(path: Path, value) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def responses_file(project: Path, name: str) -> Path:
    return project / f"source/data/responses/{name}_responses/responses.json"


def write_project(project: Path, params: str = PARAMS) -> Path:
    """A project directory with the tiny dataset as its source."""
    write_json(project / "source/data/dataset.json", problems())
    example = {"problem": "How much is 1?", "solution": "Therefore, the answer is \\boxed{1}."}
    examples = {s: dict.fromkeys(INSTRUCTIONS, example) for s in ("phy", "chem", "math")}
    write_json(project / "source/data/few_shot_examples.json", examples)
    for name in READINGS:
        write_json(responses_file(project, name), responses(name))
    (project / "params.yaml").write_text(params)
    return project


def snakemake(
    project: Path, *arguments: str, repo: Path = REPO, **environment: str
) -> subprocess.CompletedProcess:
    """Runs `snakemake` as a user does; `environment` is added to this process's, a value of None taken away."""
    command = [
        str(BIN / "snakemake"),
        "--snakefile",
        str(repo / "Snakefile"),
        "--directory",
        str(project),
        *arguments,
    ]
    return run(command, PYTHONPATH=str(repo / "src"), **environment)


def evaltrail(
    project: Path, *arguments: str, repo: Path = REPO, **environment: str
) -> subprocess.CompletedProcess:
    """Runs `evaltrail` in a project directory, with the code of `repo`."""
    return run([str(BIN / "evaltrail"), *arguments], cwd=project, PYTHONPATH=str(repo / "src"), **environment)


def run(
    command: list[str], cwd: Path | None = None, **environment: str | None
) -> subprocess.CompletedProcess:
    merged = {**os.environ, **environment}
    merged = {name: value for name, value in merged.items() if value is not None}
    return subprocess.run(command, cwd=cwd, env=merged, capture_output=True, text=True, timeout=600)


def files(project: Path) -> dict[str, bytes]:
    """All that the workflow made in a project directory: bytes by path, hidden folders left out."""
    made = [path for top in ("data", "results") for path in (project / top).rglob("*") if path.is_file()]
    return {str(path.relative_to(project)): path.read_bytes() for path in sorted(made)}


def remade(project: Path, repo: Path = REPO) -> set[str]:
    """Runs the workflow and gives the paths of what it made: every output is put in place by a rename."""
    before = _standing(project)
    result = snakemake(project, repo=repo)
    assert result.returncode == 0, result.stderr
    return {path for path, file in _standing(project).items() if before.get(path) != file}


def _standing(project: Path) -> dict[str, tuple[int, int]]:
    """Which file stands at each path; kept vectors are no output."""
    found = [project / path for path in files(project) if not path.startswith("data/embeddings")]
    return {str(path.relative_to(project)): (path.stat().st_ino, path.stat().st_mtime_ns) for path in found}


@pytest.fixture
def project(tmp_path) -> Path:
    return write_project(tmp_path / "project")


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> Path:
    """A project directory in which everything is made. Not to be changed: copy it with `copy_of`."""
    project = write_project(tmp_path_factory.mktemp("finished") / "project")
    result = snakemake(project)
    assert result.returncode == 0, result.stderr
    return project


def copy_of(project: Path, to: Path) -> Path:
    """A copy with all time stamps, so that Snakemake finds it as it left it."""
    shutil.copytree(project, to, symlinks=True)
    return to


@pytest.fixture(scope="session")
def mirror() -> Path:
    """The real data. Where it is missing CI fails and others skip."""
    folder = Path(os.environ.get("EVALTRAIL_MIRROR") or REPO.parent / "shared/mirror").absolute()
    if not folder.is_dir():
        assert not os.environ.get("CI"), f"EVALTRAIL_MIRROR: {folder} is no folder"
        pytest.skip("set EVALTRAIL_MIRROR to run on the published data")
    return folder
