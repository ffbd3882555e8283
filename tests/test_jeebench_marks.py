"""Exam marks and thresholds: the scheme, the published systems, and replies whose right thresholds follow on paper.

The generator (jeebench_replies.py) makes 8 single-correct problems at each level k of 1 to 8: k of the 8 samples name one
option, which is right in r(k) of the 8 problems. Answered, they earn 3 r(k) - (8 - r(k)) = 4 r(k) - 8 marks:

    level k           1   2   3   4   5   6   7   8   best tau                                       marks there
    calibrated       -4   0   4   8  12  16  20  24   2/8 (3/8 earns as much; the lowest wins)       105 - 21 = 84
    over-confident   -8  -8  -8  -8  -4   0   4   8   6/8 (7/8 earns as much)                        27 - 15 = 12
    adversarial      20  16  12   8   4   0  -4  -8   1/8: sure where it is wrong, so none helps     84 - 36 = 48
    hopeless         -8  -8  -8  -8  -8  -8  -8  -8   none: not answering at all                     0

With several right options (calibrated): one is in all samples and right, a second is in k of 8 and right in k of 8
problems. With it the 8 problems earn 4 k - 2 (8 - k) = 6 k - 16, without it 4 (8 - k) + k = 32 - 3 k. So it pays from k = 6
on: tau = 6/8. That earns 29 + 26 + 23 + 20 + 17 for k of 1 to 5 and 20 + 26 for 6 and 7, 161 in all, of which
2 x (2 + 1) = 6 are lost; at tau = 1/2, the usual vote, it is 29 + 26 + 23 + 8 + 14 + 20 + 26 = 146.
"""

import random
from fractions import Fraction

import pytest

from evaltrail import jsonl, tune
from evaltrail.benchmarks.jeebench import extract, marks
from evaltrail.benchmarks.jeebench import tune as tuner
from evaltrail.benchmarks.jeebench.answers import read_recorded
from evaltrail.benchmarks.jeebench.marks import Answered, Tally
from evaltrail.benchmarks.jeebench.score import aggregate, score
from evaltrail.errors import InputError
from jeebench_replies import multiple, numbers, problem, single, write

MARKS = [
    # type, gold, answer, marks
    ("MCQ", "A", "A", 3),
    ("MCQ", "A", "B", -1),
    ("MCQ", "A", "AC", -1),  # two letters were read: an answer, and a wrong one
    ("MCQ", "A", None, 0),
    ("MCQ", "A", "", 0),
    ("MCQ(multiple)", "ABD", "ABD", 4),
    ("MCQ(multiple)", "ABD", "AB", 2),
    ("MCQ(multiple)", "ABD", "D", 1),
    ("MCQ(multiple)", "ABCD", "ABC", 3),
    ("MCQ(multiple)", "ABD", "ABCD", -2),
    ("MCQ(multiple)", "ABD", "C", -2),
    ("MCQ(multiple)", "ABD", None, 0),
    ("MCQ(multiple)", "C", "C", 4),
    ("Integer", "4", "4.0", 4),
    ("Integer", "4", "5", 0),
    ("Integer", "4", None, 0),
    ("Numeric", "0.13", "0.13", 3),
    ("Numeric", "0.13", "0.2", 0),
]


@pytest.mark.parametrize(("type", "gold", "answer", "expected"), MARKS)
def test_marks(type, gold, answer, expected):
    assert marks.marks(type, gold, answer) == expected


def test_numbers_are_right_by_the_tolerance_of_the_dataset():
    assert marks.marks("Numeric", "0.63", "0.62", "paper") == 0
    assert marks.marks("Numeric", "0.63", "0.62", "exact") == 3


@pytest.mark.parametrize(
    ("type", "reading", "expected"),
    [
        ("MCQ", "N/A", 0),
        ("MCQ", "5", 0),
        ("MCQ", "AC", -1),
        ("MCQ", "", 0),
        ("MCQ(multiple)", "5", 0),
        ("MCQ(multiple)", "D A", 2),
        ("MCQ(multiple)", "DA", 2),
        ("Integer", "N/A", 0),
        ("Integer", "1/2", 0),
        ("Numeric", "1/2", 3),
        ("Numeric", "NaN", 0),
    ],
)
def test_readings_of_all_kinds_have_marks(type, reading, expected):
    gold = {"MCQ": "A", "MCQ(multiple)": "ABD", "Integer": "4", "Numeric": "0.5"}[type]
    assert marks.marks(type, gold, read_recorded(type, reading)) == expected


def test_confidence_counts_all_samples():
    # The paper's example: A 1/2, B 1/2, C 1/4, D 0
    assert marks.option_counts(("AB", None, "B", "AC")) == {"A": 2, "B": 2, "C": 1, "D": 0}


@pytest.mark.parametrize(
    ("type", "answers", "least", "expected"),
    [
        ("MCQ", ("A", "A", None, "B"), 2, "A"),
        ("MCQ", ("A", "A", None, "B"), 3, None),
        ("MCQ", ("B", "A", None, None), 1, "B"),  # a tie goes to the one given first
        ("MCQ", ("A", "AC", "AC", None), 2, "AC"),
        ("MCQ", (None, None), 1, None),
        ("MCQ(multiple)", ("AB", None, "B", "AC"), 1, "ABC"),
        ("MCQ(multiple)", ("AB", None, "B", "AC"), 2, "AB"),
        ("MCQ(multiple)", ("AB", None, "B", "AC"), 3, None),
        ("MCQ(multiple)", (None, None), 1, None),
    ],
)
def test_an_answer_under_a_threshold(type, answers, least, expected):
    prediction = aggregate(type, list(answers))
    assert marks.answer_under(type, prediction, answers, least) == expected


@pytest.mark.parametrize("type", marks.MCQS)
def test_the_lowest_threshold_and_a_half_are_the_usual_vote(type):
    rng = random.Random(4)
    options = ["A", "B", "C", "D", None] + ([] if type == "MCQ" else ["AB", "ACD", "ABCD"])
    for _ in range(300):
        answers = tuple(rng.choices(options, k=rng.randint(1, 9)))
        prediction = aggregate(type, list(answers))
        least = 1 if type == "MCQ" else -(-len(answers) // 2)
        assert marks.answer_under(type, prediction, answers, least) == prediction


KINDS = {
    # tau x 8, positive and negative there, and without thresholds
    "calibrated": (2, Tally(105, -21), Tally(108, -28)),
    "over-confident": (6, Tally(27, -15), Tally(30, -54)),
    "adversarial": (1, Tally(84, -36), Tally(84, -36)),
    "hopeless": (9, Tally(0, 0), Tally(0, -64)),
}


def sums(tally: Tally) -> dict:
    return {"positive": tally.positive, "negative": tally.negative, "total": tally.total}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", KINDS)
def test_thresholds_of_known_confidence(kind, seed, tmp_path):
    rng = random.Random(seed)
    made = single(kind, "validation", rng) + multiple("validation", rng)
    made += single("calibrated", "test", rng) + multiple("test", rng)
    rng.shuffle(made)
    found = tuner.tune(*write(tmp_path, made))
    count, there, without = KINDS[kind]
    assert found["samples"] == 8
    one = found["types"]["MCQ"]
    assert (one["count"], one["tau"], one["abstains"]) == (count, count / 8, kind == "hopeless")
    assert [point["count"] for point in one["curve"]["validation"]] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert one["curve"]["validation"][count - 1] == {"count": count, "tau": count / 8, **sums(there)}
    several = found["types"]["MCQ(multiple)"]
    assert (several["count"], several["tau"], several["abstains"]) == (6, 0.75, False)
    assert several["curve"]["validation"][5] == {"count": 6, "tau": 0.75, **sums(Tally(167, -6))}

    # Several right options at 1/2: 4 k - 2 (8 - k) for k of 4 to 7 loses 2 x (4 + 3 + 2 + 1) = 20
    usual = Tally(166, -20)
    both = Tally(without.positive + usual.positive, without.negative + usual.negative)
    assert found["marks"]["validation"]["without"] == sums(both)
    assert found["marks"]["validation"]["with"] == sums(Tally(there.positive + 167, there.negative - 6))
    assert found["marks"]["validation"]["maximum"] == 64 * 3 + 56 * 4

    # The test part is calibrated: from level `count` on it earns the sum of 3 k and loses the sum of 8 - k.
    kept = range(count, 9)
    test = Tally(sum(3 * k for k in kept), -sum(8 - k for k in kept))
    assert found["marks"]["test"]["without"] == sums(Tally(108 + 166, -28 - 20))
    assert found["marks"]["test"]["with"] == sums(Tally(test.positive + 167, test.negative - 6))


@pytest.mark.parametrize(
    ("samples", "named", "right", "count"),
    [
        (3, 1, True, 1),
        (3, 1, False, 4),
        (7, 3, True, 3),  # 3/7 has no float
        (49, 1, True, 1),  # 49 x (1 / 49) < 1 in floats
        (1, 1, True, 1),
        (1, 1, False, 2),
    ],
)
def test_the_threshold_is_a_confidence_that_was_seen_or_above_all(samples, named, right, count, tmp_path):
    answers = ["B"] * named + [None] * (samples - named)
    made = [problem("MCQ", "B" if right else "A", answers, year=year) for year in (2016, 2023)]
    found = tuner.tune(*write(tmp_path, made))["types"]["MCQ"]
    assert [point["count"] for point in found["curve"]["validation"]] == [named, samples + 1]
    assert (found["count"], found["abstains"]) == (count, not right)
    assert Fraction(found["tau"]).limit_denominator(1000) == Fraction(count, samples)


def test_years_outside_both_parts_do_not_count(tmp_path):
    made = [problem("MCQ", "A", ["A"], year=year) for year in (2015, 2016, 2021, 2022, 2023, 2024)]
    found = tuner.tune(*write(tmp_path, made))
    assert [found["marks"][part]["instances"] for part in ("validation", "test")] == [2, 2]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ([problem("MCQ", "A", ["A"], year=2020)], "no multiple-choice problem of 2022-2023, the test years"),
        (
            [problem("MCQ", "A", ["A"], year=2022)],
            "no multiple-choice problem of 2016-2021, the validation years",
        ),
        (numbers(3, 1, 1, "Integer", 2016), "no multiple-choice problem of 2016-2021"),
        ([], "no multiple-choice problem of 2016-2021"),
        (
            [problem("MCQ", "A", ["A"], year=2020), problem("MCQ(multiple)", "A", ["A"], year=2023)],
            "has MCQ(multiple) problems in the test years and none in the validation years",
        ),
        (
            [problem("MCQ", "A", ["A"], year=2020), problem("MCQ", "A", ["A", "B"], year=2023)],
            "row #1: field answers: has 2 answers where the first row has 1",
        ),
    ],
)
def test_too_little_to_tune_on_is_one_line(made, message, tmp_path):
    instances, path = write(tmp_path, made)
    with pytest.raises(InputError) as error:
        tuner.tune(instances, path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)


def test_a_score_of_another_dataset_is_one_line(tmp_path):
    _, path = write(tmp_path, [problem("MCQ", "A", ["A"])])
    with pytest.raises(
        InputError, match="row #0: is no instance of the dataset; remove the file and run again"
    ):
        marks.answered([], path)


def test_the_step_writes_the_same_bytes_twice(tmp_path):
    rng = random.Random(0)
    instances, scores = write(
        tmp_path, [*single("calibrated", "validation", rng), *single("calibrated", "test", rng)]
    )
    jsonl.write(tmp_path / "instances.jsonl", instances)
    written = []
    for name in ("one.json", "two.json"):
        paths = [
            "--instances",
            f"{tmp_path}/instances.jsonl",
            "--scores",
            scores,
            "--thresholds",
            f"{tmp_path}/{name}",
        ]
        tune.main(["--spec", '{"benchmark": "jeebench"}', *paths])
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]
    assert tuner.least_of(jsonl.read_document(tmp_path / "one.json")) == {"MCQ": 2}


PUBLISHED = {
    # marks won and lost on multiple-choice problems: all, test years, 2023
    "GPT4_normal": [Tally(435, -204), Tally(97, -54), Tally(38, -30)],
    "GPT3.5_normal": [Tally(290, -273), Tally(67, -65), Tally(22, -33)],
    "GPT3_normal": [Tally(195, -331), Tally(69, -71), Tally(43, -27)],
}


@pytest.mark.parametrize("system", PUBLISHED)
def test_marks_of_the_published_replies(mirror, system):
    data = mirror / "jeebench/data"
    instances = {instance.id: instance for instance in extract.load(data / "dataset.json")}
    replies = jsonl.read_document(data / f"responses/{system}_responses/responses.json")
    spec = {"answers": "recorded", "tolerance": "paper", "compat": "paper", "tau": 0.5}
    rows = []
    for reply in replies:
        instance = instances[extract.instance_id(reply["description"], reply["index"])]
        rows.append(Answered(instance, score(instance, [reply["extract"]], spec)))
    found = [marks.tally(marks.mcqs(rows, years)) for years in (None, range(2022, 2024), [2023])]
    assert found == PUBLISHED[system]


def test_maximum_marks_of_the_published_problems(mirror):
    instances = list(extract.load(mirror / "jeebench/data/dataset.json"))
    mcqs = [instance for instance in instances if instance.type in marks.MCQS]
    assert marks.maximum(mcqs) == 1074
    assert marks.maximum(one for one in mcqs if one.extra["year"] in tuner.PARTS["test"]) == 264
    assert marks.maximum(one for one in instances if one.extra["year"] == 2023) == 229
