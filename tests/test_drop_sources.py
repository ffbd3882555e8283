"""DROP's two published forms: the golds, types and ids that are read of them, and one line for each bad file."""

import gzip
import json
from collections import Counter

import pytest

from conftest import write_json
from evaltrail import fetch, jsonl
from evaltrail.benchmarks.drop import extract
from evaltrail.benchmarks.drop.forms import inferred
from evaltrail.errors import InputError
from evaltrail.extract import checked
from evaltrail.facts import benchmark_facts
from evaltrail.records import Instance

ODD = "a\ud83d\u2028１２ é\x85\x00 \udc00"


def load(path):
    return list(checked(extract.load(path), path))


def answer(number="", day="", month="", year="", spans=()):
    """An answer with all of its parts, as the official form has it."""
    return {"number": number, "date": {"day": day, "month": month, "year": year}, "spans": list(spans)}


def pair(id="q1", given=None, *others, **changes):
    validated = {"validated_answers": list(others)} if others else {}
    given = answer("7") if given is None else given
    return {"query_id": id, "question": "How many?", "answer": given, **validated, **changes}


def passage(*pairs, text="Seven ships left."):
    return {"passage": text, "qa_pairs": list(pairs)}


def official(folder, document):
    path = folder / "drop_dataset_dev.json"
    path.write_bytes(document) if isinstance(document, bytes) else write_json(path, document)
    return path


def golds_of(folder, *answers):
    """References and type of a question with these answers, the first of them its own."""
    (instance,) = load(official(folder, {"history_1": passage(pair("q1", *answers))}))
    return instance.references, instance.type


# --- the official form ---

# (an answer, its gold and type)
ANSWERS = [
    (answer("7"), ("7", "number")),
    (answer("1,001,360"), ("1,001,360", "number")),
    (answer("0"), ("0", "number")),
    (answer(0), ("0", "number")),
    (answer(12), ("12", "number")),
    (answer(0.5), ("0.5", "number")),
    (answer("7", "5", "October", "1911", ["Bears"]), ("7", "number")),
    (answer(0, spans=["Bears"]), ("0", "number")),
    (answer("", "5", "October", "1911", ["Bears"]), ("Bears", "span")),
    (answer(" ", spans=["Bears"]), ("Bears", "span")),
    (answer(spans=["7"]), ("7", "span")),
    (answer(spans=[" the Bears "]), (" the Bears ", "span")),
    (answer(spans=["Bears", "Lions"]), (("Bears", "Lions"), "spans")),
    (answer(spans=["Lions", "Bears", "Lions"]), (("Lions", "Bears", "Lions"), "spans")),
    (answer(spans=["Bears", ""]), (("Bears", ""), "spans")),
    (answer("", "5", "October", "1911"), ("5 October 1911", "date")),
    (answer("", "", "August", "1567"), ("August 1567", "date")),
    (answer("", "5", "October"), ("5 October", "date")),
    (answer("", "", "May"), ("May", "date")),
    (answer("", "", "", "1287"), ("1287", "date")),
    (answer("", "4", "", "1287"), ("4  1287", "date")),
    (answer("", 5, "October", 1911), ("5 October 1911", "date")),
    ({"date": {"year": "1287"}}, ("1287", "date")),
    ({"date": {"month": "August", "year": "1567"}}, ("August 1567", "date")),
    ({"number": "7"}, ("7", "number")),
    ({"spans": ["Bears"]}, ("Bears", "span")),
    ({"number": "", "date": None, "spans": ["Bears"]}, ("Bears", "span")),
    ({"number": "7", "worker_id": "", "hit_id": ""}, ("7", "number")),
]


@pytest.mark.parametrize(("given", "gold"), ANSWERS)
def test_an_answer_is_a_number_before_spans_before_a_date(tmp_path, given, gold):
    reference, type = gold
    assert golds_of(tmp_path, given) == ((reference,), type)


SAY_NOTHING = [
    answer(),
    answer(" "),
    answer(spans=[""]),
    answer(spans=[" \u2028"]),
    answer(spans=["", "Bears"]),
    answer("", "5", "October", "1911", [""]),
    {"date": {}},
    {"date": None},
    {},
]


@pytest.mark.parametrize("given", SAY_NOTHING)
def test_an_answer_that_says_nothing_is_no_gold_and_the_question_stays(tmp_path, given):
    assert golds_of(tmp_path, given) == ((), "none")
    assert golds_of(tmp_path, given, answer(), answer(spans=["Bears"])) == (("Bears",), "span")


# (answers, golds, type)
SEVERAL = [
    ([answer("4"), answer("4"), answer(spans=["four"]), answer("5"), answer("4")], ("4", "four", "5"), "number"),
    ([answer(spans=["four"]), answer("4")], ("four", "4"), "span"),
    ([answer("4"), answer(spans=["4"])], ("4",), "number"),
    ([answer(spans=["4"]), answer("4")], ("4",), "span"),
    ([answer(4), answer("4"), answer("4.0")], ("4", "4.0"), "number"),
    ([answer(spans=["a", "b"]), answer(spans=["b", "a"])], (("a", "b"), ("b", "a")), "spans"),
    ([answer("", "", "May"), answer("", "5", "May"), answer("", "", "May")], ("May", "5 May"), "date"),
    ([answer(), answer("", "", "May"), answer("4")], ("May", "4"), "date"),
    ([answer(spans=[""]), answer("4")], ("4",), "number"),
]  # fmt: skip


@pytest.mark.parametrize(("answers", "golds", "type"), SEVERAL)
def test_golds_are_what_all_answered_each_once_and_the_first_gives_the_type(tmp_path, answers, golds, type):
    assert golds_of(tmp_path, *answers) == (golds, type)


@pytest.mark.parametrize(
    ("id", "subject"), [("history_319", "history"), ("nfl_6_53", "nfl"), ("7", "7"), ("", "")]
)
def test_the_subject_is_the_kind_that_the_passage_id_begins_with(tmp_path, id, subject):
    (instance,) = load(official(tmp_path, {id: passage(pair())}))
    extra = {"passage": "Seven ships left.", "passage_id": id}
    assert instance == Instance("q1", subject, "number", "How many?", ("7",), extra)


def test_questions_come_in_the_order_of_the_file(tmp_path):
    document = {
        "nfl_2": passage(pair("b"), pair("a", answer()), text="Later."),
        "nfl_9": passage(),
        "history_1": passage(pair("c"), text="Before."),
    }
    found = load(official(tmp_path, document))
    assert [(row.id, row.extra["passage"], row.type) for row in found] == [
        ("b", "Later.", "number"), ("a", "Later.", "none"), ("c", "Before.", "number"),
    ]  # fmt: skip


def without(key):
    return {name: value for name, value in pair().items() if name != key}


ANSWER = "field qa_pairs[0].answer"
# (what is wrong, the document, the line behind the file's name)
BAD = [
    ("a list", [passage(pair())], "is no object of passages; bring drop_dataset_dev.json as published"),
    ("a text", "passage", "is no object of passages"),
    ("no passage in it", {}, "holds no instance; check the dataset's source in params.yaml"),
    ("a passage without questions alone", {"nfl_1": passage()}, "holds no instance"),
    ("a passage that is a text", {"nfl_1": "Seven ships left."}, "row nfl_1: Expected `object`, got `str`; mend the passage"),
    ("no text of a passage", {"nfl_1": {"qa_pairs": []}}, "row nfl_1: field passage: is missing; mend the passage"),
    ("a passage that is null", {"nfl_1": passage(text=None)}, "row nfl_1: field passage: Expected `str`, got `null`"),
    ("no questions", {"nfl_1": {"passage": "p"}}, "row nfl_1: field qa_pairs: is missing"),
    ("no query_id", {"nfl_1": passage(without("query_id"))}, "row nfl_1: field qa_pairs[0].query_id: is missing; mend the passage"),
    ("no question", {"nfl_1": passage(pair("q0"), without("question"))}, "row nfl_1: field qa_pairs[1].question: is missing"),
    ("no answer", {"nfl_1": passage(without("answer"))}, f"row nfl_1: {ANSWER}: is missing"),
    ("a query_id that is a number", {"nfl_1": passage(pair(7))}, "row nfl_1: field qa_pairs[0].query_id: Expected `str`, got `int`"),
    ("spans that are a text", {"nfl_1": passage(pair("q1", {"spans": "Bears"}))}, f"row nfl_1: {ANSWER}.spans: Expected `array`, got `str`"),
    ("a span that is a number", {"nfl_1": passage(pair("q1", answer(spans=["a", 7])))}, f"row nfl_1: {ANSWER}.spans[1]: Expected `str`, got `int`"),
    ("a number that is true", {"nfl_1": passage(pair("q1", answer(True)))}, f"row nfl_1: {ANSWER}.number: Expected `int | float | str`, got `bool`"),
    ("a number that is a list", {"nfl_1": passage(pair("q1", answer([7])))}, f"row nfl_1: {ANSWER}.number: Expected "),
    ("a date that is a text", {"nfl_1": passage(pair("q1", {"date": "1287"}))}, f"row nfl_1: {ANSWER}.date: Expected `object | null`, got `str`"),
    ("a day that is null", {"nfl_1": passage(pair("q1", answer(day=None)))}, f"row nfl_1: {ANSWER}.date.day: Expected "),
    ("a validated answer that is a text", {"nfl_1": passage(pair("q1", answer(), "7"))}, "row nfl_1: field qa_pairs[0].validated_answers[0]: Expected `object`, got `str`"),
    ("a query id twice in a passage", {"nfl_1": passage(pair(), pair())}, "row q1: occurs twice; remove one of the two"),
    ("a query id in two passages", {"nfl_1": passage(pair()), "nfl_2": passage(pair())}, "row q1: occurs twice"),
    ("a passage id twice", b'{"nfl_1": {}, "nfl_1": {}}', "an object has the key nfl_1 twice; keep one"),
    ("invalid JSON", b'{\n"nfl_1": }', "row 2: invalid JSON: "),
    ("Latin-1", "\u00e9".encode("latin-1"), "row 1: byte 0 is not UTF-8; save it as UTF-8"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "line"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_a_bad_official_file_gets_one_line(tmp_path, document, line):
    path = official(tmp_path, document)
    with pytest.raises(InputError) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: {line}")
    assert "\n" not in str(error.value)


# --- the form of simple-evals ---

CONTEXT = "Passage: Seven ships left.\nQuestion: How many?\nAnswer:"


def line(golds="7", context=CONTEXT):
    return {"context": context, "completion": f" {golds.partition('|')[0]}", "ref_text": golds}


def lines(folder, *rows, name="drop_v0_dev.jsonl"):
    """A file of these rows, each an object or the bytes of a line; compressed where its name says so."""
    path = folder / name
    made = b"".join((row if isinstance(row, bytes) else json.dumps(row).encode()) + b"\n" for row in rows)
    path.write_bytes(gzip.compress(made) if name.endswith(".gz") else made)
    return path


@pytest.mark.parametrize("name", ["drop.jsonl", "drop.jsonl.gz"])
def test_a_line_is_an_instance_whose_id_is_its_number(tmp_path, name):
    rows = [line("7|seven"), line("Bears and Lions"), line(" August 1567")]
    extra = {"passage": "Seven ships left.", "passage_id": ""}
    assert load(lines(tmp_path, *rows, name=name)) == [
        Instance("1", "", "number", "How many?", ("7", "seven"), extra),
        Instance("2", "", "spans", "How many?", ("Bears and Lions",), extra),
        Instance("3", "", "date", "How many?", (" August 1567",), extra),
    ]


# (ref_text, golds, type)
REF_TEXTS = [
    ("7", ("7",), "number"),
    ("7|8", ("7", "8"), "number"),
    ("7|8|7|7", ("7", "8"), "number"),
    ("Bears|7", ("Bears", "7"), "span"),
    ("|7|| \u2028|8|", ("7", "8"), "number"),
    ("  1287|1287", ("  1287", "1287"), "date"),
    ("", (), "none"),
    (" | ", (), "none"),
]


@pytest.mark.parametrize(("ref_text", "golds", "type"), REF_TEXTS)
def test_golds_are_split_at_the_bar_each_once_without_blank_ones(tmp_path, ref_text, golds, type):
    (instance,) = load(lines(tmp_path, line(ref_text)))
    assert (instance.references, instance.type) == (golds, type)


INFERRED = [
    # nothing but a number
    ("7", "number"), ("0", "number"), ("007", "number"), ("1287", "number"), ("12.25", "number"), (".5", "number"), ("0.70", "number"),
    ("-7", "number"), ("+7", "number"), ("-.5", "number"), ("1,234", "number"), ("1,001,360", "number"), ("-1,234", "number"),
    ("1,234.5", "number"), ("123,456", "number"),
    # all three parts of a date, each of which may be empty
    ("4 December 1287", "date"), (" August 1567", "date"), ("  1287", "date"), ("5 October ", "date"), (" May ", "date"), ("  987", "date"),
    ("4  1287", "date"), ("30 September 1688", "date"),
    # several spans
    ("A and B", "spans"), ("7 and 19", "spans"), ("1,234 and 5", "spans"), ("A, B and C", "spans"), ("A and ", "spans"),
    # all else
    ("Andorra", "span"), ("sand", "span"), ("Anderson", "span"), ("A And B", "span"), ("and", "span"), ("", "span"), (" ", "span"), ("  ", "span"),
    ("12%", "span"), ("$5", "span"), ("5 yards", "span"), ("a-b", "span"), ("1/2", "span"), ("seven", "span"), ("1287 ", "span"),
    ("1,2345", "span"), ("12,34", "span"), ("1234,567", "span"), (",234", "span"), ("1,234,56", "span"), ("1.2.3", "span"), ("1e5", "span"), (".", "span"), ("-", "span"),
    ("１２", "span"), ("x²", "span"), ("7\n", "span"), ("  1287\n", "span"), ("nan", "span"),
    ("May", "span"), ("May 1287", "span"), ("5 October", "span"), ("March 5, 2001", "span"), ("5 october 1911", "span"), ("5  October 1911", "span"),
    ("123 May 1287", "span"), (" Sept 1287", "span"), ("  1287 BC", "span"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "type"), INFERRED)
def test_the_type_of_a_gold_of_which_only_the_text_is_known(gold, type):
    assert inferred(gold) == type


# (context, passage, question)
CONTEXTS = [
    (CONTEXT, "Seven ships left.", "How many?"),
    ("Passage: \nQuestion: \nAnswer:", "", ""),
    ("Passage:  a \nQuestion:  b \nAnswer:", " a ", " b "),
    ("Passage: a\n\nb\nQuestion: c\nd\nAnswer:", "a\n\nb", "c\nd"),
    ("Passage: a\nQuestion: b\nAnswer: c\nQuestion: d\nAnswer:", "a\nQuestion: b\nAnswer: c", "d"),
    ("Passage: Passage: a\nQuestion: Answer:\nAnswer:", "Passage: a", "Answer:"),
    ("Passage: {a}\u2028\nQuestion: %s\r\nAnswer:", "{a}\u2028", "%s\r"),
]


@pytest.mark.parametrize(("context", "passage", "question"), CONTEXTS)
def test_a_context_is_a_passage_and_the_last_question_in_it(tmp_path, context, passage, question):
    (instance,) = load(lines(tmp_path, line(context=context)))
    assert (instance.extra["passage"], instance.question) == (passage, question)


NO_FORM = (
    "row 2: field context: is not of the form Passage: ... Question: ... Answer:; bring the file as published"
)
# (what is wrong, the second line, what is said of it)
BAD_LINES = [
    *((f"a context {context!r}", line(context=context), NO_FORM) for context in (
        "", "Seven ships left.", "Passage: a\nAnswer:", "Passage: a\nQuestion: b", "Passage: a Question: b\nAnswer:",
        "Question: b\nPassage: a\nAnswer:", " " + CONTEXT, CONTEXT + " ", CONTEXT + " 7", CONTEXT + "\n", CONTEXT.lower(),
    )),
    ("no context", {"ref_text": "7"}, "row 2: field context: is missing; bring the file as published"),
    ("no golds", {"context": CONTEXT}, "row 2: field ref_text: is missing"),
    ("golds that are a list", {"context": CONTEXT, "ref_text": ["7"]}, "row 2: field ref_text: Expected `str`, got `array`"),
    ("golds that are a number", {"context": CONTEXT, "ref_text": 7}, "row 2: field ref_text: Expected `str`, got `int`"),
    ("a context that is null", line(context=None), "row 2: field context: Expected `str`, got `null`"),
    ("a completion that is a number", {**line(), "completion": 7}, "row 2: field completion: Expected `str | null`, got `int`"),
    ("a list", [], "row 2: Expected `object`, got `array`"),
    ("a line cut off", b'{"context": "Pass', "row 2: no JSON in UTF-8: "),
    ("a blank line", b"", "row 2: no JSON in UTF-8: Expecting value"),
    ("two objects", b"{} {}", "row 2: no JSON in UTF-8: Extra data"),
    ("Latin-1", '{"context": "\u00e9"}'.encode("latin-1"), "row 2: no JSON in UTF-8: 'utf-8' codec"),
    ("a number without end", b"9" * 5000, "row 2: no JSON in UTF-8: "),
    ("JSON nested too deeply", b"[" * 200_000, "row 2: no JSON in UTF-8: "),
]  # fmt: skip


@pytest.mark.parametrize("name", ["drop.jsonl", "drop.jsonl.gz"])
@pytest.mark.parametrize(
    ("second", "said"), [case[1:] for case in BAD_LINES], ids=[case[0] for case in BAD_LINES]
)
def test_a_bad_line_is_named(tmp_path, second, said, name):
    path = lines(tmp_path, line(), second, line(), name=name)
    with pytest.raises(InputError) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: {said}")
    assert "\n" not in str(error.value)


def test_a_file_without_a_line_holds_no_instance(tmp_path):
    with pytest.raises(InputError, match="holds no instance; check the dataset's source"):
        load(lines(tmp_path, name="drop.jsonl.gz"))


def compressed():
    made = "".join(json.dumps(line(str(n))) + "\n" for n in range(2000))
    return gzip.compress(made.encode(), mtime=0)


# (what is wrong, the bytes)
BAD_GZIPS = [
    ("cut off", compressed()[:-500]),
    ("cut off within its header", compressed()[:5]),
    ("cut off before its checksum", compressed()[:-8]),
    ("not compressed", json.dumps(line()).encode()),
    ("changed in its checksum", compressed()[:-8] + b"\0" * 8),
    ("without any block", compressed()[:10] + b"\xff" * 40),
]


@pytest.mark.parametrize("content", [case[1] for case in BAD_GZIPS], ids=[case[0] for case in BAD_GZIPS])
def test_a_bad_gzip_file_gets_one_line(tmp_path, content):
    path = tmp_path / "drop.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: is no whole gzip file: ")
    assert str(error.value).endswith("; fetch it again")


@pytest.mark.parametrize(
    "name", ["drop.csv", "drop", "drop.json.bak", "drop.jsonl.zip", "drop.json.gz", "jsonl"]
)
def test_a_file_of_another_ending_is_refused(tmp_path, name):
    path = tmp_path / name
    path.write_text("{}")
    with pytest.raises(InputError) as error:
        load(path)
    assert str(error.value) == (
        f"{path}: is neither .json nor .jsonl; name the file that holds DROP's questions"
    )


@pytest.mark.parametrize("raw", [False, True], ids=["escaped", "as they read"])
def test_odd_signs_survive_to_the_instances_file_and_back(tmp_path, raw):
    def encoded(value):
        return jsonl.encode(value) if raw else json.dumps(value).encode()

    document = {"nfl_1": passage(pair("q1", answer(spans=[ODD, "b"]), question=ODD), text=ODD)}
    row = line(f"{ODD}|b", f"Passage: {ODD}\nQuestion: {ODD}\nAnswer:")
    found = load(official(tmp_path, encoded(document))) + load(lines(tmp_path, encoded(row)))
    assert [instance.references for instance in found] == [((ODD, "b"),), (ODD, "b")]
    assert all(instance.question == instance.extra["passage"] == ODD for instance in found)
    jsonl.write(tmp_path / "instances.jsonl", found)
    assert list(jsonl.read(tmp_path / "instances.jsonl", Instance)) == found


# --- the published files ---


@pytest.fixture(scope="module")
def published(mirror):
    path = mirror / "drop/drop_v0_dev.jsonl.gz"
    with gzip.open(path) as file:
        return load(path), [json.loads(row) for row in file]


def test_the_published_lines_are_all_instances(published):
    instances, rows = published
    assert [instance.id for instance in instances] == [str(n) for n in range(1, 9537)]
    assert len({instance.extra["passage"] for instance in instances}) == 579
    assert all(
        row["completion"] == f" {instance.references[0]}" for instance, row in zip(*published, strict=True)
    )
    assert sum(len(row["ref_text"].split("|")) > 1 for row in rows) == 3642
    assert sum(len(instance.references) > 1 for instance in instances) == 3637  # 5 have one gold, twice


def test_848_published_lines_ask_again_what_an_earlier_one_asked(published):
    times = Counter(row["context"] for row in published[1])
    assert len(times) == 9536 - 848
    assert Counter(times.values()) == {1: 8123, 2: 367, 3: 134, 4: 52, 5: 3, 6: 9}


def test_each_published_line_has_a_type(published):
    assert Counter(instance.type for instance in published[0]) == {
        "number": 5908, "span": 2841, "spans": 631, "date": 156,
    }  # fmt: skip


def test_the_published_sample_of_the_official_form(mirror):
    found = load(mirror / "drop/drop_dataset_sample.json")
    assert Counter(instance.extra["passage_id"] for instance in found) == {
        "history_319": 1, "history_720": 3, "nfl_653": 15,
    }  # fmt: skip
    assert Counter((instance.subject, instance.type) for instance in found) == {
        ("history", "number"): 3, ("history", "span"): 1, ("nfl", "number"): 10, ("nfl", "span"): 5,
    }  # fmt: skip


def test_the_published_file_is_the_pinned_one(tmp_path, mirror, monkeypatch):
    monkeypatch.setenv("EVALTRAIL_MIRROR", str(mirror))
    facts = benchmark_facts("drop")
    member = facts["dataset"]
    spec = {
        "benchmark": "drop",
        "member": member,
        "sha256": facts["members"][member],
        "url": facts["urls"][member],
    }
    fetch.fetch(spec, tmp_path / member)
    assert (tmp_path / member).read_bytes() == (mirror / "drop" / member).read_bytes()
