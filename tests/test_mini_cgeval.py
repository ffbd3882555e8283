"""The mini CG-Eval: its form, its mix, and a computed proof of every mathematical answer."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
import sympy
from sympy.parsing.sympy_parser import (
    implicit_multiplication_application,
    parse_expr,
    standard_transformations,
)

FOLDER = Path(__file__).resolve().parents[1] / "data" / "mini" / "cgeval"
COLUMNS = ["大科目类别", "子科目名称", "题目类型", "题目编号", "题目文本", "题目答案的汉字长度", "题目prompt"]
KEY = ["子科目名称", "题目类型", "题目编号"]
FIELDS = [*KEY, "题目答案", "解题过程"]
REPLY = "回答"
TYPES = TERM, SHORT, NUMBER, WORDS, EXPRESSION = ["名词解释", "简答题", "小学计算", "应用题", "计算求解"]
MARK = "最终答案"
BOM = b"\xef\xbb\xbf"

# How each answer of 应用题 follows from the numbers of its question; 1 may stand for a whole.
PROOFS = {
    0: ["50 - (6 * 4 + 2 * 9)"],
    1: ["84 * 3 / (3 + 1)", "84 / (3 + 1)"],
    2: ["150 * 8 / 200"],
    3: ["4 * 7", "(40 - 4 * 7) / 4"],
    4: ["12.6 - 12.6 * 1/3 - 2.5"],
    5: ["240 * 0.65", "240 * 0.65 - 36"],
}

# What each answer of 计算求解 is to the formulas that stand in its question.
SYMBOLIC = {
    ("初中数学", 0): ("roots", "x^2 - 2x - 15 = 0"),
    ("初中数学", 1): ("system", "3x + 2y = 16", "5x - y = 5"),
    ("初中数学", 2): ("value", "7/12 - (1/3 - 5/8) ÷ (1/2)"),
    ("初中数学", 3): ("value", r"\sqrt{75} - 2\sqrt{12} + \sqrt{27}"),
    ("初中数学", 4): ("factors", "6x^2 - 7x - 20"),
    ("初中数学", 5): ("value at", "(a + 3)(a - 3) - a(a - 4)", "a = 5/2"),
    ("高中数学", 0): ("derivative", r"f(x)=x^{3}-4x^{2}+\ln x", "f'(x)"),
    ("高中数学", 1): ("derivative", r"y=\frac{x}{x^{2}+1}", "y'"),
    ("高中数学", 2): ("roots", r"9^{x}-12\cdot 3^{x}+27=0"),
    ("高中数学", 3): ("value", r"\log_{2}40-\log_{2}5+27^{\frac{2}{3}}"),
    ("高中数学", 4): ("roots", r"\sqrt{2x+7}=x-4"),
    ("高中数学", 5): ("tangent of the double", r"\tan\alpha=\frac{1}{3}"),
}

NAMES = {name: sympy.Symbol(name, real=True) for name in "axy"}
LATEX = [
    (re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}"), r"((\1)/(\2))"),
    (re.compile(r"\\sqrt\{([^{}]*)\}"), r"sqrt(\1)"),
    (re.compile(r"\\log_\{([^{}]*)\}\s*(\d+)"), r"log(\2,\1)"),
    (re.compile(r"\^\{([^{}]*)\}"), r"**(\1)"),
    (re.compile(r"\\ln x"), "log(x)"),
    (re.compile(r"\\times|\\cdot"), "*"),
    (re.compile(r"\\left|\\right"), ""),
    (re.compile(r"÷"), "/"),
    (re.compile(r"\^"), "**"),
]


def table(name: str) -> tuple[list[str], list[dict[str, str]]]:
    raw = (FOLDER / name).read_bytes().decode("utf-8-sig")
    reader = csv.DictReader(io.StringIO(raw, newline=""))
    return list(reader.fieldnames), list(reader)


QUESTIONS = table("all_questions_without_answers.csv")[1]
REFERENCES = table("references.csv")[1]
SUBMISSION = table("recorded/handwritten.csv")[1]


def key(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(row[column] for column in KEY)


ANSWERS = {key(row): row["题目答案"] for row in REFERENCES}
STEPS = {key(row): row["解题过程"] for row in REFERENCES}
REPLIES = {key(row): row[REPLY] for row in SUBMISSION}
TEXTS = {key(row): row["题目文本"] for row in QUESTIONS}


def of(type: str) -> list[tuple[str, ...]]:
    return [which for which in TEXTS if which[1] == type]


def prompt(subject: str, type: str, text: str, length: str) -> str:
    if type == TERM:
        return f"以下是{subject}科目的术语：{text}，请解释其含义，把回复控制在{length}个汉字左右。"
    asks = {
        SHORT: f"请解答并把回复控制在{length}个汉字左右。",
        NUMBER: "请进行计算并给出阿拉伯数字结果。请直接返回数值结果，不需要任何的汉字解释。",
        WORDS: "请以“解：”开始给出解题过程，并在解题过程的最后换行，在最后一行以“最终答案：”开头，"
        "按顺序给出数值及其单位，采用英文逗号分割，例如“最终答案：1元,1次,1公顷,1人”。",
        EXPRESSION: "请使用latex语法给出解题过程，并在解题过程的最后换行，在最后一行以“最终答案：”开头，"
        "根据不同的题目类型按照latex语法给出数值、表达式、导数、积分、方程的根。"
        "导数根据题目表述采用latex语法按照y'或者f'(x)表示。"
        "如果方程的一个未知数有多个解，答案采用形如“x=1或x=-3”的方式表示。"
        "如果方程有多个未知数，答案采用形如“x=1,y=-3,z=5”的方式表示，用英文逗号分隔。"
        "以下为需要解答的题目：",
    }
    return f"以下是{subject}科目的问题，{asks[type]}\n{text}"


def arithmetic(text: str):
    """The exact value of a sum in the signs of a school book: × ÷ % and decimals."""
    text = re.sub(r"([\d.]+)%", r"(\1/100)", text.replace("×", "*").replace("÷", "/"))
    assert re.fullmatch(r"[\d.+*/() -]+", text), text
    return eval(re.sub(r"\d+(?:\.\d+)?", r"Fraction('\g<0>')", text), {"Fraction": Fraction})


def formula(text: str):
    """The expression of a formula in LaTeX or plain text."""
    before = None
    while text != before:
        before = text
        for pattern, replacement in LATEX:
            text = pattern.sub(replacement, text)
    assert not set(text) & set("\\{}_="), text
    transformations = (*standard_transformations, implicit_multiplication_application)
    return parse_expr(text, local_dict=dict(NAMES), transformations=transformations)


def sides(equation: str):
    """Left side less right side."""
    left, right = equation.split("=")
    return formula(left) - formula(right)


def values(answer: str, separator: str) -> list:
    return [(name, formula(value)) for name, value in (part.split("=") for part in answer.split(separator))]


def is_zero(expression) -> bool:
    return sympy.simplify(expression) == 0


@pytest.mark.parametrize(
    ("name", "columns", "bom"),
    [
        ("all_questions_without_answers.csv", COLUMNS, BOM),
        ("references.csv", FIELDS, b""),
        ("recorded/handwritten.csv", [*COLUMNS, REPLY], BOM),
    ],
)
def test_form(name, columns, bom):
    header, rows = table(name)
    assert header == columns and len(rows) == 66
    assert all(list(row) == columns and all(isinstance(cell, str) for cell in row.values()) for row in rows)
    written = io.StringIO(newline="")
    writer = csv.DictWriter(written, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    assert (FOLDER / name).read_bytes() == bom + written.getvalue().encode("utf-8")
    assert b"\r" not in (FOLDER / name).read_bytes()


def test_mix():
    assert Counter(row["题目类型"] for row in QUESTIONS) == dict(zip(TYPES, (20, 20, 8, 6, 12), strict=True))
    categories = Counter((row["大科目类别"], row["题目类型"]) for row in QUESTIONS)
    for category in ("人文与社会科学", "科技与工程", "医师资格考试", "司法考试", "注册会计师考试"):
        assert (categories.pop((category, TERM)), categories.pop((category, SHORT))) == (4, 4)
    assert categories == {("数学计算", type): n for type, n in zip(TYPES[2:], (8, 6, 12), strict=True)}
    prose = Counter(which[:2] for type in (TERM, SHORT) for which in of(type))
    assert len(prose) == 20 and set(prose.values()) == {2}
    assert Counter(which[:2] for type in TYPES[2:] for which in of(type)) == {
        ("小学数学", NUMBER): 8,
        ("小学数学", WORDS): 6,
        ("初中数学", EXPRESSION): 6,
        ("高中数学", EXPRESSION): 6,
    }


def test_subjects_and_their_slips():
    subjects = {type: {which[0] for which in of(type)} for type in (TERM, SHORT)}
    assert subjects[TERM] - subjects[SHORT] == {"园艺基础（入门）", "海洋学"}
    assert subjects[SHORT] - subjects[TERM] == {"园艺基础（入门)", "海洋学 "}
    mended = {subject.strip().replace(")", "）") for subject in subjects[SHORT]}
    assert mended == subjects[TERM] and len(mended) == 10


def test_keys_count_from_zero():
    assert len(TEXTS) == len(QUESTIONS) == len(set(TEXTS.values()))
    counted: Counter = Counter()
    for subject, type, number in TEXTS:
        assert number == str(counted[subject, type])
        counted[subject, type] += 1


def test_references_and_replies_match_the_questions_one_to_one():
    assert [key(row) for row in REFERENCES] == list(TEXTS)
    assert [{column: row[column] for column in COLUMNS} for row in SUBMISSION] == QUESTIONS


@pytest.mark.parametrize("row", QUESTIONS, ids=lambda row: "-".join(key(row)))
def test_length_and_prompt(row):
    assert row["题目答案的汉字长度"] == str(len(STEPS[key(row)] + ANSWERS[key(row)]))
    assert row["题目prompt"] == prompt(
        row["子科目名称"], row["题目类型"], row["题目文本"], row["题目答案的汉字长度"]
    )


def test_cells_that_a_reader_of_csv_may_break():
    assert Counter(which[1] for which, text in TEXTS.items() if "\n" in text) == {
        SHORT: 2,
        WORDS: 1,
        EXPRESSION: 1,
    }
    assert sum(text.endswith("\n") for text in TEXTS.values()) == 1
    assert sum('"' in text and "," in text for text in TEXTS.values()) == 1


def test_answers_in_prose():
    lengths = [len(ANSWERS[which]) for type in (TERM, SHORT) for which in of(type)]
    assert 30 <= min(lengths) < 40 and 100 < max(lengths) <= 120
    for which in (*of(TERM), *of(SHORT)):
        assert STEPS[which] == "" and re.fullmatch(r"\S+。", ANSWERS[which])


def test_worked_solutions():
    assert not any(STEPS[which] for which in of(NUMBER))
    for which in (*of(WORDS), *of(EXPRESSION)):
        *steps, last = STEPS[which].split("\n")
        assert last == f"{MARK}：{ANSWERS[which]}" and len(steps) >= 2 and all(steps)
        assert "$" not in STEPS[which] and steps[0].startswith("解：") == (which[1] == WORDS)


@pytest.mark.parametrize("which", of(NUMBER), ids="-".join)
def test_number_is_proved(which):
    sum_, equals = TEXTS[which][:-1], TEXTS[which][-1]
    assert equals == "=" and arithmetic(sum_) == Fraction(ANSWERS[which])
    assert re.fullmatch(r"\d+(\.\d*[1-9]|/\d+)?", ANSWERS[which])


@pytest.mark.parametrize("which", of(WORDS), ids="-".join)
def test_word_problem_is_proved(which):
    proofs = PROOFS[int(which[2])]
    text = TEXTS[which]
    stands = {
        Fraction(number) / (100 if percent else 1)
        for number, percent in re.findall(r"(\d+(?:\.\d+)?)(%?)", text)
    }
    for proof in proofs:
        assert {Fraction(number) for number in re.findall(r"\d+(?:\.\d+)?", proof)} <= stands | {1}
    found = [re.fullmatch(r"(\d+(?:\.\d+)?)([一-鿿]+)", part) for part in ANSWERS[which].split(",")]
    assert [Fraction(match[1]) for match in found] == [arithmetic(proof) for proof in proofs]
    assert all(match[2] in text for match in found)


@pytest.mark.parametrize("which", of(WORDS), ids="-".join)
def test_steps_of_a_word_problem_hold(which):
    steps = re.findall(r"([\d.+×÷()%/-]+)=([\d.]+)（?", STEPS[which])
    assert len(steps) == STEPS[which].count("=") >= 2
    for left, right in steps:
        assert arithmetic(left) == Fraction(right), (left, right)


def test_every_computation_has_a_proof():
    assert [str(number) for number in PROOFS] == [which[2] for which in of(WORDS)]
    assert [(subject, str(number)) for subject, number in SYMBOLIC] == [
        (which[0], which[2]) for which in of(EXPRESSION)
    ]


@pytest.mark.parametrize("which", of(EXPRESSION), ids="-".join)
def test_expression_is_proved(which):
    kind, *given = SYMBOLIC[which[0], int(which[2])]
    text, answer = TEXTS[which], ANSWERS[which]
    assert all(part in text for part in given if part != "f'(x)")
    x, y, a = (NAMES[name] for name in "xya")
    if kind == "roots":
        names, roots = zip(*values(answer, "或"), strict=True)
        difference = sides(given[0])
        assert set(names) == {"x"} and all(is_zero(difference.subs(x, root)) for root in roots)
        assert len(set(roots)) == len(roots) and set(sympy.solve(difference, x)) == set(roots)
    elif kind == "system":
        solution = {NAMES[name]: value for name, value in values(answer, ",")}
        differences = [sides(equation) for equation in given]
        assert all(is_zero(difference.subs(solution)) for difference in differences)
        assert sympy.solve(differences, [x, y]) == solution
    elif kind == "value":
        assert is_zero(formula(given[0]) - formula(answer))
    elif kind == "value at":
        name, value = given[1].split(" = ")
        assert name == "a" and is_zero(formula(given[0]).subs(a, formula(value)) - formula(answer))
    elif kind == "factors":
        product = formula(answer)
        assert product.is_Mul and sympy.expand(product - formula(given[0])) == 0
        assert all(sympy.Poly(factor, x).is_irreducible for factor in product.args)
    elif kind == "derivative":
        function, name = given
        left, right = answer.split("=")
        assert left == name and is_zero(sympy.diff(formula(function.split("=")[1]), x) - formula(right))
    else:
        tangent = formula(given[0].split("=")[1])
        double = sympy.tan(sympy.expand_trig(2 * sympy.atan(tangent)))
        assert is_zero(sympy.expand_trig(double) - formula(answer)) and r"\tan 2\alpha" in text


@pytest.mark.parametrize(
    "which",
    [w for w in of(EXPRESSION) if SYMBOLIC[w[0], int(w[2])][0] in ("value", "value at", "factors")],
    ids="-".join,
)
def test_steps_of_an_expression_hold(which):
    for line in STEPS[which].split("\n")[:-1]:
        first, *others = [formula(side) for side in line.split("=")]
        assert others and all(is_zero(first - other) for other in others), line


def test_replies_are_of_every_sort():
    replies = list(REPLIES.values())
    assert (replies.count(""), replies.count("None")) == (4, 1)
    assert sum('"' in reply and "\n" in reply for reply in replies) == 1
    assert sum(re.search("[溫躍層從與]", reply) is not None for reply in replies) == 1
    assert sum(re.search("[\U0001f300-\U0001faff]", reply) is not None for reply in replies) == 1
    assert [len(reply) for reply in replies if len(reply) > 400] == [3000]
    assert not any(REPLIES[which] == ANSWERS[which] for type in (TERM, SHORT) for which in of(type))


def test_replies_to_computations_end_in_every_way():
    worked = [REPLIES[which] for type in (WORDS, EXPRESSION) for which in of(type)]
    assert sum(f"{MARK}：" in reply for reply in worked) == 13
    assert sum(f"{MARK}:" in reply for reply in worked) == 2
    assert sum(f"**{MARK}" in reply for reply in worked) == 2
    assert sum(r"\boxed{" in reply for reply in worked) == 2
    assert sum(reply != "" and MARK not in reply for reply in worked) == 1
    assert any(re.search(rf"{MARK}：\n", reply) for reply in worked)
