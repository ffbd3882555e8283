"""Recorded replies: what is read from them, and one line for each way in which a file can be bad."""

import json
import re

import pytest

from conftest import READINGS, files, problems, prompt_of, responses, responses_file, snakemake, write_json
from evaltrail.benchmarks.jeebench import extract, generate
from evaltrail.errors import InputError
from evaltrail.extract import checked


def instances(path):
    write_json(path, problems())
    return {instance.id: instance for instance in extract.load(path)}


def read(folder, entries, name="first_normal", present=False, wanted=slice(None)):
    """The generations of `entries` (a list, or the file's bytes) as the recorded client reads them."""
    known = instances(folder / "dataset.json")
    path = folder / "responses.json"
    path.write_bytes(entries) if isinstance(entries, bytes) else write_json(path, entries)
    prompts = [prompt_of(problem, name.partition("_")[2]) for problem in problems()]
    prompts = dict(list(zip(known, prompts, strict=True))[wanted])
    return list(generate.recorded(path, name, known, prompts, present))


def entries(change=lambda entries: None, name="first_normal"):
    made = responses(name)
    change(made)
    return made


def as_bytes(text_of=lambda text: text, name="first_normal"):
    return text_of(json.dumps(responses(name), indent=1) + "\n").encode()


def choice(entries, row=0):
    return entries[row]["first_normal_response"]["choices"][0]


FIRST = "Tiny 2016 Paper 1 #1"
# (what is wrong, the file, the line behind the file's name)
BAD = [
    ("a missing instance", entries(lambda e: e.pop(3)), "row Tiny 2022 Paper 1 #1: no reply to this instance (1 of 6 have none); complete the file or set `instances: present`"),
    ("a duplicate", entries(lambda e: e.append(e[0])), f"row {FIRST}: occurs twice; remove one of the two"),
    ("a changed question", entries(lambda e: e[0].update(question="Which is 2?")), f"row {FIRST}: field question: differs from the dataset; bring the replies to this dataset"),
    ("a changed gold", entries(lambda e: e[0].update(gold="B")), f"row {FIRST}: field gold: differs from the dataset"),
    ("another known type", entries(lambda e: e[0].update(type="Integer")), f"row {FIRST}: field type: differs from the dataset"),
    ("an unknown type", entries(lambda e: e[0].update(type="Essay")), f"row {FIRST}: field type: unknown type 'Essay'; known: MCQ, MCQ(multiple), Integer, Numeric"),
    ("an instance of another dataset", entries(lambda e: e[0].update(index=99)), "row 1: Tiny 2016 Paper 1 #99 is not in the dataset; remove the entry"),
    ("another prompt", entries(lambda e: e[0].update(prompt="In this problem, guess.")), f"row {FIRST}: field prompt: is another prompt than the system's method gives; they part at character 18; set `method` to the one that the replies were made with, or write that one under `methods`"),
    ("a None extract", entries(lambda e: choice(e).update(extract=None)), f'row {FIRST}: field choices[0].extract: Expected `str`, got `null`; mend the entry ("None" is the reading of a reply without answer)'),
    ("a None extract beside the response", entries(lambda e: (choice(e).pop("extract"), e[0].update(extract=None))), "row 1: field extract: Expected `str | array`, got `null`; mend the entry (\"None\" is"),
    ("a number as extract", entries(lambda e: choice(e).update(extract=4)), f"row {FIRST}: field choices[0].extract: Expected `str`, got `int`"),
    ("too few extracts", entries(lambda e: (choice(e).pop("extract"), e[0].update(extract=["A", "B"]))), f"row {FIRST}: field extract: 2 readings of 1 choices; give each choice its `extract`"),
    ("no response", entries(lambda e: e[0].pop("first_normal_response")), f"row {FIRST}: field first_normal_response: is missing; set recorded_name; replies here: none"),
    ("no choices", entries(lambda e: e[0]["first_normal_response"].update(choices=[])), f"row {FIRST}: field choices: is empty; mend the entry"),
    ("choices that are no list", entries(lambda e: e[0]["first_normal_response"].update(choices={})), f"row {FIRST}: field choices: Expected `array`, got `object`"),
    ("a choice without text", entries(lambda e: choice(e).pop("message")), f"row {FIRST}: field choices: needs one of text and message"),
    ("a text that is a list", entries(lambda e: choice(e)["message"].update(content=[])), f"row {FIRST}: field choices[0].message.content: Expected `str | null`, got `array`"),
    ("no index", entries(lambda e: e[0].pop("index")), "row 1: field index: is missing; mend the entry"),
    ("an index in words", entries(lambda e: e[0].update(index="one")), "row 1: field index: Expected `int`, got `str`"),
    ("two choices of one index", entries(lambda e: e[0]["first_normal_response"]["choices"].append(choice(e))), f"row {FIRST}: field choices: two choices have one index; mend the entry"),
    ("a key given twice", as_bytes(lambda text: text.replace('"gold":', '"gold": "B", "gold":', 1)), "an object has the key gold twice; keep one"),
    ("a number without end", as_bytes(lambda text: text.replace('"index": 1', '"index": ' + "9" * 5000, 1)), "invalid JSON: "),
    ("an entry that is none", entries(lambda e: e.insert(0, None)), "row 1: Expected `object`, got `null`"),
    ("no list", b"{}", "is no list of replies; bring a published responses.json"),
    ("no entry", b"[]", f"row {FIRST}: no reply to this instance (6 of 6 have none)"),
    ("invalid JSON at line 5", as_bytes(lambda text: text.replace('"type":', '"type"', 1)), "row 6: invalid JSON: Expecting ':' delimiter at column 10; mend it or fetch it again"),
    ("JSON cut off", as_bytes(lambda text: text[:200]), "row 9: invalid JSON: "),
    ("an empty file", b"", "row 1: invalid JSON: "),
    ("a byte-order mark", as_bytes(lambda text: "\ufeff" + text), "row 1: starts with a byte-order mark; save it as UTF-8 without BOM"),
    ("CRLF", as_bytes(lambda text: text.replace("\n", "\r\n")), "row 1: line ends with CRLF; save it with LF line ends"),
    ("Latin-1", as_bytes(lambda text: text.replace("Which is 1", "Which is é")).decode().encode("latin-1"), "row 7: byte "),
    ("JSON nested too deeply", b"[" * 200_000, "JSON nested too deeply; fetch it again"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "line"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_replies_get_one_line(tmp_path, content, line):
    with pytest.raises(InputError) as error:
        read(tmp_path, content)
    assert str(error.value).startswith(f"{tmp_path}/responses.json: {line}")
    assert "\n" not in str(error.value)


def test_present_leaves_out_what_the_file_lacks(tmp_path):
    rows = read(tmp_path, entries(lambda e: e.pop(3)), present=True)
    assert [row.instance for row in rows] == [id for id in instances(tmp_path / "d.json") if "2022" not in id]


def test_a_file_with_more_than_is_wanted_is_fine(tmp_path):
    assert len(read(tmp_path, entries(), wanted=slice(0, 2))) == 2


def test_a_file_without_any_reply_is_refused_even_where_some_may_lack(tmp_path):
    with pytest.raises(InputError, match="has no reply to any instance"):
        read(tmp_path, [], present=True)


def test_chat_and_text_completions_are_read_alike(tmp_path):
    def as_text(made):
        chosen = choice(made)
        chosen["text"] = chosen.pop("message")["content"]

    assert read(tmp_path, entries(as_text)) == read(tmp_path, entries())


def test_a_reply_with_null_content_stays_null(tmp_path):
    rows = read(tmp_path, entries(lambda e: choice(e)["message"].update(content=None)))
    assert rows[0].text is None


def test_a_reply_without_reading_has_none(tmp_path):
    assert read(tmp_path, entries(lambda e: choice(e).pop("extract")))[0].recorded_answer is None


def test_an_extract_beside_the_response_is_that_of_its_one_choice(tmp_path):
    rows = read(tmp_path, entries(lambda e: (choice(e).pop("extract"), e[0].update(extract="C"))))
    assert rows[0].recorded_answer == "C"


def test_samples_stand_in_the_order_of_their_index_each_with_its_reading(tmp_path):
    made = responses("third_CoT+SC")
    for entry in made:
        entry["third_CoT+SC_response"]["choices"].reverse()
    rows = read(tmp_path, made, name="third_CoT+SC")
    flat = [reading for readings in READINGS["third_CoT+SC"] for reading in readings]
    assert [row.recorded_answer for row in rows] == flat
    assert [row.sample for row in rows] == [0, 1, 2] * 6
    # a response's usage counts all its samples, so only the first carries it
    assert [bool(row.usage) for row in rows] == [True, False, False] * 6


def test_a_list_of_readings_follows_the_choices_as_they_stand_in_the_file(tmp_path):
    made = responses("third_CoT+SC")
    choices = made[0]["third_CoT+SC_response"]["choices"]
    for one in choices:
        one.pop("extract")
    choices.reverse()
    made[0]["extract"] = ["C", "B", "A"]
    rows = read(tmp_path, made, name="third_CoT+SC")[:3]
    assert [(row.sample, row.recorded_answer) for row in rows] == [(0, "A"), (1, "B"), (2, "C")]


def test_a_count_in_usage_that_is_none_is_left_out(tmp_path):
    rows = read(
        tmp_path, entries(lambda e: e[0]["first_normal_response"].update(usage={"a": True, "b": 1, "c": {}}))
    )
    assert rows[0].usage == {"b": 1}


def test_a_lone_surrogate_in_a_reply_survives_the_whole_chain(project):
    path = responses_file(project, "first_normal")
    made = responses("first_normal")
    choice(made)["message"]["content"] = "\ud83d A\u2028B\u0085 \x00 STOP"
    path.write_text(json.dumps(made))
    (project / "params.yaml").write_text(
        (project / "params.yaml").read_text().replace("answers: recorded", "answers: rules")
    )
    result = snakemake(project, "results/tiny_table2.csv")
    assert result.returncode == 0, result.stderr
    line = (project / "results/tiny/first/completions.jsonl").read_bytes().split(b"\n")[0]
    assert json.loads(line)["text"] == "\ud83d A\u2028B\u0085 \x00 "


DATASET_BAD = [
    ("an unknown subject", lambda p: p[0].update(subject="bio"), "row 1: field subject: unknown subject 'bio'; known: chem, math, phy"),
    ("an unknown type", lambda p: p[0].update(type="Essay"), "row 1: field type: unknown type 'Essay'; known: MCQ, "),
    ("a gold of another type", lambda p: p[0].update(gold="AB"), "row 1: field gold: 'AB' is no answer of type MCQ; mend the gold"),
    ("a gold that repeats", lambda p: p[1].update(gold="AA"), "row 2: field gold: 'AA' is no answer of type MCQ(multiple)"),
    ("a negative integer", lambda p: p[2].update(gold="-4"), "row 3: field gold: '-4' is no answer of type Integer"),
    ("a year that is missing", lambda p: p[0].update(description="Tiny"), "row 1: field description: names no year; e.g. JEE Adv 2016 Paper 1"),
    ("no question", lambda p: p[0].pop("question"), "row 1: field question: is missing; mend the problem"),
    ("a problem twice", lambda p: p.append(p[0]), f"row {FIRST}: occurs twice; remove one of the two"),
    ("an empty dataset", lambda p: p.clear(), "holds no instance; check the dataset's source in params.yaml"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "line"), [case[1:] for case in DATASET_BAD], ids=[case[0] for case in DATASET_BAD]
)
def test_a_bad_dataset_gets_one_line(tmp_path, change, line):
    made = problems()
    change(made)
    path = tmp_path / "dataset.json"
    write_json(path, made)
    with pytest.raises(InputError) as error:
        list(checked(extract.load(path), path))
    assert str(error.value).startswith(f"{path}: {line}")


def test_a_bad_file_stops_the_run_with_its_line_and_leaves_the_rest(project):
    made = responses("second_CoT")
    made[0]["question"] = "Which is 2?"
    write_json(responses_file(project, "second_CoT"), made)
    result = snakemake(project, "--keep-going")
    assert result.returncode == 1
    lines = [line for line in result.stderr.splitlines() if line.startswith("evaltrail: ")]
    assert lines == [
        "evaltrail: data/tiny/raw/data/responses/second_CoT_responses/responses.json: "
        f"row {FIRST}: field question: differs from the dataset; bring the replies to this dataset"
    ]
    # and it stands once more below all that Snakemake says
    assert result.stderr.splitlines()[-2:] == ["What stopped the run:", lines[0].replace("evaltrail: ", "  ")]
    made_files = files(project)
    assert "results/tiny/first/scores.jsonl" in made_files
    assert not [path for path in made_files if re.search(r"second/(gen|com|pre|sco)|partial|table2", path)]


def test_recorded_answers_of_a_cut_text_are_refused(project):
    text = (project / "params.yaml").read_text()
    (project / "params.yaml").write_text(text.replace("method: CoT}", 'method: CoT, stop: "\\n\\n"}'))
    result = snakemake(project, "results/tiny/second/metrics.json")
    assert result.returncode == 1
    assert (
        f"evaltrail: results/tiny/second/predictions.jsonl: row {FIRST}: was cut at a stop sequence, but its recorded "
        "answer was read in the whole reply; set the system's `stop: null` or `answers: rules`"
    ) in result.stderr.splitlines()


def test_more_samples_than_were_recorded_are_refused(project):
    text = (project / "params.yaml").read_text()
    (project / "params.yaml").write_text(text.replace("samples: 3", "samples: 4"))
    result = snakemake(project, "results/tiny/third/metrics.json")
    assert (
        f"row {FIRST}: has 3 samples where 4 are to be scored; lower the system's `samples`" in result.stderr
    )
