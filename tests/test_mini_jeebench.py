"""The mini JEEBench dataset: its form, and a computed proof of every gold answer."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from mini_jeebench_proofs import PROOFS

FOLDER = Path(__file__).resolve().parents[1] / "data" / "mini" / "jeebench"
SUBJECTS = ("phy", "chem", "math")
TYPES = ("MCQ", "MCQ(multiple)", "Integer", "Numeric")
MODES = ("normal", "CoT", "CoT+SC")
KEYS = ["description", "index", "subject", "type", "question", "gold"]
INSTRUCTIONS = {
    "MCQ": "In this problem, only one option will be correct. "
    "Give a detailed solution and end the solution with the final answer.",
    "MCQ(multiple)": "In this problem, multiple options can be correct. "
    "Give a detailed solution and end the solution with the final answer.",
    "Integer": "In this problem, the final answer will be a non-negative integer. "
    "Give a detailed solution and end the solution with the final answer.",
    "Numeric": "In this problem, the final will be a numeric value. "
    "Give the numerical answer correct upto the 2nd decimal digit. "
    "Give a detailed solution and end the solution with the final answer.",
}


def load(name: str):
    raw = (FOLDER / name).read_bytes()
    assert not raw.startswith(b"\xef\xbb\xbf") and b"\r" not in raw and raw.endswith(b"\n"), name
    return json.loads(raw.decode("utf-8"))


DATASET = load("dataset.json")
BY_ID = {(p["description"], p["index"]): p for p in DATASET}


def options_of(question: str) -> dict[str, str]:
    parts = re.split(r"\n\n\(([A-D])\) ", question)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def well_formed(kind: str, answer: str) -> bool:
    pattern = {
        "MCQ": r"[ABCD]",
        "MCQ(multiple)": r"(?=.)A?B?C?D?",
        "Integer": r"0|[1-9][0-9]*",
        "Numeric": r"-?[0-9]+(\.[0-9]+)?",
    }[kind]
    return re.fullmatch(pattern, answer) is not None


def test_dataset_form():
    assert len(DATASET) == len(BY_ID) == 48
    assert all(list(p) == KEYS and type(p["index"]) is int for p in DATASET)
    assert [*BY_ID] == sorted(BY_ID)
    cells = Counter((p["subject"], p["type"]) for p in DATASET)
    assert cells == {cell: 4 for cell in product(SUBJECTS, TYPES)}
    for p in DATASET:
        assert well_formed(p["type"], p["gold"]), (p["description"], p["index"], p["gold"])
        expected = list("ABCD") if p["type"].startswith("MCQ") else []
        assert list(options_of(p["question"])) == expected
        assert p["question"].count("$") % 2 == 0 and p["question"] == p["question"].strip()


def test_years():
    found = {}
    for p in DATASET:
        (year,) = re.fullmatch(r"Mini (20\d\d) Paper [12]", p["description"]).groups()
        found.setdefault(int(year), set()).add((p["subject"], p["type"]))
    assert sorted(found) == list(range(2016, 2024))
    cells = set(product(SUBJECTS, TYPES))
    assert set.union(*[found[y] for y in range(2016, 2022)]) == cells
    assert found[2023] == cells


def test_golds_vary():
    sizes = Counter(len(p["gold"]) for p in DATASET if p["type"] == "MCQ(multiple)")
    assert sorted(sizes) == [1, 2, 3, 4]
    assert {p["gold"] for p in DATASET if p["type"] == "MCQ"} == set("ABCD")
    assert any(p["gold"].startswith("-") for p in DATASET)


def test_every_gold_has_a_proof():
    assert set(PROOFS) == set(BY_ID)


@pytest.mark.parametrize("identity", list(PROOFS), ids=lambda i: f"{i[0][5:]} {i[1]}")
def test_gold_is_proved(identity):
    problem = BY_ID[identity]
    given, compute = PROOFS[identity]
    for fragment in given:
        assert fragment in problem["question"], fragment
    answer = compute()
    if problem["type"] in ("MCQ", "MCQ(multiple)"):
        options = options_of(problem["question"])
        assert list(answer) == list(options)
        for letter, (fragment, _) in answer.items():
            assert fragment in options[letter], (letter, fragment)
        assert "".join(letter for letter, (_, true) in answer.items() if true) == problem["gold"]
    elif problem["type"] == "Integer":
        assert abs(answer - int(problem["gold"])) < 1e-9
    else:
        assert given, "a numeric proof names its data"
        assert abs(answer - float(problem["gold"])) <= 0.005 + 1e-9


def test_examples():
    examples = load("few_shot_examples.json")
    assert {s: list(v) for s, v in examples.items()} == {s: list(TYPES) for s in SUBJECTS}
    questions = {p["question"] for p in DATASET}
    for subject, kind in product(SUBJECTS, TYPES):
        example = examples[subject][kind]
        assert list(example) == ["problem", "solution"] and example["problem"] not in questions
        (boxed,) = re.findall(r"\\boxed\{([^{}]*)\}", example["solution"])
        assert well_formed(kind, boxed)
        assert example["solution"].endswith("Therefore, the answer is \\boxed{" + boxed + "}.")


@pytest.mark.parametrize("mode", MODES)
def test_responses(mode):
    entries = load(f"responses/handwritten_{mode}_responses/responses.json")
    assert [{k: e[k] for k in KEYS} for e in entries] == DATASET
    top = [*KEYS, "prompt", f"handwritten_{mode}_response"] + ([] if mode == "CoT+SC" else ["extract"])
    suffix = "" if mode == "normal" else "\nSolution: Let's think step by step."
    for entry in entries:
        assert list(entry) == top
        text = entry["question"].replace("\n\n", "\n").strip()
        assert entry["prompt"] == (INSTRUCTIONS[entry["type"]] + "\n\nProblem: " + text + suffix).strip()
        reply = entry[f"handwritten_{mode}_response"]
        assert list(reply) == ["id", "object", "created", "model", "choices", "usage"]
        choices = reply["choices"]
        assert [c["index"] for c in choices] == list(range(8 if mode == "CoT+SC" else 1))
        for choice in choices:
            assert choice["message"]["role"] == "assistant" and choice["message"]["content"].strip()
            extract = choice["extract"] if mode == "CoT+SC" else entry["extract"]
            assert extract == "None" or well_formed(entry["type"], extract), extract
            assert choice["finish_reason"] in ("stop", "length")
            if choice["finish_reason"] == "length":
                assert extract == "None"
            if entry["type"] in ("Integer", "Numeric") and extract != "None":
                assert extract in choice["message"]["content"]
        usage = reply["usage"]
        assert usage["prompt_tokens"] == len(entry["prompt"]) // 4
        assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]


def is_right(problem, extract: str) -> bool:
    if extract == "None" or problem["type"].startswith("MCQ"):
        return extract == problem["gold"]
    return abs(float(extract) - float(problem["gold"])) <= 0.01


def test_share_of_right_replies():
    """Each mode has right, wrong and missing answers, and none lies on the edge of the tolerance."""
    share = {}
    for mode in MODES:
        marks = []
        for entry in load(f"responses/handwritten_{mode}_responses/responses.json"):
            for choice in entry[f"handwritten_{mode}_response"]["choices"]:
                extract = choice["extract"] if mode == "CoT+SC" else entry["extract"]
                marks.append(None if extract == "None" else is_right(entry, extract))
                if entry["type"] in ("Integer", "Numeric") and extract != "None":
                    difference = abs(float(extract) - float(entry["gold"]))
                    assert difference <= 0.005 or difference > 0.015, (entry["description"], extract)
        assert set(marks) == {True, False, None}
        share[mode] = marks.count(True) / len(marks)
    assert 0.40 < share["normal"] < share["CoT+SC"] < share["CoT"] < 0.65
