"""DROP's tables, each against values worked out by hand."""

import csv
import json
import math
from pathlib import Path

import pytest

from evaltrail import jsonl
from evaltrail.benchmarks.drop import leaderboard
from evaltrail.benchmarks.drop.replies import shown
from evaltrail.benchmarks.drop.score import groups_of, parts, score
from evaltrail.benchmarks.drop.tables import (
    averages,
    by_length,
    by_type,
    correlation,
    distribution,
    failures,
    rerun,
    stop_effect,
    table,
)
from evaltrail.cut import cut
from evaltrail.errors import InputError
from evaltrail.predict import predictions
from evaltrail.records import Generation, Instance, Prompt
from evaltrail.score import metrics
from evaltrail.tables import TableRow

CENSUS = "10\n\nPassage: The 2011 census recorded a population of 1,001,360"
WHOLE = {"spans": "whole", "extraction": {"without": []}}


def instance(number: int, gold, type: str = "number") -> Instance:
    golds = (gold,) if isinstance(gold, str) else tuple(gold)
    return Instance(f"q{number}", "", type, "How many?", golds, {"passage": "", "passage_id": ""})


def system(
    folder: Path, instances: list[Instance], texts: list[str | None], *, stop=None, finish="stop", **settings
) -> TableRow:
    """A system's files as the steps make them of these replies."""
    from evaltrail.benchmarks.drop import predict

    folder.mkdir(parents=True)
    asked = [one.id for one in instances]
    replies = [
        Generation(id, 0, text, finish, None, None, None) for id, text in zip(asked, texts, strict=True)
    ]
    completions = [cut(reply, [stop] if stop else []) for reply in replies]
    by_id = {one.id: one for one in instances}
    found = list(predictions(by_id, completions, {}, predict, WHOLE["extraction"]))
    scores = [score(by_id[row.instance], [row.prediction], {"spans": "whole"}) for row in found]
    rows = {
        "prompts.jsonl": [Prompt(id, "x" * 400) for id in asked],
        "generations.jsonl": replies,
        "completions.jsonl": completions,
        "scores.jsonl": scores,
    }
    for name, content in rows.items():
        jsonl.write(folder / name, content)
    jsonl.write_document(folder / "metrics.json", metrics(by_id, scores, groups_of))
    files = {name: str(folder / name) for name in (*rows, "metrics.json")}
    return TableRow(
        folder.name, folder.name.upper(), {**WHOLE, "stop": stop, "generation": {}, **settings}, files
    )


# What the deep dive shows: a right number that official scores lose to what the model went on to write.
CENSUS_CASES = [
    # (cut at, normaliser, EM, F1)
    (None, "official", 0.0, 0.0),
    (None, "whitespace", 0.0, 0.22),
    (None, "exact", 0.0, 0.22),
    ("\n", "official", 1.0, 1.0),
    ("\n", "whitespace", 1.0, 1.0),
    ("\n", "exact", 1.0, 1.0),
    (".", "official", 0.0, 0.0),  # no point comes
    (".", "whitespace", 0.0, 0.22),
    (["\n", "."], "official", 1.0, 1.0),
    (" ", "official", 0.0, 0.0),  # "10\n\nPassage:" is one word
    (" ", "whitespace", 0.0, 0.67),
]


@pytest.mark.parametrize(("stop", "normaliser", "exact_match", "f1"), CENSUS_CASES)
def test_the_census_example(stop, normaliser, exact_match, f1):
    stops = [stop] if isinstance(stop, str) else stop or []
    text = cut(Generation("q", 0, CENSUS, "length", None, None, None), stops).text
    found = parts(text, ("10",), "whole")
    assert (found[f"{normaliser}_EM"], found[f"{normaliser}_F1"]) == (exact_match, f1)


def test_several_samples_count_by_their_mean():
    found = score(instance(1, "10"), ["10", "11", None], {"spans": "whole"})
    assert (found.prediction, found.score) == ("10", 1 / 3)
    assert found.parts["exact_EM"] == 1 / 3


def test_a_reply_is_split_into_spans_only_where_asked():
    golds = (("Anna", "Bert"),)
    assert parts("Anna and Bert", golds, "whole")["official_EM"] == 0
    assert parts("Anna and Bert", golds, "split")["official_EM"] == 1


def test_table_has_each_normaliser_beside_the_others(tmp_path):
    asked = [instance(1, "10"), instance(2, "12.5"), instance(3, "Anna", "span")]
    row = system(tmp_path / "a", asked, [CENSUS, "12.5.", " "], stop=None)
    assert table.table(asked, [row]).to_csv(index=False, float_format="%.3f") == (
        "system,stop,normaliser,EM,F1,instances,none\n"
        "A,none,official,0.000,0.000,3,1\n"  # 12.5. is read as 125
        "A,none,whitespace,0.000,0.073,3,1\n"
        "A,none,exact,0.333,0.407,3,1\n"
    )


@pytest.mark.parametrize(
    ("stop", "cell"),
    [
        (None, "none"),
        ([], "none"),
        (".", "."),
        ("\n", "\\n"),
        ("问", "问"),
        (["\n", "."], '["\\n", "."]'),
        ("none", '"none"'),
        (" ", '" "'),
        ("\u2028", "\\u2028"),
    ],
)
def test_a_stop_in_a_cell(stop, cell):
    assert shown(stop) == cell


def test_by_type_has_the_types_that_occur_and_intervals_around_the_mean(tmp_path):
    asked = [instance(1, "10"), instance(2, "11"), instance(3, "Anna", "span")]
    found = by_type.table(asked, [system(tmp_path / "a", asked, ["10", "12", "Anna"])])
    assert found[["type", "normaliser"]].drop_duplicates().shape[0] == 9
    assert found["type"].unique().tolist() == ["number", "span", "Total"]
    number = found[(found["type"] == "number") & (found["normaliser"] == "official")].iloc[0]
    assert (number["instances"], number["EM"], number["EM_low"], number["EM_high"]) == (2, 0.5, 0.0, 1.0)


def test_stop_effect_compares_the_same_replies_cut_at_two_stops(tmp_path):
    asked = [instance(1, "12.25"), instance(2, "7"), instance(3, "Anna", "span"), instance(4, "1")]
    texts = ["12.25", "7\n\nPassage: the 2011 census", "Anna. Then\n", "no idea"]
    row = system(tmp_path / "a", asked, texts)
    found = stop_effect.table(asked, [row], stops=[".", "\n"])
    official = found[found["normaliser"] == "official"].set_index("effect")
    assert official["instances"].to_dict() == {"gained": 2, "lost": 1, "unchanged": 1}
    assert official.loc["gained", ["EM_before", "EM_after", "F1_before", "F1_after"]].tolist() == [0, 1, 0, 1]
    assert official.loc["lost", ["F1_before", "F1_after"]].tolist() == [1.0, 0.67]  # {anna} and {anna, then}
    assert official.loc["gained", "examples"] == (
        "q1: '12' -> '12.25'; q2: '7\\n\\nPassage: the 2011 census' -> '7'"
    )
    assert (official.loc["gained", "before"], official.loc["gained", "after"]) == (".", "\\n")


# (gold, type, reply, cut at, finish, class; None: it matches)
FAILURES = [
    ("12.25", "number", "12.25 percent", ".", "stop", "decimal gold cut at its point"),
    ("$3.50", "span", "it cost $3.50", ".", "stop", "decimal gold cut at its point"),
    ("12.25", "number", "13.25", ".", "stop", "ends in a number that may be cut"),
    ("12.25", "number", "13.", ".", "stop", "ends in a number that may be cut"),
    ("12.25", "number", "12.25", None, "stop", None),
    ("10", "number", CENSUS, None, "stop", "right number spoiled by white space"),
    ("10", "number", "10\tpeople", None, "stop", "right number spoiled by white space"),
    ("11", "number", CENSUS, None, "stop", "other"),
    ("Anna", "span", "Anna\n\nPassage: x y", None, "stop", "right answer then chatter"),
    ("Anna", "span", "Anna. She won", None, "stop", "right answer then chatter"),
    ("Anna", "span", "Anna, who won", None, "stop", "right answer then chatter"),
    ("Anna", "span", "Bert. Anna won", None, "stop", "other"),
    ("12", "number", "11", None, "length", "ends in a number that may be cut"),
    ("12", "number", "11", None, "stop", "other"),
    ("12", "number", "11\n", "\n", "stop", "other"),
    ("12", "number", "11. So", ".", "stop", "other"),
    ("12", "number", "12 yards", None, "stop", "right answer then chatter"),
    ("Anna", "span", "Anna Bertha", None, "stop", "other"),
    ("12", "number", "", None, "stop", "empty"),
    ("12", "number", " \n", "\n", "stop", "empty"),
    ("12", "number", None, None, "content_filter", "empty"),
    ("the", "span", "", None, "stop", None),  # both are no word, so official scripts count it
]


@pytest.mark.parametrize(("gold", "type", "reply", "stop", "finish", "expected"), FAILURES)
def test_why_an_answer_does_not_match(tmp_path, gold, type, reply, stop, finish, expected):
    asked = [instance(1, gold, type)]
    found = failures.table(asked, [system(tmp_path / "a", asked, [reply], stop=stop, finish=finish)])
    assert found["class"].tolist() == list(failures.CLASSES)
    assert found[found["instances"] == 1]["class"].tolist() == ([expected] if expected else [])
    assert found["ids"].tolist() == ["q1" if name == expected else "" for name in failures.CLASSES]


def test_a_reply_of_a_million_characters_is_sorted_in_no_time(tmp_path):
    """What is tried ends once it has more words than the golds: all beginnings would take hours."""
    asked = [instance(1, "Anna", "span")]
    found = failures.table(asked, [system(tmp_path / "a", asked, ["Bert won. " * 100_000])])
    assert found[found["instances"] == 1]["class"].tolist() == ["other"]


def test_of_several_samples_the_first_is_sorted(tmp_path):
    asked = [instance(1, "7")]
    row = system(tmp_path / "a", asked, ["7"])
    more = [Generation("q1", sample, text, "length", None, None, None) for sample, text in enumerate("788")]
    jsonl.write(row.files["generations.jsonl"], more)
    jsonl.write(row.files["completions.jsonl"], [cut(one, []) for one in more])
    assert failures.table(asked, [row])["instances"].sum() == 0


def test_a_stop_that_was_sent_may_have_cut_a_number(tmp_path):
    asked = [instance(1, "12.25"), instance(2, "13"), instance(3, "14")]
    row = system(tmp_path / "a", asked, ["12", "12", "x"], finish=None, generation={"stop": ["."]})
    found = failures.table(asked, [row]).set_index("class")["ids"]
    assert found["decimal gold cut at its point"] == "q1"
    assert found["ends in a number that may be cut"] == "q2"
    assert found["other"] == "q3"


@pytest.mark.parametrize(
    ("length", "name"),
    [(0, "0"), (1, "1 to 5"), (5, "1 to 5"), (6, "6 to 10"), (500, "201 to 500"), (501, "over 500")],
)
def test_lengths_fall_into_bins(length, name):
    assert by_length.name_of(by_length.bin_of(length)) == name


def test_by_length_takes_the_raw_reply_and_the_score_of_its_cut(tmp_path):
    asked = [instance(1, "10"), instance(2, "Anna", "span")]
    row = system(tmp_path / "a", asked, [CENSUS, "Anna"], stop="\n")
    assert by_length.table(asked, [row]).to_csv(index=False) == (
        "system,type,length,instances,EM,F1\n"
        "A,number,51 to 100,1,1.0,1.0\n"
        "A,span,1 to 5,1,1.0,1.0\n"
        "A,Total,1 to 5,1,1.0,1.0\n"
        "A,Total,51 to 100,1,1.0,1.0\n"
    )


@pytest.mark.parametrize(
    ("f1", "tenth"),
    [
        (0.0, 0),
        (0.01, 1),
        (0.1, 1),
        (0.11, 2),
        (0.29, 3),
        (0.3, 3),
        (0.57, 6),
        (0.7, 7),
        (0.99, 10),
        (1.0, 10),
    ],
)
def test_f1_falls_into_tenths(f1, tenth):
    assert distribution.tenth(f1) == tenth


def test_the_distribution_counts_every_reply_once(tmp_path):
    asked = [instance(1, "10"), instance(2, "Anna", "span")]
    found = distribution.table(
        asked, [system(tmp_path / "a", asked, [CENSUS, "Anna Bertha"])], stops=[".", "\n"]
    )
    assert found.groupby(["stop", "normaliser"])["share"].sum().tolist() == [1.0] * 6
    own = found[(found["stop"] == "\\n") & (found["normaliser"] == "official") & (found["instances"] > 0)]
    assert own[["F1", "instances"]].values.tolist() == [["0.7", 1], ["1.0", 1]]


# (what was sent, the reply, its finish, the new stop, whether the reply answers)
ANSWERS = [
    (["\n\n"], "12", "stop", "\n", True),
    (["\n\n", "."], "12", "stop", "\n", False),
    (["12."], "x", None, ".", True),
    (["."], "12", "stop", "\n", False),
    (["."], "12\n", "stop", "\n", True),
    (["."], "12", "length", "\n", True),
    (["."], "12", None, "\n", False),
    ([], "12", "stop", "\n", True),
    ([], "12", None, "\n", False),
    ([], "12.5", None, ".", True),
    (["\n"], None, "content_filter", ".", False),
]


@pytest.mark.parametrize(("sent", "text", "finish", "stop", "expected"), ANSWERS)
def test_when_a_kept_reply_answers_another_stop(sent, text, finish, stop, expected):
    assert rerun.answers(Generation("q", 0, text, finish, None, None, None), stop, sent) is expected


def test_rerun_counts_what_is_asked_again_and_what_it_takes(tmp_path):
    asked = [instance(1, "12.25"), instance(2, "7"), instance(3, "8"), instance(4, "9")]
    texts = ["12", "7\n", "8", "9\nx"]
    settings = {"generation": {"stop": ".", "max_tokens": 32}, "client": "recorded"}
    row = system(tmp_path / "a", asked, texts, **settings)
    (line,) = rerun.table(asked, [row], stops=[".", "\n"], tokens_per_gpu_second=2).to_dict("records")
    assert line == {
        "system": "A",
        "sent": ".",
        "new": "\\n",
        "records": 4,
        "answered": 2,
        "asked": 2,
        "share": 0.5,
        "decimal_golds": 1,
        "number_ends": 1,
        # two prompts of 400 characters, at four bytes a token, and 32 tokens each
        "tokens": 2 * (400 // 4 + 32),
        "gpu_hours": 2 * (400 // 4 + 32) / 2 / 3600,
        "tokens_per_gpu_second": 2,
    }


def test_random_answers_are_asked_of_nobody(tmp_path):
    asked = [instance(1, "7")]
    row = system(tmp_path / "a", asked, ["7"], generation={}, client="random")
    assert rerun.table(asked, [row], stops=[".", "\n"], tokens_per_gpu_second=1).empty


@pytest.fixture
def ranked(tmp_path):
    """Three systems that answer 1, 2 and 3 of 3 right when cut at the line, and none at the point."""
    asked = [instance(number, f"{number}.5") for number in (1, 2, 3)]
    right = ["1.5\n", "2.5\n", "3.5\n"]
    rows = [
        system(tmp_path / name, asked, right[:count] + ["0\n"] * (3 - count))
        for count, name in enumerate("abc", start=1)
    ]
    return asked, rows, tmp_path / "leaderboard.csv"


def with_leaderboard(rows: list[TableRow], path: Path, lines: list[str]) -> list[TableRow]:
    path.write_text("\n".join(["system,average", *lines]) + "\n")
    return [row._replace(files={**row.files, "leaderboard.csv": str(path)}) for row in rows]


def test_correlation_before_and_after(ranked):
    asked, rows, path = ranked
    rows = with_leaderboard(rows, path, ["c,70", "a,40", "b,60"])
    found = correlation.table(asked, rows, stops=[".", "\n"])
    before, after = found[found["normaliser"] == "official"].to_dict("records")
    # at the point all F1 are 0; at the line 1/3, 2/3, 1 against 40, 60, 70: 15 / sqrt(15^2 + 15^2 / 27)
    assert (before["systems"], before["pearson"], before["spearman"]) == (3, None, None) or all(
        map(math.isnan, (before["pearson"], before["spearman"]))
    )
    assert after["pearson"] == pytest.approx(math.sqrt(27 / 28), abs=1e-12)
    assert after["spearman"] == pytest.approx(1.0)
    points = averages.table(asked, rows, stops=[".", "\n"])
    assert points["system"].unique().tolist() == ["A", "B", "C"]
    assert points["average"].unique().tolist() == ["40.0", "60.0", "70.0"]


def test_spearman_shares_ranks_among_equals(ranked):
    asked, rows, path = ranked
    found = correlation.table(asked, with_leaderboard(rows, path, ["a,1", "b,1", "c,5"]), stops=["\n", "."])
    # ranks 1.5, 1.5, 3 against 1, 2, 3
    assert found.iloc[0]["spearman"] == pytest.approx(math.sqrt(3) / 2, abs=1e-12)


BAD_LEADERBOARDS = [
    (["a,forty"], "row 2: field average: 'forty' is no number"),
    (["a,nan"], "row 2: field average: 'nan' is no number"),
    (["a,1", "x,2"], "row 3: field system: is 'x'"),
    (["a,1", "a,2"], "row 3: field system: stands twice"),
    (["a"], "row 2: has 1 cells instead of 2"),
]


@pytest.mark.parametrize(("lines", "message"), BAD_LEADERBOARDS)
def test_a_bad_leaderboard_is_refused(ranked, lines, message):
    _, rows, path = ranked
    with pytest.raises(InputError) as error:
        leaderboard.averages(with_leaderboard(rows, path, lines))
    assert message in str(error.value)


def test_the_figures_draw_what_the_tables_hold_and_say_when_there_is_nothing(tmp_path):
    from evaltrail import figures, steps

    for name in ("by_length", "distribution", "averages"):
        columns = steps.plugin("drop", f"tables.{name}").COLUMNS
        empty = tmp_path / "empty.csv"
        with open(empty, "w", newline="") as file:
            csv.writer(file).writerow(columns)
        draw = steps.plugin("drop", f"figures.{name}").draw
        figures.save(draw, figures.read_table(empty), tmp_path / f"{name}.svg")
        assert "<svg" in (tmp_path / f"{name}.svg").read_text()


def test_the_plots_that_dvc_draws_name_columns_of_their_tables():
    from evaltrail.facts import benchmark_facts
    from evaltrail.steps import plugin

    for name, facts in benchmark_facts("drop")["tables"].items():
        axes = [axis for axis in (facts.get("plot", {}).get("x"), facts.get("plot", {}).get("y")) if axis]
        assert set(axes) <= set(plugin("drop", f"tables.{name}").COLUMNS), json.dumps(facts)
