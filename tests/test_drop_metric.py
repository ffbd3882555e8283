"""DROP's metric against what the official scripts give: stored numbers here, the scripts themselves in the long tests."""

import math
import subprocess
from collections import Counter
from pathlib import Path

import pytest

import lm_eval_environment
from drop_official import checksum
from drop_records import matrices, records
from evaltrail.benchmarks.drop.alignment import mean_of_aligned
from evaltrail.benchmarks.drop.memo import Memo
from evaltrail.benchmarks.drop.metric import Scorer, get_metrics, normalize_answer
from evaltrail.benchmarks.drop.normalisers import NORMALISERS

HERE = Path(__file__).parent
CENSUS = "10\n\nPassage: The 2011 census recorded a population of 1,001,360"


def differences(lines: list[str], seed: int) -> tuple[int, list[tuple]]:
    """How many pairs were compared with the lines of `drop_official.py`, and the records that differ."""
    scorer, pairs, found = Scorer("official"), 0, []
    for (predicted, golds), line in zip(records(len(lines), seed), lines, strict=True):
        spans = [predicted] if isinstance(predicted, str) else predicted
        row = [*scorer.score(predicted, golds), checksum(list(map(normalize_answer, spans)))]
        for gold in golds:
            row += get_metrics(predicted, gold)
        numbers = list(map(int, line.split()))
        expected = [numbers[0], numbers[1] / 100, numbers[2]]
        for exact_match, f1 in zip(numbers[3::2], numbers[4::2], strict=True):
            expected += [exact_match, f1 / 100]
        if row != expected:
            found.append((predicted, golds, expected, row))
        pairs += len(golds)
    return pairs, found


def official(*arguments: str) -> list[str]:
    command = [lm_eval_environment.python(), HERE / "drop_official.py", *arguments]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()


def test_5000_pairs_score_as_the_official_scripts_had_them():
    pairs, found = differences((HERE / "data/drop_records.txt").read_text().splitlines(), seed=1)
    assert pairs >= 5000
    assert found == []


@pytest.mark.long
def test_100000_pairs_score_as_the_official_scripts_have_them():
    pairs, found = differences(official("records", "36000", "2"), seed=2)
    assert pairs >= 100_000
    assert found == []


def test_the_records_reach_what_can_go_wrong():
    made = list(records(2000))
    sizes = Counter((len(p), len(g)) for p, golds in made if not isinstance(p, str) for g in golds)
    assert (12, 12) in sizes and sum(n for (p, g), n in sizes.items() if p > 1 and g > 1) > 1000
    texts = "".join(p if isinstance(p, str) else "".join(p) for p, _ in made)
    assert {*"\n\t\x1c\x85\u2028\u3000\u200b\ud800-１²–", "\x00"} <= {*texts}
    assert any(not gold[0].strip() for _, golds in made for gold in golds)
    scores = [get_metrics(p, gold) for p, golds in made for gold in golds]
    assert {exact_match for exact_match, _ in scores} == {0.0, 1.0} and len({f1 for _, f1 in scores}) > 80


def test_an_alignment_has_the_mean_that_scipy_finds():
    expected = (HERE / "data/drop_matrices.txt").read_text().splitlines()
    assert [repr(mean_of_aligned(matrix)) for matrix in matrices(len(expected))] == expected


@pytest.mark.long
def test_many_alignments_have_the_mean_that_scipy_finds():
    assert [repr(mean_of_aligned(matrix)) for matrix in matrices(30_000, 2)] == official(
        "matrices", "30000", "2"
    )


@pytest.mark.parametrize(
    ("normaliser", "whole", "first_line"),
    [("official", (0, 0), (1, 1)), ("whitespace", (0, 0.22), (1, 1)), ("exact", (0, 0.22), (1, 1))],
)
def test_the_documented_bug(normaliser, whole, first_line):
    scorer = Scorer(normaliser)
    assert scorer.score(CENSUS, [("10",)]) == whole
    assert scorer.score(CENSUS.partition("\n")[0], [("10",)]) == first_line
    assert scorer.score(CENSUS.partition(".")[0], [("10",)]) == whole


# Worked out by hand from the paper's definition: (predicted, gold, exact match, F1)
PAIRS = [
    ("Chicago Bears", "the Bears", 0, 0.67),  # 1 of 2 and 1 of 1
    ("the Bears.", ("Bears",), 1, 1),
    ("7 yards", "9 yards", 0, 0),  # another number
    ("seven yards", "7 yards", 0, 0),
    ("7 yards", "yards", 0, 0.67),  # a number asked for by nobody
    (["Bears", "Lions"], ("Lions", "Bears"), 1, 1),
    (["Bears", "Bears"], ("Bears",), 0, 0.5),
    (["Bears", "Lions"], ("Bears", "Bears"), 0, 0.5),
    (["Bears", "Bears", "Lions"], ("Bears", "Lions", "Lions"), 1, 0.67),  # the same set, as many spans
    (["red", "green", "blue"], ("green", "red"), 0, 0.67),
    (("red green", "green"), ("green", "red"), 0, 0.83),  # (1 + 2/3) / 2, not (2/3 + 0) / 2
    ("red green", ("green", "red"), 0, 0.33),
    ("", "Bears", 0, 0),
    ("", "", 1, 1),
    ("the", "an", 1, 1),  # both without words
    ([], "Bears", 0, 0),
    ("Bears", (), 0, 0),
    (["red"] + ["x"] * 39, ("red",), 0, 0.02),  # 1/40 = 0.025: half to even
    (["red"] * 3 + ["x"] * 5, ("red",) * 3 + ("y",) * 5, 0, 0.38),  # 3/8 = 0.375
    (["red"] * 5 + ["x"] * 3, ("red",) * 5 + ("y",) * 3, 0, 0.62),  # 5/8 = 0.625
]


@pytest.mark.parametrize(("predicted", "gold", "exact_match", "f1"), PAIRS)
def test_a_pair(predicted, gold, exact_match, f1):
    assert get_metrics(predicted, gold) == (exact_match, f1)


def test_two_answers_without_spans_have_no_f1():
    exact_match, f1 = get_metrics([], ())
    assert exact_match == 1 and math.isnan(f1)


@pytest.mark.parametrize(
    ("golds", "expected"),
    [
        ([("red green",), ("blue",)], (0, 0.67)),
        ([("red green",), ("red",)], (1, 1)),
        ([("red blue green", "x"), ("red green",)], (0, 0.67)),
        ([("",), (" \u2028",), ("\t", "red")], (0, 0)),  # the first span is blank
        ([("",), ("red", "")], (0, 0.5)),
        ([()], (0, 0)),
        ([], (0, 0)),
        (["red"], (1, 1)),
    ],
)
def test_the_best_gold_that_is_not_blank_counts(golds, expected):
    assert Scorer("official").score("red", golds) == expected


# What the official scripts give, run once: (predicted, gold, normal form of the prediction, exact match, F1)
ODD = [
    ("10\u2028", "10", "10.0", 1, 1),  # float takes the white space around
    ("10\x1c", "10", "10", 0, 0),  # but not this one
    ("１０", "10", "10.0", 1, 1),
    ("1_0", "10", "10.0", 1, 1),
    ("nan", "NaN", "nan", 1, 1),
    ("inf", "1e400", "inf", 1, 1),
    ("-inf", "Infinity!", "inf", 1, 1),
    ("-7", "7", "7.0", 1, 1),
    ("12.25.", "12.25", "1225.0", 0, 0),
    ("$3.50", "3.5", "350.0", 0, 0),
    ("12.5%", "125", "125.0", 1, 1),
    ("1,001,360", "1001360", "1001360.0", 1, 1),
    ("\ud800 10", "10", "\ud800 10.0", 0, 0.67),
    ("ΟΔΟΣ", "οδος", "οδος", 1, 1),
    ("the\u2014end", "\u2014end", "\u2014end", 1, 1),
    ("\x00", "0", "\x00", 0, 0),
]


@pytest.mark.parametrize(("predicted", "gold", "normal", "exact_match", "f1"), ODD)
def test_odd_texts(predicted, gold, normal, exact_match, f1):
    assert normalize_answer(predicted) == normal
    assert get_metrics(predicted, gold) == (exact_match, f1)


@pytest.mark.parametrize("normaliser", NORMALISERS)
@pytest.mark.parametrize("unit", ["1", "a ", "1.1.a", "-", "\u2028", "７\ud800"])
def test_a_megabyte_is_scored(normaliser, unit):
    scorer = Scorer(normaliser)
    text = unit * (1_000_000 // len(unit))
    assert scorer.score(text, [("10",), (text,)]) == ((1, 1) if text.strip() else (0, 0))


@pytest.mark.parametrize("normaliser", NORMALISERS)
@pytest.mark.parametrize("answer", [None, 0, 7.5, b"7", {"7"}, [7], ("7", None), [["7"]]])
def test_what_is_no_answer_is_refused(normaliser, answer):
    scorer = Scorer(normaliser)
    with pytest.raises(TypeError):
        scorer.score(answer, [("7",)])
    with pytest.raises(TypeError):
        scorer.score("7", [answer])


def test_a_memo_is_bounded_and_gives_what_was_made():
    made = []
    memo = Memo(lambda text: made.append(text) or text.upper(), most=3, longest=4)
    for _ in range(2):
        for text in ("a", "b", "long text", "a", "b"):
            assert memo[text] == text.upper()
    assert made == ["a", "b", "long text", "long text"]
    for number in range(1000):
        assert memo[f"x{number}"] == f"X{number}"
        assert len(memo) <= 3


def test_scores_do_not_depend_on_what_was_scored_before():
    made = list(records(300, 3))
    used = Scorer("exact")
    forth = [used.score(*record) for record in made]
    back = [used.score(*record) for record in reversed(made)]
    assert forth == back[::-1] == [Scorer("exact").score(*record) for record in made]
