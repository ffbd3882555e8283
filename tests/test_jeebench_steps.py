"""JEEBench's render, cut and score on small cases worked out by hand."""

import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import problems, prompt_of, write_json, write_project
from evaltrail import facts, params, specs
from evaltrail.benchmarks.jeebench import extract, score
from evaltrail.benchmarks.jeebench.answers import read_recorded
from evaltrail.benchmarks.jeebench.render import fields
from evaltrail.cut import cut
from evaltrail.errors import InputError
from evaltrail.records import Generation
from evaltrail.render import render

SINGLE = "In this problem, only one option will be correct. Give a detailed solution and end the solution with the final answer."
INTEGER = "In this problem, the final answer will be a non-negative integer. Give a detailed solution and end the solution with the final answer."
# Protocol of the published replies (inference.py of the authors): what `CoT+Exam` says of the marks.
EXAM_SINGLE = "If the answer is wrong, you'll be given -1 marks. If the answer is correct, you'll be given +3 marks. If you're unsure of the answer, you can skip the question, and you'll be given 0 marks."
QUESTION = "Which is 1?\n(A) one\n(B) two\n(C) three\n(D) four"
EXAMPLE = "Problem: How much is 1?\nSolution: Therefore, the answer is \\boxed{1}."

# (method, row of the tiny dataset, prompt)
PROMPTS = [
    ("normal", 0, f"{SINGLE}\n\nProblem: {QUESTION}"),
    ("CoT", 0, f"{SINGLE}\n\nProblem: {QUESTION}\nSolution: Let's think step by step."),
    ("CoT+SC", 0, f"{SINGLE}\n\nProblem: {QUESTION}\nSolution: Let's think step by step."),
    ("CoT+Exam", 0, f"{SINGLE} {EXAM_SINGLE}\n\nProblem: {QUESTION}\nSolution: Let's think step by step."),
    ("CoT+OneShot", 0, f"{SINGLE}\n\n{EXAMPLE}\n\nProblem: {QUESTION}\nSolution:"),
    ("CoT+OneShot", 2, f"{INTEGER}\n\n{EXAMPLE}\n\nProblem: How much is $2+2$?\nSolution:"),
]


def rendered(folder, method, instances="all"):
    """The prompts of the tiny dataset under a method, through params.yaml and the spec as in a run."""
    text = f"""\
datasets: {{tiny: {{benchmark: jeebench, source: {folder}/source}}}}
systems: {{it: {{dataset: tiny, recorded_name: first_normal, method: {method}, instances: {instances}}}}}
"""
    write_project(folder, text)
    schema = facts.BENCHMARKS.parents[2] / "workflow/schemas/params.schema.yaml"
    wording = json.loads(specs.render(params.load(folder / "params.yaml", schema), "it"))
    examples = folder / "source/data/few_shot_examples.json"
    loaded = list(extract.load(folder / "source/data/dataset.json"))
    return [row.prompt for row in render(loaded, wording, fields(examples), "instances.jsonl")]


@pytest.mark.parametrize(("method", "row", "prompt"), PROMPTS)
def test_prompts_are_the_protocols(tmp_path, method, row, prompt):
    assert rendered(tmp_path, method, "mcq" if method == "CoT+Exam" else "all")[row] == prompt


def test_prompts_of_all_types_are_those_written_by_hand(tmp_path):
    assert rendered(tmp_path, "CoT") == [prompt_of(problem, "CoT") for problem in problems()]


def test_a_method_without_wording_for_a_type_says_what_to_do(tmp_path):
    with pytest.raises(InputError) as error:
        rendered(tmp_path, "CoT+Exam")
    assert str(error.value) == (
        "instances.jsonl: row Tiny 2021 Paper 1 #1: the system's method has no marking for type Integer; "
        "limit its `instances` or take another method"
    )


def test_a_part_without_instances_says_so(tmp_path):
    made = [problem for problem in problems() if not problem["type"].startswith("MCQ")]
    write_json(tmp_path / "d.json", made)
    wording = {"template": "{question}", "texts": {}, "types": ["MCQ"], "strip": True}
    with pytest.raises(
        InputError, match="i: has no instance of the wanted types; mend the system's `instances`"
    ):
        list(render(extract.load(tmp_path / "d.json"), wording, fields(None), "i"))


def test_mcq_is_the_problems_with_options(tmp_path):
    assert len(rendered(tmp_path, "CoT", "mcq")) == 3


@pytest.mark.parametrize("question", ["  \n\na\n\n\nb \n", "{question} {0} %s $x", "\n\n\n\na"])
def test_a_blank_line_closes_up_once_and_nothing_in_a_question_is_a_template(tmp_path, question):
    made = problems()[2:3]
    made[0]["question"] = question
    write_json(tmp_path / "d.json", made)
    wording = {"template": "{question}", "texts": {}, "types": None, "strip": True}
    (row,) = render(extract.load(tmp_path / "d.json"), wording, fields(None), "i")
    assert row.prompt == question.replace("\n\n", "\n").strip()


def test_an_example_that_is_missing_is_named(tmp_path):
    write_json(tmp_path / "e.json", {"phy": {}})
    write_json(tmp_path / "d.json", problems())
    of_instance = fields(tmp_path / "e.json")
    with pytest.raises(InputError, match="has no example with problem and solution for phy, MCQ; add one"):
        of_instance(next(extract.load(tmp_path / "d.json")))


# --- cut ---


def generation(text, finish="length"):
    return Generation("i", 0, text, finish, None, None, None)


# (reply, stops, text, end, stop, finish)
CUTS = [
    ("ab.cd", ["."], "ab", 2, ".", "stop"),
    ("ab.cd", [], "ab.cd", 5, None, "length"),
    ("abcd", ["."], "abcd", 4, None, "length"),
    (".a", ["."], "", 0, ".", "stop"),
    ("a\n\nb", ["\n", "\n\n"], "a", 1, "\n", "stop"),
    ("a\n\nb", ["\n\n", "\n"], "a", 1, "\n\n", "stop"),
    ("xENDySTOP", ["STOP", "END"], "x", 1, "END", "stop"),
    ("𝒳é.", ["."], "𝒳é", 2, ".", "stop"),  # code points, not bytes or UTF-16 units
    ("", ["."], "", 0, None, "length"),
    (None, ["."], "", 0, None, "length"),
]


@pytest.mark.parametrize(("reply", "stops", "text", "end", "stop", "finish"), CUTS)
def test_a_reply_is_cut_at_its_first_stop(reply, stops, text, end, stop, finish):
    row = cut(generation(reply), stops)
    assert (row.text, row.end, row.stop, row.finish) == (text, end, stop, finish)


@given(
    st.text(alphabet="ab\n.", max_size=40),
    st.lists(st.text(alphabet="ab\n.", min_size=1, max_size=3), max_size=4),
)
def test_no_stop_is_left_in_a_cut_reply_and_nothing_else_is_lost(reply, stops):
    row = cut(generation(reply), stops)
    assert reply.startswith(row.text)
    assert not [stop for stop in stops if stop in row.text]
    if row.stop is None:
        assert row.text == reply
    else:
        assert reply[row.end :].startswith(row.stop)


# --- score ---

# (type, gold, answer, score by the paper, score on exact decimals)
SCORES = [
    ("MCQ", "B", "B", 1, 1),
    ("MCQ", "B", "A", 0, 0),
    ("MCQ", "B", "AB", 0, 0),
    ("MCQ", "B", None, 0, 0),
    ("MCQ(multiple)", "ABD", "ABD", 1, 1),
    ("MCQ(multiple)", "ABD", "AB", 0.5, 0.5),
    ("MCQ(multiple)", "ABD", "D", 0.25, 0.25),
    ("MCQ(multiple)", "ABD", "ABC", 0, 0),
    ("MCQ(multiple)", "ABCD", "ABC", 0.75, 0.75),
    ("MCQ(multiple)", "A", None, 0, 0),
    ("Integer", "4", "4", 1, 1),
    ("Integer", "4", "4.0", 1, 1),
    ("Integer", "4", "5", 0, 0),
    ("Numeric", "0.63", "0.62", 0, 1),  # the float 0.63 - 0.62 is 0.010000000000000009
    ("Numeric", "13.33", "13.32", 1, 1),  # the float 13.33 - 13.32 is 0.009999999999999787
    ("Numeric", "0.63", "0.61", 0, 0),
    ("Numeric", "-14.6", "-14.6", 1, 1),
    ("Numeric", "-14.6", "14.6", 0, 0),
    ("Numeric", "1.00", "1e0", 1, 1),
    ("Numeric", "1", "1e999999", 0, 0),
]


@pytest.mark.parametrize(("type", "gold", "answer", "paper", "exact"), SCORES)
def test_an_answer_scores_as_the_paper_says(type, gold, answer, paper, exact):
    assert score.score_answer(type, gold, answer, "paper") == paper
    assert score.score_answer(type, gold, answer, "exact") == exact


@pytest.mark.parametrize(("size", "expected"), [(1, 0.0625), (2, 0.09375), (3, 0.203125), (4, 0.5)])
def test_a_random_set_of_options_is_expected_to_score_as_published(size, expected):
    # the authors' compute_metrics.py has these four numbers, by the number of right options
    for options in combinations("ABCD", size):
        assert score.expected_random("MCQ(multiple)", "".join(options)) == expected


def test_a_random_option_and_a_random_number():
    assert score.expected_random("MCQ", "C") == 0.25
    assert score.expected_random("Integer", "4") == score.expected_random("Numeric", "0.5") == 0


# (type, samples, answer): majority of the given ones, first given among equals; several options at half of ALL
AGGREGATES = [
    ("MCQ", ["A", "B", "B"], "B"),
    ("MCQ", ["B", "A", None, None], "B"),
    ("MCQ", [None, None], None),
    ("Integer", ["5", "4", "4.0"], "4"),
    ("Numeric", [".50", "0.5", "3", "3", "0.50"], ".50"),
    ("Numeric", ["1e1", "10", "9"], "1e1"),
    ("MCQ(multiple)", ["AB", "AC", None, "D"], "A"),
    ("MCQ(multiple)", ["AB", "B", None, "A"], "AB"),
    ("MCQ(multiple)", ["A", "B", "C"], None),
    ("MCQ(multiple)", ["BD"], "BD"),
    ("MCQ(multiple)", [None, None], None),
]


@pytest.mark.parametrize(("type", "answers", "answer"), AGGREGATES)
def test_samples_become_one_answer(type, answers, answer):
    before = list(answers)
    assert score.aggregate(type, answers) == answer
    assert answers == before


# (type, a person's reading, the answer it is)
READINGS = [
    ("MCQ", "B", "B"), ("MCQ", "None", None), ("MCQ", "AC", "AC"), ("MCQ", "5", None), ("MCQ", "N/A", None), ("MCQ", "", None),
    ("MCQ(multiple)", "DBA", "ABD"), ("MCQ(multiple)", "None", None), ("MCQ(multiple)", "ABE", None),
    ("MCQ(multiple)", "A, C", "AC"), ("MCQ(multiple)", "(A) and (D)", "AD"), ("MCQ(multiple)", "a/c.", "AC"), ("MCQ(multiple)", "Answer", None),
    ("MCQ(multiple)", "and", None), ("MCQ(multiple)", "A and", None),
    ("Integer", "4", "4"), ("Integer", "None", None), ("Integer", "A", None), ("Integer", "-2", "-2"),
    ("Numeric", "-14.6", "-14.6"), ("Numeric", " 0.5 ", "0.5"), ("Numeric", "N/A", None), ("Numeric", "nan", None),
    ("Numeric", "Infinity", None), ("Numeric", "", None), ("Numeric", "1/2", "0.5"), ("Numeric", "-1/4", "-0.25"), ("Numeric", "1/0", None),
    ("Numeric", "1,234.5", "1234.5"), ("Numeric", "1,23", None), ("Numeric", "1e-3", "1e-3"), ("Numeric", "1e9999999", None),
    ("Numeric", "1_000", None), ("Numeric", "\u0664", None), ("Numeric", "5%", None), ("Numeric", ".", None), ("Integer", "2.5", "2.5"),
]  # fmt: skip


@pytest.mark.parametrize(("type", "reading", "answer"), READINGS)
def test_a_persons_reading_is_an_answer_or_none_but_no_error(type, reading, answer):
    assert read_recorded(type, reading) == answer
