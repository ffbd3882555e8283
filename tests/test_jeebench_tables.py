"""JEEBench's tables and figures beyond table 2: each cell from a computation by hand."""

import csv
import io
import itertools
import os
import random
import subprocess
import sys
import xml.etree.ElementTree
from fractions import Fraction
from pathlib import Path

import pandas
import pytest

from evaltrail import figures, jsonl, statistics
from evaltrail.benchmarks.jeebench import annotations
from evaltrail.benchmarks.jeebench import figures as jeebench_figures
from evaltrail.benchmarks.jeebench import tune as tuner
from evaltrail.benchmarks.jeebench.figures import by_year as by_year_figure
from evaltrail.benchmarks.jeebench.figures import calibration as calibration_figure
from evaltrail.benchmarks.jeebench.figures import human as human_figure
from evaltrail.benchmarks.jeebench.figures import samples as samples_figure
from evaltrail.benchmarks.jeebench.figures import thresholds as thresholds_figure
from evaltrail.benchmarks.jeebench.score import score
from evaltrail.benchmarks.jeebench.tables import (
    annotate,
    by_year,
    calibration,
    compare,
    human,
    samples,
    table3,
    table4,
    table5,
    table6,
    thresholds,
)
from evaltrail.errors import InputError
from evaltrail.tables import rows_of
from jeebench_replies import multiple, numbers, problem, row, single, write

FIGURES = {
    "by_year": by_year_figure,
    "calibration": calibration_figure,
    "human": human_figure,
    "samples": samples_figure,
    "thresholds": thresholds_figure,
}
SPEC = {
    "benchmark": "jeebench",
    "answers": "recorded",
    "samples": 8,
    "tolerance": "paper",
    "compat": "paper",
    "tau": 0.5,
}


def system(folder: Path, made, name: str = "one", pairs_with: str | None = None):
    """The instances, and a table's row with the files of a system: scores, metrics, and thresholds where it has them."""
    (folder / name).mkdir()
    instances, scores = write(folder / name, made)
    files = {"scores.jsonl": scores, "metrics.json": str(folder / name / "metrics.json")}
    jsonl.write_document(files["metrics.json"], {"signature": SPEC})
    try:
        found = tuner.tune(instances, scores)
    except InputError:
        return instances, row(name, files, pairs_with)
    files["thresholds.json"] = str(folder / name / "thresholds.json")
    jsonl.write_document(files["thresholds.json"], found)
    return instances, row(name, files, pairs_with)


def text(frame: pandas.DataFrame) -> list[list[str]]:
    """The table as the step writes it."""
    return list(csv.reader(io.StringIO(frame.to_csv(index=False, float_format="%.3f", lineterminator="\n"))))


def read_back(frame: pandas.DataFrame, folder: Path) -> pandas.DataFrame:
    """The table as a figure reads it."""
    path = folder / "table.csv"
    path.write_text(frame.to_csv(index=False, float_format="%.3f", lineterminator="\n"))
    return figures.read_table(path)


def known(kind: str = "calibrated", seed: int = 1):
    """Replies of known confidence in both parts and both types."""
    rng = random.Random(seed)
    made = single(kind, "validation", rng) + multiple("validation", rng)
    return made + single("calibrated", "test", rng) + multiple("test", rng)


def test_table5(tmp_path):
    # plain: 3 - 1 + 2 - 2 (and 4 for a number, which is no MCQ); exam: 3, none, 4, none
    plain = [
        problem("MCQ", "A", ["A"]),
        problem("MCQ", "A", ["B"]),
        problem("MCQ(multiple)", "ABD", ["AB"]),
        problem("MCQ(multiple)", "A", ["B"]),
        problem("Integer", "4", ["4"], score=1.0),
    ]
    exam = [
        problem("MCQ", "A", ["A"]),
        problem("MCQ", "A", [None]),
        problem("MCQ(multiple)", "ABD", ["ABD"]),
    ]
    instances, first = system(tmp_path, plain, "plain")
    _, second = system(tmp_path, exam, "exam", pairs_with="plain")
    assert text(table5.table(instances, [second, first])) == [
        table5.COLUMNS,
        # The pair earned 3 - 1 + 2 = 4 on the three common problems, this system 7.
        ["EXAM", "7", "0", "7", "10", "3", "1", "PLAIN", "3", "3"],
        ["PLAIN", "5", "-3", "2", "14", "4", "0", "", "", ""],
    ]


def test_table6(tmp_path):
    instances, many = system(tmp_path, known(), "many")
    one_sample = [problem("MCQ", "A", [answer], year=year) for year in (2020, 2022) for answer in "AAB"]
    _, one = system(tmp_path, one_sample, "single")
    _, hopeless = system(tmp_path, known("hopeless"), "hopeless")
    # See test_jeebench_marks.py for each of the sums.
    assert text(table6.table(instances, [one, many, hopeless])) == [
        table6.COLUMNS,
        ["SINGLE", "without", "", "", "6", "-1", "5", "9", "3"],
        ["MANY", "without", "", "", "274", "-48", "226", "416", "120"],
        ["MANY", "with", "0.250", "0.750", "272", "-27", "245", "416", "120"],
        ["HOPELESS", "without", "", "", "274", "-48", "226", "416", "120"],
        ["HOPELESS", "with", "abstains", "0.750", "167", "-6", "161", "416", "120"],
    ]


def test_thresholds(tmp_path):
    instances, many = system(tmp_path, known(), "many")
    _, one = system(tmp_path, [problem("MCQ", "A", ["A"], year=year) for year in (2020, 2022)], "single")
    rows = text(thresholds.table(instances, [one, many]))
    assert len(rows) == 1 + 2 * 2 * 9
    assert {line[0] for line in rows[1:]} == {"MANY"}
    assert rows[2] == ["MANY", "Single-Correct", "validation", "0.250", "105", "-21", "84", "64", "no", "yes"]
    assert rows[9] == ["MANY", "Single-Correct", "validation", "1.125", "0", "0", "0", "64", "yes", "no"]
    assert rows[-4] == ["MANY", "Multi-Correct", "test", "0.750", "167", "-6", "161", "56", "no", "yes"]


# Single-correct problems, 8 at each level k with r right: the named option has an error of |k - r| / 8. The three
# others have confidence 0, and one of them is right where the named one is not: 64 - (sum of r) of 192.
ERRORS = {
    "calibrated": [Fraction(28, 192)] + [Fraction(0)] * 8,
    "over-confident": [Fraction(54, 192)] + [Fraction(min(k, 4), 8) for k in range(1, 9)],
    "adversarial": [Fraction(36, 192)] + [Fraction(abs(2 * k - 8), 8) for k in range(1, 9)],
    "hopeless": [Fraction(64, 192)] + [Fraction(k, 8) for k in range(1, 9)],
}
# By hand: (maximum, mean) of the nine errors above
MCE_ACE = {
    "calibrated": (0.146, 0.016),  # 0.1458 / 9
    "over-confident": (0.5, 0.392),  # (1/8 + 2/8 + 3/8 + 5 x 4/8 + 0.28125) / 9
    "adversarial": (1.0, 0.465),  # (4 + 0.1875) / 9
    "hopeless": (1.0, 0.537),  # (36/8 + 0.3333) / 9
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", ERRORS)
def test_calibration(kind, seed, tmp_path):
    instances, one = system(tmp_path, single(kind, "test", random.Random(seed)))
    frame = calibration.table(instances, [one])
    # Eight samples: each confidence has a bin of its own, and 0.4 to 0.5 is empty.
    assert list(frame["bin"]) == [1, 2, 3, 4, 6, 7, 8, 9, 10]
    assert list(frame["options"]) == [192] + [8] * 8
    assert list(frame["confidence"]) == [k / 8 for k in range(9)]
    assert list(frame["error"]) == [float(error) for error in ERRORS[kind]]
    assert (round(frame["mce"][0], 3), round(frame["ace"][0], 3)) == MCE_ACE[kind]
    weighted = (192 * ERRORS[kind][0] + 8 * sum(ERRORS[kind][1:])) / 256
    assert frame["ece"][0] == pytest.approx(float(weighted))
    assert frame[["mce", "ace", "ece"]].nunique().max() == 1


def test_a_calibrated_system_has_no_error_at_all(tmp_path):
    instances, one = system(tmp_path, multiple("test", random.Random(0)))
    frame = calibration.table(instances, [one])
    assert set(frame["error"]) | set(frame["mce"]) | set(frame["ace"]) | set(frame["ece"]) == {0.0}


@pytest.mark.parametrize(
    ("samples", "named", "bins"),
    [
        (8, 4, [1, 6]),
        (10, 1, [1, 2]),
        (10, 3, [1, 4]),
        (10, 9, [1, 10]),
        (10, 10, [1, 10]),
        (100, 29, [1, 3]),
        (3, 1, [1, 4]),
    ],
)
def test_bins_hold_their_lower_end(samples, named, bins, tmp_path):
    # 0.3 in floats lies below 3/10 of ten samples, 0.29 x 100 below 29
    answers = ["A"] * named + [None] * (samples - named)
    instances, one = system(tmp_path, [problem("MCQ", "A", answers)])
    assert list(calibration.table(instances, [one])["bin"]) == bins


def test_single_samples_have_no_calibration(tmp_path):
    instances, one = system(tmp_path, [problem("MCQ", "A", ["A"])])
    assert text(calibration.table(instances, [one])) == [calibration.COLUMNS]


@pytest.mark.parametrize(
    ("marks", "place"),
    [
        (360, "above top 10 %"),
        (Fraction(9701, 100), "above top 10 %"),
        (97, "top 10.0 %"),
        (Fraction(167, 2), "top 15.0 %"),  # halfway
        (79, "top 16.7 %"),  # 10 + 18 x 10 / 27
        (70, "top 20.0 %"),
        (Fraction(6999, 100), "below top 20 %"),
        (-8, "below top 20 %"),
    ],
)
def test_places_among_candidates(marks, place):
    assert human.place(marks) == place


def test_the_published_projection():
    assert round(human.project(49, 229)) == 77


def test_human(tmp_path):
    # 2023: an integer right (4), one wrong, a decimal right (3), a single right (3), a single wrong (-1)
    made = [
        problem("MCQ", "A", ["A"], year=2022),
        *numbers(1, 1, 0, "Integer", 2023),
        *numbers(1, 0, 0, "Numeric", 2023),
        problem("MCQ", "A", ["A"], year=2023),
        problem("MCQ", "A", ["B"], year=2023),
    ]
    instances, one = system(tmp_path, made, "single")
    _, part = system(tmp_path, made[:-1], "part")
    assert text(human.table(instances, [one, part])) == [
        human.COLUMNS,
        # 9 of 17 marks are 190.588 of 360
        ["SINGLE", "without", "5", "10", "-1", "9", "17", "3", "-1", "190.588", "above top 10 %"],
        # `part` lacks a problem: its marks are not those of the whole paper.
        ["PART", "without", "4", "10", "0", "10", "14", "3", "0", "", ""],
    ]


def test_human_with_thresholds(tmp_path):
    # 2020 teaches that one of two samples is too little; so the wrong answer of 2023 is left out: 10 of 17, 211.765.
    made = [
        problem("MCQ", "A", ["A", "A"], year=2020),
        problem("MCQ", "A", ["B", None], year=2020),
        problem("Integer", "4", ["4", "4"], score=1.0, year=2023),
        problem("Integer", "4", ["5", "4"], year=2023),
        problem("Numeric", "1", ["1", None], score=1.0, year=2023),
        problem("MCQ", "A", ["A", "A"], year=2023),
        problem("MCQ", "A", ["B", None], year=2023),
    ]
    instances, many = system(tmp_path, made)
    assert text(human.table(instances, [many]))[1:] == [
        ["ONE", "without", "5", "10", "-1", "9", "17", "3", "-1", "190.588", "above top 10 %"],
        ["ONE", "with", "5", "10", "0", "10", "17", "3", "0", "211.765", "above top 10 %"],
    ]


def _with_answers(score, answers):
    return type(score)(score.instance, answers[0], score.references, score.score, tuple(answers))


def test_by_year(tmp_path):
    scores = {2016: [1, 1, 0, 0], 2022: [1], 2023: [0, 1, 0, 0.25]}
    made = [
        problem("MCQ(multiple)", "ABCD", ["A"], score=float(value), year=year)
        for year, values in scores.items()
        for value in values
    ]
    instances, one = system(tmp_path, made)
    rows = text(by_year.table(instances, [one]))
    assert [line[:4] for line in rows[1:]] == [
        ["ONE", "2016", "4", "0.500"],
        ["ONE", "2022", "1", "1.000"],
        ["ONE", "2023", "4", "0.312"],
        ["ONE", "all but 2023", "5", "0.600"],
        ["ONE", "2023 less all others", "9", "-0.287"],
    ]
    assert rows[1][4:] == [f"{end:.3f}" for end in statistics.interval([1, 1, 0, 0])]
    low, high = statistics.difference_interval([0, 1, 0, 0.25], [1, 1, 0, 0, 1])
    assert rows[5][4:] == [f"{low:.3f}", f"{high:.3f}"]


@pytest.mark.parametrize("year", [2016, 2023])
def test_a_year_without_others_has_no_difference(year, tmp_path):
    instances, one = system(tmp_path, [problem("MCQ", "A", ["A"], year=year)])
    assert [line[1] for line in text(by_year.table(instances, [one]))] == ["years", str(year)]


def test_samples_are_the_mean_over_all_subsets(tmp_path):
    rng = random.Random(8)
    made = []
    for type, gold, options in [
        ("MCQ", "A", ["A", "B", "C", None]),
        ("MCQ(multiple)", "AC", ["A", "AC", "ABC", "C", None]),
        ("Integer", "4", ["4", "4.0", "5", None]),
        ("Numeric", "0.50", ["0.5", ".50", "0.51", "0.6", None]),
    ]:
        for _ in range(4):
            answers = rng.choices(options, k=5)
            instance, _ = problem(type, gold, answers)
            made.append((instance, score(instance, answers, SPEC | {"answers": "rules"})))
    instances, one = system(tmp_path, made)
    frame = samples.table(instances, [one])
    assert list(frame["n"]) == [1, 2, 3, 4, 5]
    assert list(frame["subsets"]) == [5, 10, 10, 5, 1]
    for n, found in zip(frame["n"], frame["score"], strict=True):
        each = [
            score(instance, list(subset), SPEC | {"answers": "rules"}).score
            for instance, row in made
            for subset in itertools.combinations(row.answers, n)
        ]
        assert found == pytest.approx(sum(each) / len(each))
    assert frame["score"].iloc[-1] == pytest.approx(sum(row.score for _, row in made) / len(made))


def test_samples_of_one_problem_by_hand(tmp_path):
    # A, A, B for gold A: one sample is right in 2 of 3, two vote A, A / A, B / A, B: the first given wins, so always A.
    instances, one = system(
        tmp_path, [problem("MCQ", "A", ["A", "A", "B"]), problem("MCQ", "A", ["B", "A", "A"])]
    )
    # B, A, A: the pairs B, A and B, A fall to B, the third to A.
    assert [line[4] for line in text(samples.table(instances, [one]))] == ["score", "0.667", "0.667", "1.000"]


def test_many_samples_are_drawn(tmp_path):
    assert len(list(samples.subsets(8, 4))) == 70
    drawn = list(samples.subsets(20, 10))
    assert len(drawn) == 1000  # of 184,756, so hardly one twice
    assert len({*drawn}) > 980
    assert all(list(places) == sorted({*places}) and len(places) == 10 for places in drawn)
    assert drawn == list(samples.subsets(20, 10))
    # Each place is in half of the subsets: 500 +- 5 x 16
    assert all(abs(sum(place in places for places in drawn) - 500) < 80 for place in range(20))


def test_compare(tmp_path):
    single_scores = [(1, 1), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (0, 0)]
    several_scores = [(0.25, 1), (0.5, 0.5)]
    made = [[], []]
    for type, pairs in (("MCQ", single_scores), ("MCQ(multiple)", several_scores)):
        for pair in pairs:
            for own, value in zip(made, pair, strict=True):
                own.append(problem(type, "A", ["A"], score=float(value)))
    instances, first = system(tmp_path, made[0], "one")
    _, second = system(tmp_path, made[1][:-1], "two")  # lacks the last problem
    rows = text(compare.table(instances, [first, second]))
    assert [[*line[:5], line[-1]] for line in rows[1:]] == [
        ["ONE", "TWO", "Total", "8", "0.531", "paired bootstrap"],  # (5 - 0.75) / 8
        ["ONE", "TWO", "Single-Correct", "7", "0.714", "McNemar"],
        ["ONE", "TWO", "Multi-Correct", "1", "-0.750", "paired bootstrap"],
    ]
    assert rows[2][7] == "0.0625"  # 2 / 2^5
    assert rows[2][5:7] == [f"{end:.3f}" for end in statistics.interval([0, 1, 1, 1, 1, 1, 0])]


def judged(folder: Path, *lines: str) -> Path:
    path = folder / "annotations.csv"
    path.write_text("\n".join([",".join(annotations.COLUMNS), *lines]) + "\n", encoding="utf-8")
    return path


# A worked example: eight replies, three of them right answers; seven went through a verifier.
JUDGED = [
    "one,#0,MCQ,A,A,1.000,none,kept,",
    'one,#1,MCQ,A,A,1.000,computation,missed,"two slips that cancel, by luck"',
    "one,#2,MCQ,A,A,1.000,none,spoiled,the verifier took the sign for wrong",
    "one,#3,MCQ,A,B,0.000,conceptual,missed,",
    "one,#4,MCQ,A,B,0.000,conceptual,found,",
    "one,#5,MCQ,A,B,0.000,conceptual,fixed,",
    "one,#6,MCQ,A,,0.000,grounding,,no second pass",
    "one,#7,MCQ,A,B,0.000,computation,found,",
]


@pytest.fixture
def to_judge(tmp_path):
    made = [problem("MCQ", "A", [answer], score=float(answer == "A")) for answer in "AAABBBBB"]
    return system(tmp_path, made)


def test_table3_and_table4_of_the_worked_example(to_judge, tmp_path):
    instances, one = to_judge
    one.files["annotations.csv"] = str(judged(tmp_path, *JUDGED))
    other = row("other", dict(one.files))
    assert text(table3.table(instances, [one, other])) == [
        table3.COLUMNS,
        ["ONE", "conceptual", "3", "8", "0.375"],
        ["ONE", "grounding", "1", "8", "0.125"],
        ["ONE", "computation", "2", "8", "0.250"],
        ["ONE", "miscomprehension", "0", "8", "0.000"],
        ["ONE", "none", "2", "8", "0.250"],
        ["ONE", "right answer, wrong reason", "1", "3", "0.333"],
    ]
    assert text(table4.table(instances, [one])) == [
        table4.COLUMNS,
        ["ONE", "conceptual", "3", "2", "1", "0", "0"],
        ["ONE", "grounding", "0", "0", "0", "0", "0"],
        ["ONE", "computation", "2", "1", "0", "0", "0"],
        ["ONE", "miscomprehension", "0", "0", "0", "0", "0"],
        ["ONE", "none", "2", "0", "0", "1", "1"],
        ["ONE", "all", "7", "3", "1", "1", "1"],
    ]


def test_without_annotations_a_table_of_them_says_what_to_bring():
    spec = {"person": "data/jeebench/annotations.csv", "rows": []}
    with pytest.raises(InputError) as error:
        rows_of(spec, [], None)
    assert (
        str(error.value) == "data/jeebench/annotations.csv: no such file; README.md says what to write there"
    )


def test_the_sample_filled_in_is_an_annotations_file(to_judge, tmp_path):
    instances, one = to_judge
    rows = text(annotate.table(instances, [one]))
    assert rows[0] == annotations.COLUMNS
    assert rows[1] == ["one", "#0", "MCQ", "A", "A", "1.000", "", "", ""]
    path = tmp_path / "filled.csv"
    # as a spreadsheet saves it
    with open(path, "w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([rows[0], *([*line[:6], "none", "kept", "ä\nb"] for line in rows[1:])])
    found = annotations.read(path, {"one": {line[1] for line in rows[1:]}})
    assert found == [annotations.Annotation("one", f"#{n}", "none", "kept") for n in range(8)]


def test_the_sample_is_even_and_stable():
    ids = [f"Paper {year} #{n}" for year in range(50) for n in range(10)]
    chosen = annotations.sample(ids)
    assert len(chosen) == 100
    assert chosen == [id for id in ids if id in {*chosen}]
    assert {*annotations.sample(reversed(ids))} == {*chosen}
    assert len({*annotations.sample([*ids, "another"])} - {*chosen}) <= 1
    assert annotations.sample(ids, seed=1) != chosen
    assert annotations.sample(ids[:7]) == ids[:7]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("two,#0,,,,,none,,", "row 2: field system: is 'two'; give the id of a system"),
        ("one,#9,,,,,none,,", "row 2: field instance: is '#9'"),
        ("one,#0,,,,,,found,", "row 2: field error: is empty; one of conceptual, grounding"),
        ("one,#0,,,,,Concept,,", "row 2: field error: is 'Concept'"),
        ("one,#0,,,,,none,fixed,", "row 2: field verifier: is 'fixed' beside the error 'none'"),
        ("one,#0,,,,,grounding,kept,", "row 2: field verifier: is 'kept' beside the error 'grounding'"),
        ("one,#0,none", "row 2: has 3 cells instead of 9; quote cells that hold commas"),
        ("one,#0,,,,,none,,\none,#0,,,,,none,,", "row 3: stands twice"),
        ('one,#0,,,,,none,,"x', "row 2: is no CSV: unexpected end of data"),
    ],
)
def test_bad_annotations_are_one_line(line, message, tmp_path):
    path = judged(tmp_path, line)
    with pytest.raises(InputError) as error:
        annotations.read(path, {"one": {"#0"}})
    assert str(error.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "row 1: has another header"),
        (b"a,b\n", "row 1: has another header"),
        (b"\xff\xfe", "is not UTF-8"),
    ],
)
def test_no_annotations_file_at_all_is_one_line(content, message, tmp_path):
    path = tmp_path / "annotations.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        annotations.read(path, {})


@pytest.fixture(scope="module")
def frames(tmp_path_factory):
    """The tables behind the figures, as figures read them, for three systems."""
    folder = tmp_path_factory.mktemp("frames")
    made = known() + numbers(3, 2, 1, "Integer", 2023) * 2
    made = [
        (instance, _with_answers(score, [*score.answers] * (8 // len(score.answers))))
        if instance.type == "Integer"
        else (instance, score)
        for instance, score in made
    ]
    made = [
        (
            instance,
            type(row)(
                row.instance,
                row.prediction,
                row.references,
                float(row.prediction == instance.references[0]),
                row.answers,
            ),
        )
        for instance, row in made
    ]
    instances, first = system(folder, made, "first")
    _, second = system(folder, made, "second")
    one = [(instance, _with_answers(row, [row.prediction])) for instance, row in made]
    _, third = system(folder, one, "third")
    tables = {
        "by_year": by_year,
        "calibration": calibration,
        "human": human,
        "samples": samples,
        "thresholds": thresholds,
    }
    return {
        name: read_back(module.table(instances, [first, second, third]), folder)
        for name, module in tables.items()
    }


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_the_same_bytes_and_its_axes_have_names(name, frames, tmp_path):
    for path in (tmp_path / "one.svg", tmp_path / "two.svg"):
        figures.save(FIGURES[name].draw, frames[name], path)
    svg = (tmp_path / "one.svg").read_bytes()
    assert svg == (tmp_path / "two.svg").read_bytes()
    xml.etree.ElementTree.fromstring(svg)
    assert b"dc:date" not in svg
    assert b"Matplotlib v" not in svg
    for axes in FIGURES[name].draw(frames[name]).axes:
        assert axes.get_xlabel()
        assert axes.get_ylabel() or name == "human"  # its bars have names


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_of_no_system_says_so(name, frames, tmp_path):
    figures.save(FIGURES[name].draw, read_back(frames[name].iloc[:0], tmp_path), tmp_path / "empty.svg")
    assert (tmp_path / "empty.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize("label", ["4", "NA", "a $x_{", "50 % {b}"])
def test_a_figure_takes_any_label(label, frames, tmp_path):
    for name, module in FIGURES.items():
        frame = read_back(frames[name].replace("FIRST", label), tmp_path)
        assert label in set(frame["system"])
        figures.save(module.draw, frame, tmp_path / f"{name}.svg")


def test_a_figure_heeds_neither_the_users_style_nor_hash_order(frames, tmp_path):
    frames["samples"].to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "matplotlibrc").write_text("font.size: 20\nsvg.fonttype: none\naxes.grid: False\n")
    made = set()
    for number, extra in enumerate([{}, {"MATPLOTLIBRC": str(tmp_path), "PYTHONHASHSEED": "5"}]):
        spec = '{"benchmark": "jeebench", "figure": "samples"}'
        command = [
            "-m",
            "evaltrail.figures",
            "--spec",
            spec,
            "--table",
            "table.csv",
            "--figure",
            f"{number}.svg",
        ]
        subprocess.run([sys.executable, *command], cwd=tmp_path, check=True, env={**os.environ, **extra})
        made.add((tmp_path / f"{number}.svg").read_bytes())
    assert len(made) == 1


def test_every_figure_is_tested():
    modules = {path.stem for path in Path(jeebench_figures.__file__).parent.glob("*.py")} - {"__init__"}
    assert modules == set(FIGURES)
