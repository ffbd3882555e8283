"""Recorded replies to DROP: which instance each belongs to, what is read in it, and one line for each bad file."""

import gzip
import json
import random
import re
import sys

import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from conftest import REPO
from evaltrail.benchmarks.drop import extract, generate, predict, random_answers, score
from evaltrail.errors import InputError
from evaltrail.generate import drawn
from evaltrail.records import Completion, Generation, Instance

# The prompts as they are rendered. Two instances have one prompt, and the last one ends as the first does.
SHIPS = "Passage: Seven ships left.\nQuestion: How many?\nAnswer:"
FLAG = "Passage: The flag is red.\nQuestion: Which colour?\nAnswer:"
PROMPTS = {"ships": SHIPS, "flag": FLAG, "again": FLAG, "longer": f"Passage: None.\n{SHIPS}"}
EXAMPLES = "Passage: It fell.\nQuestion: What fell?\nAnswer: It\n\nPassage: A town.\nQuestion: What is it?\nAnswer: town\n\n"


def sample(prompt, *replies, form="list", requests=1, **doc):
    """A line of `lm-eval --log_samples`: the replies of all `requests` to a question."""
    settings = {"until": ["."]}
    arguments = (
        {"gen_args_0": {"arg_0": prompt, "arg_1": settings}} if form == "object" else [[prompt, settings]]
    )
    resps = [list(replies[n::requests]) for n in range(requests)]
    return {"doc_id": 0, "doc": doc, "arguments": arguments, "resps": resps, "filtered_resps": list(replies)}


ALL = [
    sample(SHIPS, "7", query_id="ships"),
    sample(FLAG, "red", query_id="flag"),
    sample(FLAG, "green", query_id="again"),
    sample(PROMPTS["longer"], "8", query_id="longer"),
]
TEXTS = [("ships", 0, "7"), ("flag", 0, "red"), ("again", 0, "green"), ("longer", 0, "8")]


def lm_eval(folder, samples):
    """A file of these samples, each an object or the bytes of a line."""
    path = folder / "samples_drop.jsonl"
    lines = (row if isinstance(row, bytes) else json.dumps(row).encode() for row in samples)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def details(folder, **columns):
    path = folder / "details.parquet"
    parquet.write_table(pyarrow.table(columns), path)
    return path


def read(path, prompts=PROMPTS, present=False):
    return list(generate.recorded(path, path.name, {}, prompts, present))


def texts(path, **settings):
    return [(row.instance, row.sample, row.text) for row in read(path, **settings)]


# --- lm-evaluation-harness' samples ---


@pytest.mark.parametrize("form", ["list", "object"])
@pytest.mark.parametrize("key", ["query_id", "id"])
def test_a_sample_is_read_in_both_forms_of_its_arguments(tmp_path, form, key):
    samples = [
        sample(prompt, f"reply to {id}", form=form, **{key: id}) for id, prompt in reversed(PROMPTS.items())
    ]
    assert read(lm_eval(tmp_path, samples)) == [
        Generation(id, 0, f"reply to {id}", finish=None, model=None, usage=None, recorded_answer=None)
        for id in PROMPTS
    ]


@pytest.mark.parametrize(("requests", "replies"), [(1, "abc"), (3, "abc"), (2, "acb")])
def test_several_replies_are_samples_in_their_order(tmp_path, requests, replies):
    path = lm_eval(tmp_path, [sample(SHIPS, *"abc", requests=requests)])
    assert texts(path, present=True) == [("ships", n, reply) for n, reply in enumerate(replies)]


def test_a_reply_is_untouched(tmp_path):
    reply = " \u2028７\ud83d\r\n\nPassage:\x00 "
    assert texts(lm_eval(tmp_path, [sample(SHIPS, reply), sample(FLAG, "")]), present=True) == [
        ("ships", 0, reply),
        ("flag", 0, ""),
    ]


# (the recorded prompt, the instance that it belongs to)
ENDS = [
    (SHIPS, "ships"),
    (EXAMPLES + SHIPS, "ships"),
    (EXAMPLES + FLAG, "flag"),
    (f"  \n{SHIPS} \n", "ships"),
    (EXAMPLES + PROMPTS["longer"], "longer"),
    (PROMPTS["longer"][1:], "ships"),
    (f"{FLAG} red\n\n{SHIPS}", "ships"),
]


@pytest.mark.parametrize(("prompt", "id"), ENDS)
@pytest.mark.parametrize("doc", [{}, {"id": "unknown"}, {"query_id": None, "id": 7}, {"query_id": ""}])
def test_a_sample_without_a_known_id_belongs_to_the_longest_prompt_that_ends_its_own(
    tmp_path, prompt, id, doc
):
    assert texts(lm_eval(tmp_path, [sample(prompt, "7", **doc)]), present=True) == [(id, 0, "7")]


def test_a_sample_without_a_doc_belongs_to_the_prompt_that_ends_its_own(tmp_path):
    row = {name: value for name, value in sample(SHIPS, "7").items() if name != "doc"}
    assert texts(lm_eval(tmp_path, [row, {**sample(FLAG, "red"), "doc": None}]), present=True) == [
        ("ships", 0, "7"),
        ("flag", 0, "red"),
    ]


def test_an_id_goes_before_the_prompt_with_examples_of_any_kind_before_it(tmp_path):
    path = lm_eval(tmp_path, [sample(f"{EXAMPLES}{FLAG} ", "green", query_id="again")])
    assert texts(path, present=True) == [("again", 0, "green")]
    path = lm_eval(tmp_path, [sample(PROMPTS["longer"], "7", query_id="ships")])
    assert texts(path, present=True) == [("ships", 0, "7")]


def test_white_space_at_the_end_of_a_rendered_prompt_parts_nothing(tmp_path):
    path = lm_eval(tmp_path, [sample(SHIPS, "7"), sample(FLAG, "red", query_id="flag")])
    prompts = {"flag": f"{FLAG} \n", "ships": f"{SHIPS}  "}
    assert texts(path, prompts=prompts) == [("flag", 0, "red"), ("ships", 0, "7")]


@pytest.mark.parametrize("prompt", ["7", "How many? ", "", "\u2028"])
def test_a_short_prompt_is_found(tmp_path, prompt):
    path = lm_eval(tmp_path, [sample(FLAG, "red"), sample(prompt, "7")])
    assert texts(path, prompts={"short": prompt, "flag": FLAG}) == [("short", 0, "7"), ("flag", 0, "red")]


def test_samples_of_one_prompt_without_ids_come_one_after_the_other(tmp_path):
    path = lm_eval(tmp_path, [sample(FLAG, "red"), sample(SHIPS, "7"), sample(EXAMPLES + FLAG, "green")])
    assert texts(path, present=True) == TEXTS[:3]
    with pytest.raises(InputError) as error:
        read(lm_eval(tmp_path, [sample(FLAG, "red")] * 3), present=True)
    assert str(error.value) == f"{path}: row 3: is a second record of flag; remove one of the two"


@given(samples=st.permutations(ALL))
def test_the_order_of_the_file_changes_nothing(tmp_path_factory, samples):
    assert texts(lm_eval(tmp_path_factory.mktemp("samples"), samples)) == TEXTS


def test_a_missing_instance_is_refused_or_left_out(tmp_path):
    path = lm_eval(tmp_path, [ALL[0], ALL[2]])
    assert texts(path, present=True) == [TEXTS[0], TEXTS[2]]
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value) == (
        f"{path}: row flag: no reply to this instance (2 of 4 have none); complete the file or set `instances: present`"
    )


def test_a_file_without_any_reply_is_refused_even_where_some_may_lack(tmp_path):
    with pytest.raises(InputError, match=f"{tmp_path}/samples_drop.jsonl: "):
        read(lm_eval(tmp_path, []), present=True)


METHOD = "; check the system's dataset and method: "
NO_TEXT = "has no prompt or no reply that is a text; bring the file as it was written"
NO_SAMPLE = "is no sample of lm-eval: "
# (what is wrong, the second line, what is said of it)
BAD = [
    ("a prompt of no instance", sample("Passage: Another.\nQuestion: Who?\nAnswer:", "7"), f"ends with the prompt of no instance{METHOD}"),
    ("a prompt that goes on", sample(f"{FLAG} red\n\nPassage:", "7"), "ends with the prompt of no instance"),
    ("a prompt of another wording", sample(FLAG.replace("Answer:", "Reply:"), "7"), "ends with the prompt of no instance"),
    ("a part of a prompt", sample(FLAG[1:], "7"), "ends with the prompt of no instance"),
    ("a known id with another prompt", sample(FLAG, "7", query_id="longer"), f"was made from another prompt{METHOD}"),
    ("a known id with a part of its prompt", sample(SHIPS, "7", query_id="longer"), "was made from another prompt"),
    ("a second sample of an id", sample(SHIPS, "7", query_id="ships"), "is a second record of ships; remove one of the two"),
    ("a second sample of a prompt", sample(EXAMPLES + SHIPS, "8"), "is a second record of ships"),
    ("a line cut off", b'{"arguments": [["Pass', NO_SAMPLE),
    ("a blank line", b"", NO_SAMPLE),
    ("Latin-1", '{"doc": "\u00e9"}'.encode("latin-1"), NO_SAMPLE),
    ("a list", [], NO_SAMPLE),
    ("a number", 7, NO_SAMPLE),
    ("null", None, NO_SAMPLE),
    ("a doc that is a text", {**sample(FLAG, "7"), "doc": "flag"}, NO_SAMPLE),
    ("JSON nested too deeply", b"[" * 200_000, NO_SAMPLE),
    ("no arguments", {"resps": [["7"]]}, NO_SAMPLE),
    ("no argument", {**sample(FLAG, "7"), "arguments": []}, NO_SAMPLE),
    ("arguments of another request", {**sample(FLAG, "7"), "arguments": {"gen_args_1": {"arg_0": FLAG}}}, NO_SAMPLE),
    ("a prompt that is null", sample(None, "7"), NO_TEXT),
    ("a prompt that is a chat", sample([{"role": "user", "content": FLAG}], "7"), NO_TEXT),
    ("no resps", {"arguments": [[FLAG]]}, NO_SAMPLE),
    ("resps without a reply", {**sample(FLAG), "resps": [[]]}, NO_TEXT),
    ("resps without a request", {**sample(FLAG), "resps": []}, NO_TEXT),
    ("resps that are null", {**sample(FLAG), "resps": None}, NO_SAMPLE),
    ("resps that are a text", {**sample(FLAG), "resps": "red"}, ""),
    ("resps that are a list of texts", {**sample(FLAG), "resps": ["red"]}, ""),
    ("a reply that is null", sample(FLAG, None), NO_TEXT),
    ("a reply that is a number", sample(FLAG, 7), NO_TEXT),
    ("a second reply that is null", sample(FLAG, "7", None), NO_TEXT),
    ("a reply that is a pair", sample(FLAG, [-1.5, False]), NO_TEXT),
]  # fmt: skip


@pytest.mark.parametrize(("second", "said"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_a_bad_sample_gets_one_line(tmp_path, second, said):
    path = lm_eval(tmp_path, [ALL[0], second])
    with pytest.raises(InputError) as error:
        read(path, present=True)
    assert str(error.value).startswith(f"{path}: row 2: {said}")
    assert error.value.fix and "\n" not in str(error.value)


# --- a leaderboard's details ---


@pytest.mark.parametrize("prompt", ["full_prompt", "prompt", "input"])
@pytest.mark.parametrize("reply", ["predictions", "prediction", "full_generation", "generation"])
def test_details_are_read_whatever_their_version_calls_the_columns(tmp_path, prompt, reply):
    columns = {reply: ["red", "7"], "metrics": [0.5, 1.0], prompt: [EXAMPLES + FLAG, EXAMPLES + SHIPS]}
    assert read(details(tmp_path, **columns), present=True) == [
        Generation("ships", 0, "7", finish=None, model=None, usage=None, recorded_answer=None),
        Generation("flag", 0, "red", finish=None, model=None, usage=None, recorded_answer=None),
    ]


def test_a_list_of_predictions_is_one_sample_each(tmp_path):
    path = details(tmp_path, full_prompt=[SHIPS, FLAG, FLAG], predictions=[["7", "\n8 "], ["red"], [""]])
    assert texts(path, present=True) == [
        ("ships", 0, "7"),
        ("ships", 1, "\n8 "),
        ("flag", 0, "red"),
        ("again", 0, ""),
    ]


def test_a_model_that_said_nothing_replied_with_an_empty_text(tmp_path):
    path = details(tmp_path, full_prompt=[SHIPS, FLAG], predictions=[["7"], []])
    assert texts(path, present=True) == [("ships", 0, "7"), ("flag", 0, "")]


def test_the_example_column_holds_the_id(tmp_path):
    columns = {
        "example": ["again", "unknown"],
        "full_prompt": [FLAG, FLAG],
        "predictions": [["red"], ["blue"]],
    }
    assert texts(details(tmp_path, **columns), present=True) == [("flag", 0, "blue"), ("again", 0, "red")]


def test_what_lm_eval_ran_is_scored_as_lm_eval_scored_it(made_by_lm_eval):
    """Its own em and f1 stand in the file, record by record."""
    instances, rows = made_by_lm_eval
    for row in rows:
        own = score.parts(row["resps"][0][0], instances[row["doc"]["query_id"]].references, "whole")
        assert (own["official_EM"], own["official_F1"]) == (row["em"], row["f1"])
    assert len(rows) == 48 and sum(0 < row["f1"] < 1 for row in rows) > 5


@pytest.fixture
def made_by_lm_eval():
    folder = REPO / "data/mini/drop"
    lines = (folder / "recorded/lm-eval_SmolLM2.jsonl").read_text(encoding="utf-8").splitlines()
    instances = {one.id: one for one in extract.load(folder / "drop_dataset_dev.json")}
    return instances, list(map(json.loads, lines))


def test_of_known_columns_the_first_counts(tmp_path):
    columns = {"input": ["Another"], "generation": ["8"], "full_prompt": [SHIPS], "predictions": ["7"]}
    assert texts(details(tmp_path, **columns), present=True) == [("ships", 0, "7")]


def not_utf8():
    return pyarrow.StringArray.from_buffers(
        2, pyarrow.py_buffer(b"\0\0\0\0\1\0\0\0\2\0\0\0"), pyarrow.py_buffer(b"7\xff")
    )


# (what is wrong, the predictions of two rows, the second of which is bad)
BAD_PREDICTIONS = [
    ("null", ["7", None]),
    ("null in a list", [["7"], ["8", None]]),
    ("null where a list is due", [["7"], None]),
]


@pytest.mark.parametrize(
    "predictions", [case[1] for case in BAD_PREDICTIONS], ids=[c[0] for c in BAD_PREDICTIONS]
)
def test_a_prediction_that_is_no_text_is_named(tmp_path, predictions):
    path = details(tmp_path, full_prompt=[SHIPS, FLAG], predictions=predictions)
    with pytest.raises(InputError) as error:
        read(path, present=True)
    assert str(error.value) == f"{path}: row 2: {NO_TEXT}"


# (what is wrong, the columns, the line behind the file's name)
BAD_DETAILS = [
    ("a prompt of no instance", {"full_prompt": [SHIPS, "Who?"], "predictions": ["7", "8"]}, f"row 2: ends with the prompt of no instance{METHOD}"),
    ("a prompt twice", {"full_prompt": [SHIPS, SHIPS], "predictions": ["7", "8"]}, "row 2: is a second record of ships"),
    ("a prompt that is null", {"full_prompt": [SHIPS, None], "predictions": ["7", "8"]}, f"row 2: {NO_TEXT}"),
    ("prompts that are bytes", {"full_prompt": [SHIPS.encode()], "predictions": ["7"]}, f"row 1: {NO_TEXT}"),
    ("replies that are bytes", {"full_prompt": [SHIPS], "predictions": [b"7"]}, f"row 1: {NO_TEXT}"),
    ("replies that are numbers", {"full_prompt": [SHIPS], "predictions": [7]}, f"row 1: {NO_TEXT}"),
    ("replies that are lists of numbers", {"full_prompt": [SHIPS], "predictions": [[7.5]]}, f"row 1: {NO_TEXT}"),
    ("replies that are objects", {"full_prompt": [SHIPS], "predictions": [{"text": "7"}]}, f"row 1: {NO_TEXT}"),
    ("replies that are not UTF-8", {"full_prompt": [SHIPS, FLAG], "predictions": not_utf8()}, ""),
    ("no replies", {"full_prompt": [SHIPS], "metrics": [0.5]}, "has no column of prompts or none of replies, only full_prompt, metrics; it needs one of full_prompt, prompt, input and of predictions, prediction, full_generation, generation"),
    ("no prompts", {"predictions": ["7"]}, "has no column of prompts or none of replies, only predictions; it needs one of "),
    ("no column", {}, "has no column of prompts or none of replies, only "),
]  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "line"), [case[1:] for case in BAD_DETAILS], ids=[case[0] for case in BAD_DETAILS]
)
def test_bad_details_get_one_line(tmp_path, columns, line):
    path = details(tmp_path, **columns)
    with pytest.raises(InputError) as error:
        read(path, present=True)
    assert str(error.value).startswith(f"{path}: {line}")
    assert error.value.fix and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "content", [b"", b"PAR1", json.dumps(ALL[0]).encode(), b"PAR1" + b"\xff" * 40 + b"PAR1"]
)
def test_what_is_no_parquet_file_gets_one_line(tmp_path, content):
    path = tmp_path / "details.parquet"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}: is no Parquet file: ")
    assert str(error.value).endswith("; bring it as published") and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "name", ["samples.json", "samples", "samples.jsonl.gz", "details.csv", "details.parquet.zip"]
)
def test_a_file_of_another_ending_is_refused(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(lm_eval(tmp_path, ALL).read_bytes())
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value) == (
        f"{path}: is neither .jsonl (lm-eval --log_samples) nor .parquet (details); give recorded_name with its ending"
    )


def test_without_pyarrow_details_say_what_to_install(tmp_path, monkeypatch):
    path = details(tmp_path, full_prompt=[SHIPS], predictions=["7"])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value) == f"{path}: cannot be read without pyarrow; pip install pyarrow"


# --- the published questions ---


@pytest.mark.parametrize("write", [lm_eval, details], ids=["lm-eval", "details"])
def test_each_published_question_finds_its_record_by_its_prompt_alone(tmp_path, mirror, write):
    with gzip.open(mirror / "drop/drop_v0_dev.jsonl.gz") as file:
        prompts = {str(n): json.loads(line)["context"] for n, line in enumerate(file)}
    recorded = [EXAMPLES + prompt for prompt in prompts.values()]
    if write is lm_eval:
        path = lm_eval(tmp_path, map(sample, recorded, prompts))
    else:
        path = details(tmp_path, full_prompt=recorded, predictions=list(prompts))
    assert texts(path, prompts=prompts) == [(id, 0, id) for id in prompts]


# --- what is read in a reply ---


def reading(reply, reading=None, without=()):
    """What the rules read of a reply; a system that sets no reading has none in its spec."""
    spec = {"without": list(without), **({"reading": reading} if reading else {})}
    return tuple(predict.read(instance(), Completion("i", 0, reply, len(reply), None, None), spec))


def instance(type="number", passage="", golds=("7",)):
    return Instance("i", "", type, "How many?", golds, {"passage": passage})


# (reply, what is read by the answer line, where)
ANSWER_LINES = [
    ("So it is 7.\nAnswer: 7", "7", 20),
    ("answer :7\n", "7", 8),
    ("**Answer:** 7", "** 7", 9),
    ("ANSWER:\n\n  red, green \nmore", "red, green ", 11),
    ("Answer: 7\nAnswer: 8", "7", 8),
    ("The answer: perhaps 7.\nAnswer: 8", "perhaps 7.", 12),
    ("Answer:\u2028red\u2028green", "red\u2028green", 8),
]


@pytest.mark.parametrize(("reply", "answer", "start"), ANSWER_LINES)
def test_the_first_answer_line_is_read(reply, answer, start):
    assert reading(reply, "answer-line") == (answer, "answer-line", start, start + len(answer))


def test_a_blank_answer_line_is_no_answer():
    assert reading("It is 7. Answer: ", "answer-line") == (None, "answer-line", 16, 17)


@pytest.mark.parametrize("reply", ["7", " 7 \n", "Answer: 7", "\u2028Answer: 7\n\nPassage:", "None"])
@pytest.mark.parametrize(
    "how", [{}, {"reading": "whole"}, {"reading": "answer-line", "without": ["answer-line"]}]
)
def test_all_of_a_reply_is_read_where_no_answer_line_is_wanted(reply, how):
    assert reading(reply, **how) == (reply, "whole", 0, len(reply))


@pytest.mark.parametrize("how", [None, "whole", "answer-line"])
@pytest.mark.parametrize("reply", ["", " ", "\n\u2028\t"])
def test_a_blank_reply_has_no_answer(reply, how):
    assert reading(reply, how) == (None, None, None, None)


# simple-evals' ANSWER_PATTERN; where it finds nothing the whole reply counts
ANSWER_PATTERN = r"(?i)Answer\s*:\s*([^\n]+)"


@given(
    st.lists(st.sampled_from(["Answer", "answer", ":", " ", "\n", "\u2028", "7", "x", "Anſwer"])).map("".join)
)
def test_an_answer_line_is_what_simple_evals_finds(reply):
    found = re.search(ANSWER_PATTERN, reply)
    answer, rule, start, end = reading(reply, "answer-line")
    assert (rule == "answer-line") == bool(found)
    text = found.group(1) if found else reply
    assert answer == (text if text.strip() else None)
    assert answer is None or reply[start:end] == answer


@pytest.mark.parametrize(
    ("text", "is_answer"), [("7", True), ("None", True), ("", False), (" \u2028", False)]
)
def test_a_person_may_rule_any_text_that_is_not_blank(text, is_answer):
    assert predict.is_answer("number", text) == is_answer


# --- random answers ---


@given(
    numbers=st.lists(st.decimals(0, 9999, places=2).map(str) | st.integers(0, 9999).map(str), min_size=1),
    seed=st.integers(),
)
def test_a_random_number_stands_in_the_passage(numbers, seed):
    passage = " ships, ".join(numbers) + " ships left; １２ came."
    assert random_answers.draw(instance(passage=passage), random.Random(seed)) in numbers


@given(seed=st.integers())
def test_a_random_number_is_a_digit_where_the_passage_has_none(seed):
    assert random_answers.draw(instance(passage="Some ships left."), random.Random(seed)) in set("0123456789")


@given(
    words=st.lists(st.sampled_from(["Seven", "ships", "left", "7"])),
    type=st.sampled_from(["span", "spans", "date", "none"]),
    seed=st.integers(),
)
def test_random_words_stand_in_a_row_in_the_passage(words, type, seed):
    text = random_answers.draw(instance(type, "\n".join(words)), random.Random(seed))
    assert f" {text} " in f" {' '.join(words)} " if words else text == ""
    assert len(text.split()) <= 3


def test_random_words_are_one_to_three():
    passage = " ".join(map(str, range(50)))
    drawn_words = [random_answers.draw(instance("span", passage), random.Random(seed)) for seed in range(200)]
    assert {len(text.split()) for text in drawn_words} == {1, 2, 3}


@pytest.mark.parametrize("type", ["number", "span"])
def test_random_answers_are_the_same_for_the_same_seed(type):
    passage = " ".join(f"{n} ships" for n in range(1000))
    asked = [Instance(f"i{n}", "", type, "", (), {"passage": passage}) for n in range(5)]

    def replies(seed, instances):
        rows = drawn({"benchmark": "drop", "samples": 2, "seed": seed}, instances)
        return {(row.instance, row.sample): row.text for row in rows}

    first = replies(1, asked)
    assert first == replies(1, asked[::-1])
    assert len(first) == 10 and len(set(first.values())) > 5
    assert first != replies(2, asked)


# --- score ---


# (spans, samples, golds, mean exact match and F1 by the official normaliser)
SCORES = [
    ("whole", ["7"], ("7",), 1, 1),
    ("whole", ["7", "8"], ("7",), 0.5, 0.5),
    ("whole", ["the Bears", None, "Chicago Bears"], ("Bears",), 1 / 3, 1.67 / 3),
    ("whole", [None], ("7",), 0, 0),
    ("whole", ["7"], (), 0, 0),
    ("whole", ["red, green"], (("green", "red"),), 0, 0.33),  # 2/3 for one of two spans
    ("split", ["red, green"], (("green", "red"),), 1, 1),
    ("split", ["red, green"], ("red", ("green", "red")), 1, 1),
    ("split", ["1,001,360"], ("1001360",), 1, 1),
]


@pytest.mark.parametrize(("spans", "samples", "golds", "exact_match", "f1"), SCORES)
def test_the_mean_of_the_samples_counts(spans, samples, golds, exact_match, f1):
    row = score.score(instance(golds=golds), samples, {"spans": spans})
    assert (row.prediction, row.answers, row.references) == (samples[0], tuple(samples), golds)
    assert row.score == row.parts["official_F1"] == pytest.approx(f1)
    assert row.parts["official_EM"] == pytest.approx(exact_match)


def test_the_three_normalisers_are_scored_side_by_side_and_the_official_one_counts():
    row = score.score(instance(golds=("12.25",)), ["12.25."], {"spans": "whole"})
    assert row.score == 0
    assert row.parts == {
        "official_EM": 0, "official_F1": 0, "whitespace_EM": 0, "whitespace_F1": 0, "exact_EM": 1, "exact_F1": 1,
    }  # fmt: skip


@pytest.mark.parametrize("type", ["number", "none"])
def test_an_instance_counts_under_its_type_and_in_all(type):
    assert score.groups_of(instance(type)) == [type, "Total"]
