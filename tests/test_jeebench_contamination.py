"""The halves of a question, and how much of the second one a reply to the first has: by hand."""

import json
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltrail import facts, jsonl, tables
from evaltrail.benchmarks.jeebench import extract
from evaltrail.benchmarks.jeebench.halves import halves
from evaltrail.benchmarks.jeebench.render import fields, question_of
from evaltrail.benchmarks.jeebench.tables.contamination import common, overlap
from evaltrail.records import Completion, Instance
from evaltrail.render import render

# (what, first half, second half)
HALVES = [
    ("the white space nearest to the middle", "aa bb", " cc dd"),
    ("of two equally near the first", "aa", " bb c"),
    ("a run of white space goes to the second half", "ab", "\n\n cd"),
    ("before a formula or behind it", "If $x + y = 1$", " then"),
    ("before a formula or behind it", "If it is so", " $x + y = 1$"),
    ("a display formula", "Let", " $$a b c d$$"),
    ("a display formula", "So \\[a b\nc d\\]", " is it"),
    ("a line break with a length in it", "So \\[a \\\\[2pt] b c d\\]", " is it"),
    ("a formula in round brackets", "So \\(a + b\\)", " is"),
    ("between two formulas", "$a = b$", " $c = d$"),
    ("an escaped dollar opens no formula", "a \\$5 or", " so $x$"),
    ("a dollar that nothing closes opens none", "for $5", " or more"),
    ("white space in formulas alone", "$a +", " b$"),
    ("no white space", "ab", "cd"),
    ("no white space but at the ends", " a", "b "),
    ("one sign", "", "a"),
    ("nothing", "", ""),
]


@pytest.mark.parametrize(("what", "first", "second"), HALVES)
def test_a_question_parts_at_white_space_outside_of_formulas(what, first, second):
    assert halves(first + second) == (first, second)


@given(st.text(st.sampled_from("ab1 \n$\\[]()")) | st.text())
def test_halves_are_the_question_and_part_no_word_without_need(question):
    first, second = halves(question)
    assert first + second == question
    if len(question.split()) > 1:
        assert second[0].isspace() and not first[-1].isspace()


def test_no_published_formula_is_parted(mirror):
    for instance in extract.load(mirror / "jeebench/data/dataset.json"):
        first, second = halves(question_of(instance))
        assert second[0].isspace(), instance.id
        assert first.replace("$$", "$").count("$") % 2 == 0, instance.id
        assert first.count("\\[") == first.count("\\]"), instance.id


def test_the_prompt_is_the_first_half():
    question = "Which is 1?\n\n(A) one\n\n(B) two\n\n(C) three\n\n(D) four\n"
    wording = {
        "template": facts.benchmark_facts("jeebench")["methods"]["contamination"],
        "texts": {},
        "types": None,
        "strip": True,
    }
    found = list(render([Instance("#1", "phy", "MCQ", question, ("A",), {})], wording, fields(None), "i"))
    # 46 code points with single line ends; the 23rd is the white space behind (B)
    assert [row.prompt for row in found] == ["Which is 1?\n(A) one\n(B)"]


FIRST = "Let the number"
# (what, true second half, reply, overlap)
OVERLAPS = [
    ("the same", " be real.", "be real.", 1),
    ("words alone count", " be (real)!", "be real", 1),
    ("one word of four is another: a c d", " a b c d", "a x c d", 3 / 4),
    ("one word is left out: a c d", " a b c d", "a c d e", 3 / 4),
    ("order counts: one of four", " a b c d", "d c b a", 1 / 4),
    ("a repeated word counts as often as it stands there", " a a b", "a b b", 2 / 3),
    ("a short reply", " a b c d", "a", 1 / 4),
    ("no reply", " a b c d", "", 0),
    ("no word of a reply beyond the length of the half counts", " a b", "x y a b", 0),
    ("what follows the half costs nothing", " a b", "a b and so on and on", 1),
    ("a reply may open with the first half", " a b", "Let the number a b", 1),
    ("the first half earns nothing", " the number", "Let the number", 0),
    ("a part of the first half is part of the reply", " a b", "the number a b", 0),
    ("case counts", " A b", "a b", 1 / 2),
    ("a command, a number and a sign are words: \\frac 1 + x of 5", " $\\frac{1}{2}+x$", "\\frac{1}{3}+x", 4 / 5),
    ("a formula reads the same in other brackets", " $x_{1}$", "\\(x_1\\)", 1),
    ("another command of the same letters is another word", " $\\Delta$", "\\delta", 0),
    ("a decimal number is one word", " 2.50 m", "2.5 m", 1 / 2),
    ("words of any script", " число π", "число π", 1),
    ("a half without a word", " ?", "?", 0),
]  # fmt: skip


@pytest.mark.parametrize(("what", "second", "reply", "expected"), OVERLAPS)
def test_overlap(what, second, reply, expected):
    assert overlap(FIRST, second, reply) == expected


def longest(first, second) -> int:
    """By trying all subsequences of `first`, the longest ones first."""
    for size in range(len(first), 0, -1):
        for chosen in combinations(first, size):
            rest = iter(second)
            if all(word in rest for word in chosen):
                return size
    return 0


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abcd"), max_size=12))
def test_common_is_the_longest_common_subsequence(first, second):
    assert common(first, second) == longest(first, second)


def test_the_table_shows_contamination_systems_by_year(tmp_path):
    question = "a b c d e f g h"  # the second half: e f g h
    years = {"#1": 2016, "#2": 2016, "#3": 2023, "#4": 2022}
    made = [Instance(id, "phy", "MCQ", question, ("A",), {"year": year}) for id, year in years.items()]
    # #1: 1 and 0.5, so 0.75; #2: 0.25; #3: 0.5, which is not above the bound; #4 was not asked
    replies = {"#1": ["e f g h", "e f x y"], "#2": ["e", "x e"], "#3": ["e f", "f g"]}
    rows = [
        Completion(id, sample, text, len(text), None, "stop")
        for id, texts in replies.items()
        for sample, text in enumerate(texts)
    ]
    jsonl.write(tmp_path / "instances.jsonl", made)
    for system in ("plain", "halves"):
        (tmp_path / system).mkdir()
        jsonl.write(tmp_path / system / "completions.jsonl", rows)
    spec = {
        "benchmark": "jeebench",
        "table": "contamination",
        "person": None,
        "settings": {},
        "rows": [
            {"id": "plain", "label": "Plain", "settings": {"method": "normal"}},
            {"id": "halves", "label": "Halves", "settings": {"method": "contamination"}},
        ],
    }
    tables.main(
        [
            "--spec", json.dumps(spec),
            "--instances", str(tmp_path / "instances.jsonl"),
            "--files", *(str(tmp_path / system / "completions.jsonl") for system in ("plain", "halves")),
            "--table", str(tmp_path / "table.csv"),
        ]
    )  # fmt: skip
    assert (tmp_path / "table.csv").read_text() == (
        "system,year,instances,overlap,above,bound\n"
        "Halves,2016,2,0.500,0.500,0.500\n"
        "Halves,2023,1,0.500,0.000,0.500\n"
        "Halves,all,3,0.500,0.333,0.500\n"
    )
