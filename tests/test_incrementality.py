"""Exact incrementality: after each edit exactly the jobs run that it touches, and then none is left to run.

A job ran when its output is another file than before (every output is put in place by a rename).
"""

import os
import re
import shutil
from pathlib import Path

import pytest

from conftest import READINGS, REPO, copy_of, remade, responses_file, write_project

SYSTEMS = ("first", "second", "third")
TABLES = {"tables table2", "report"}


def jobs(*steps: str, of=SYSTEMS) -> set[str]:
    """The jobs of the named steps for each system, and what always follows them: Table 2 and the report."""
    return {f"{step} {system}" for step in steps for system in of} | TABLES


SCORED = ("cut", "predict", "score")
REPLIED = ("render", "generate", *SCORED)
EXTRACTED = jobs(*REPLIED) | {"extract", "tables table1"}
FETCHED = {"fetch dataset", *(f"fetch {name}" for name in READINGS)}


class Place:
    """A project directory and the code that runs in it, both to be edited."""

    def __init__(self, folder: Path):
        self.project, self.repo = folder / "project", folder / "repo"

    def params(self, old: str, new: str) -> None:
        self.edit(self.project / "params.yaml", old, new)

    def code(self, module: str, old: str, new: str) -> None:
        self.edit(self.module(module), old, new)

    def module(self, name: str) -> Path:
        return self.repo / "src/evaltrail" / name

    @staticmethod
    def edit(path: Path, old: str, new: str) -> None:
        text = path.read_text()
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times in {path}"
        path.write_text(text.replace(old, new))

    def install(self, package: str, version: str) -> None:
        """Makes a package look as if it were installed in another version."""
        info = self.repo / f"src/{package}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")


def responses(place: Place, name: str) -> Path:
    return responses_file(place.project, name)


def touch(path: Path) -> None:
    os.utime(path, (2**31, 2**31))


def older(path: Path) -> None:
    """Another content with an older time, as a restored backup has it."""
    append(path, " \n")
    os.utime(path, (10**9, 10**9))


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text() + text)


COMMENT = "\n# a comment\n"
REAL = "\nNEW = 1\n"

# (what is edited, how, the jobs that must run)
EDITS = [
    ("a stop sequence", lambda p: p.params("method: CoT}", "method: CoT, stop: zzz}"), jobs(*SCORED, of=["second"])),
    ("a stop sequence removed", lambda p: p.params(", stop: [STOP, END]", ""), jobs(*SCORED, of=["first"])),
    ("no stop, written out", lambda p: p.params("method: CoT}", "method: CoT, stop: null}"), set()),
    ("the stop that would be sent", lambda p: p.params("stop: null", "stop: END"), set()),
    ("the tolerance", lambda p: p.params("tolerance: paper", "tolerance: exact"), jobs("score")),
    ("the tables to show", lambda p: p.params("[table1, table2]", "[table1, table2, table6]"), {"tune first", "tune second", "tune third", "tables table6", "report"}),
    ("a label", lambda p: p.params("label: First", "label: Erster"), TABLES),
    ("two labels swapped", lambda p: (p.params("First", "X"), p.params("Second", "First"), p.params("X", "Second")), TABLES),
    ("two stops swapped", lambda p: p.params("[STOP, END]", "[END, STOP]"), jobs(*SCORED, of=["first"])),
    (
        "a method's wording",
        lambda p: append(p.project / "params.yaml", 'methods: {jeebench: {CoT+SC: "{instruction}\\n{question}"}}\n'),
        jobs(*REPLIED, of=["third"]),
    ),
    ("a method of one's own, unused", lambda p: append(p.project / "params.yaml", "methods: {jeebench: {A: a}}\n"), set()),
    ("one system's samples", lambda p: p.params("samples: 3", "samples: 2"), jobs("score", of=["third"])),
    ("an extraction option", lambda p: p.params("method: CoT}", "method: CoT, extraction: {without: [boxed]}}"), jobs("predict", "score", of=["second"])),
    ("the share that keeps an option", lambda p: p.params("samples: 3", "samples: 3, tau: 0.7"), jobs("score", of=["third"])),
    ("the authors' quirks", lambda p: p.params("samples: 3", "samples: 3, compat: authors"), jobs("score", of=["third"])),
    ("another method of the same wording", lambda p: p.params("method: CoT+SC", "method: CoT"), set()),
    ("another way to write the source", lambda p: p.params("source: source", "source: ./source"), set()),
    ("the pair of a system", lambda p: p.params("method: CoT}", "method: CoT, pairs_with: first}"), set()),
    ("who read the replies", lambda p: p.params("method: CoT}", "method: CoT, answers: rules}"), jobs("score", of=["second"])),
    ("an optional setting added at its default", lambda p: p.params("method: CoT}", "method: CoT, samples: 1}"), set()),
    (
        "a system added",
        lambda p: append(p.project / "params.yaml", "  more: {dataset: tiny, recorded_name: second_CoT, method: CoT}\n"),
        jobs(*REPLIED, of=["more"]),
    ),
    ("a system removed", lambda p: p.params("  second: {dataset: tiny, label: Second, recorded_name: second_CoT, method: CoT}\n", ""), TABLES),
    ("64 to 64.0", lambda p: p.params("max_tokens: 64", "max_tokens: 64.0"), set()),
    ("samples 3 to 3.0", lambda p: p.params("samples: 3", "samples: 3.0"), set()),
    ("keys in another order", lambda p: p.params("benchmark: jeebench, source: source", "source: source, benchmark: jeebench"), set()),
    ("a comment in params.yaml", lambda p: append(p.project / "params.yaml", COMMENT), set()),
    ("a comment in a leaf module", lambda p: append(p.module("cut.py"), COMMENT), set()),
    ("a docstring in a leaf module", lambda p: p.code("cut.py", "which is not part of the text", "without it"), set()),
    ("a touched leaf module", lambda p: touch(p.module("cut.py")), set()),
    ("a leaf module", lambda p: append(p.module("cut.py"), REAL), jobs(*SCORED)),
    ("a comment in a shared module", lambda p: append(p.module("jsonl.py"), COMMENT), set()),
    ("a docstring in a shared module", lambda p: p.code("jsonl.py", "Streams: memory", "Memory"), set()),
    ("a touched shared module", lambda p: touch(p.module("jsonl.py")), set()),
    ("a shared module", lambda p: append(p.module("jsonl.py"), REAL), EXTRACTED),
    ("a module that all share", lambda p: append(p.module("files.py"), REAL), EXTRACTED | FETCHED),
    ("a comment in a plug-in", lambda p: append(p.module("benchmarks/jeebench/score.py"), COMMENT), set()),
    ("a docstring in a plug-in", lambda p: p.code("benchmarks/jeebench/score.py", "The score of one answer", "Its score"), set()),
    ("a touched plug-in", lambda p: touch(p.module("benchmarks/jeebench/score.py")), set()),
    ("a plug-in's scoring", lambda p: append(p.module("benchmarks/jeebench/score.py"), REAL), jobs("score")),
    ("a plug-in's table", lambda p: append(p.module("benchmarks/jeebench/tables/table1.py"), REAL), {"tables table1", "report"}),
    ("a published wording", lambda p: p.code("benchmarks/jeebench/benchmark.yaml", '  CoT+SC: "{inst', '  CoT+SC: "+{inst'), jobs(*REPLIED, of=["third"])),
    (
        "a raw file",
        lambda p: append(responses(p, "second_CoT"), "\n"),
        jobs("generate", *SCORED, of=["second"]) | {"fetch second_CoT"},
    ),
    ("a raw file, by an older copy", lambda p: older(responses(p, "second_CoT")), jobs("generate", *SCORED, of=["second"]) | {"fetch second_CoT"}),
    ("the raw dataset", lambda p: append(p.project / "source/data/dataset.json", "\n"), EXTRACTED | {"fetch dataset"}),
    ("a touched raw file", lambda p: touch(responses(p, "second_CoT")), set()),
    ("a raw file that nothing reads", lambda p: append(p.project / "source/data/few_shot_examples.json", "\n"), set()),
    ("the version of a package that tables use", lambda p: p.install("pandas", "99.0"), {"tables table1", *TABLES}),
    ("the version of a package that reads answers", lambda p: p.install("mpmath", "99.0"), jobs("predict", "score")),
    ("the version of a package that only carries bytes", lambda p: p.install("msgspec", "99.0"), set()),
]  # fmt: skip


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> Path:
    """A finished project and a copy of the code that made it."""
    folder = tmp_path_factory.mktemp("base")
    place = Place(folder)
    for part in ("workflow", "src"):
        shutil.copytree(
            REPO / part, place.repo / part, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
        )
    shutil.copy(REPO / "Snakefile", place.repo)
    write_project(place.project)
    assert run(place) == EXTRACTED | FETCHED
    return folder


def run(place: Place) -> set[str]:
    """Runs the workflow and gives the jobs that ran."""
    return {job_of(path) for path in remade(place.project, place.repo)}


STEP_OF = {
    "prompts.jsonl": "render",
    "generations.jsonl": "generate",
    "completions.jsonl": "cut",
    "predictions.jsonl": "predict",
    "scores.jsonl": "score",
    "metrics.json": "score",
    "thresholds.json": "tune",
}


def job_of(path: str) -> str:
    if match := re.fullmatch(r"results/tiny/([^/]+)/(.+)", path):
        return f"{STEP_OF[match[2]]} {match[1]}"
    if match := re.fullmatch(r"results/tiny_(.+)\.csv", path):
        return f"tables {match[1]}"
    if match := re.fullmatch(r"data/tiny/raw/data/(?:responses/)?(.+?)(?:_responses/responses)?\.json", path):
        return f"fetch {match[1]}"
    return {"data/tiny/instances.jsonl": "extract", "results/report.html": "report"}[path]


@pytest.mark.parametrize(("edit", "expected"), [edit[1:] for edit in EDITS], ids=[edit[0] for edit in EDITS])
def test_an_edit_runs_exactly_what_it_touches(base, tmp_path, edit, expected):
    place = Place(copy_of(base, tmp_path / "copy"))
    edit(place)
    assert run(place) == expected
    assert run(place) == set()
