"""CG-Eval's CSV files: questions, references, replies and the submission form, and one line for each bad file."""

import csv
import io
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import REPO
from evaltrail import extract as step
from evaltrail import render
from evaltrail.benchmarks.cgeval import extract, generate, references, sheets, submission
from evaltrail.benchmarks.cgeval.render import fields
from evaltrail.errors import InputError
from evaltrail.facts import benchmark_facts
from evaltrail.records import Completion, Generation, Instance

QUESTIONS = [
    "大科目类别",
    "子科目名称",
    "题目类型",
    "题目编号",
    "题目文本",
    "题目答案的汉字长度",
    "题目prompt",
]
KEY = QUESTIONS[1:4]
TERM = ("科技与工程", "猫学", "名词解释", "0", "垫子", "60", "请解释：垫子")
SHORT = ("科技与工程", "猫学", "简答题", "0", '猫说："在\n垫子上"，\n对吗？', "80", "请解答")
SUM = ("数学计算", "小学数学", "小学计算", "0", "3×4=", "2", "请计算")
ROWS = [TERM, SHORT, SUM]


def text_of(columns, rows, end="\n"):
    made = io.StringIO(newline="")
    csv.writer(made, lineterminator=end).writerows([columns, *rows])
    return made.getvalue()


def file_of(folder, columns, rows, encoding="utf-8", end="\n"):
    path = folder / "made.csv"
    path.write_bytes(text_of(columns, rows, end).encode(encoding))
    return path


def load(path):
    return list(step.checked(extract.load(path), path))


def refused(read, path, *rest, **settings):
    """The line behind the file's name."""
    with pytest.raises(InputError) as error:
        list(read(path, *rest, **settings))
    assert "\n" not in str(error.value) and str(error.value).startswith(f"{path}: ")
    return str(error.value).removeprefix(f"{path}: ")


def changed(row, field, value):
    return tuple(value if name == field else cell for name, cell in zip(QUESTIONS, row, strict=True))


def without(column, columns=QUESTIONS, rows=ROWS):
    at = columns.index(column)
    return [*columns[:at], *columns[at + 1 :]], [[*row[:at], *row[at + 1 :]] for row in rows]


# --- questions ---

FOUND = [
    Instance("猫学 名词解释 #0", "猫学", "名词解释", "垫子", (), {"category": "科技与工程", "raw_subject": "猫学", "number": "0", "length": 60}),
    Instance("猫学 简答题 #0", "猫学", "简答题", SHORT[4], (), {"category": "科技与工程", "raw_subject": "猫学", "number": "0", "length": 80}),
    Instance("小学数学 小学计算 #0", "小学数学", "小学计算", "3×4=", (), {"category": "数学计算", "raw_subject": "小学数学", "number": "0", "length": 2}),
]  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_questions_are_read_as_spreadsheets_save_them(tmp_path, encoding, end):
    assert load(file_of(tmp_path, QUESTIONS, ROWS, encoding, end)) == FOUND


def test_columns_stand_in_any_order_with_others_beside(tmp_path):
    order = [6, 2, 0, 1, 5, 4, 3]
    rows = [["note", *(row[n] for n in order), ""] for row in ROWS]
    columns = ["x", *(QUESTIONS[n] for n in order), ""]
    assert load(file_of(tmp_path, columns, rows)) == FOUND


@pytest.mark.parametrize(
    "cell", ['"', "a\nb", "a\r\nb", ",", " 垫子 ", "None", "🙂", "墊子", "a\u2028b", "垫" * 10_000]
)
def test_a_question_is_untouched(tmp_path, cell):
    (found,) = load(file_of(tmp_path, QUESTIONS, [changed(TERM, "题目文本", cell)]))
    assert found.question == cell


# (a subject as published, as tables name it)
SUBJECTS = [
    ("猫学", "猫学"),
    ("猫学（入门）", "猫学（入门）"),
    ("猫学（入门)", "猫学（入门）"),
    ("猫学（入门) ", "猫学（入门）"),
    (" 猫学\u3000", "猫学"),
    ("猫学\n", "猫学"),
    ("猫学(入门)", "猫学(入门)"),
    ("猫学(入门）", "猫学(入门）"),
    ("猫学)", "猫学)"),
]


@pytest.mark.parametrize(("raw", "mended"), SUBJECTS)
def test_subjects_are_mended_and_prompts_keep_the_published_name(tmp_path, raw, mended):
    (found,) = load(file_of(tmp_path, QUESTIONS, [changed(TERM, "子科目名称", raw)]))
    assert (found.subject, found.extra["raw_subject"], found.id) == (mended, raw, f"{mended} 名词解释 #0")
    assert fields(None, None)(found)["raw_subject"] == raw


# (what is wrong, the columns, the rows, the line behind the file's name)
BAD = [
    ("another category", QUESTIONS, [TERM, changed(SUM, "大科目类别", "数学")], "row 3: field 大科目类别: unknown '数学'; known: 科技与工程, 人文与社会科学, 数学计算, 医师资格考试, 司法考试, 注册会计师考试"),
    ("no category", QUESTIONS, [changed(TERM, "大科目类别", "")], "row 2: field 大科目类别: unknown ''; known: "),
    ("another type", QUESTIONS, [changed(TERM, "题目类型", "选择题")], "row 2: field 题目类型: unknown '选择题'; known: 名词解释, 简答题, 小学计算, 应用题, 计算求解"),
    ("no subject", QUESTIONS, [changed(TERM, "子科目名称", " ")], "row 2: field 子科目名称: is empty; fill it in"),
    ("no number", QUESTIONS, [changed(TERM, "题目编号", "")], "row 2: field 题目编号: is empty; fill it in"),
    ("no question", QUESTIONS, [TERM, changed(SUM, "题目文本", "\n")], "row 4: field 题目文本: is empty; fill it in"),
    *((f"a length of {bad!r}", QUESTIONS, [changed(TERM, "题目答案的汉字长度", bad)], f"row 2: field 题目答案的汉字长度: {bad!r} is no number of characters; write e.g. 60")
      for bad in ("", "sixty", "-1", "6.5", "６０", "²", "6 0", "None")),
    ("a length of 5,000 digits", QUESTIONS, [changed(TERM, "题目答案的汉字长度", "9" * 5000)], "row 2: field 题目答案的汉字长度: "),
    ("a key twice", QUESTIONS, [TERM, SHORT, TERM], "row 6: has the key of row 2: 猫学 名词解释 #0; remove one of the two"),
    ("a key twice, with blanks", QUESTIONS, [TERM, changed(TERM, "题目编号", " 0 ")], "row 3: has the key of row 2: 猫学 名词解释 #0"),
    ("a key twice by two spellings", QUESTIONS, [changed(TERM, "子科目名称", "猫学（一)"), changed(TERM, "子科目名称", "猫学（一）")], "row 3: has the key of row 2: 猫学（一） 名词解释 #0"),
    *((f"no column {column}", *without(column), f"row 1: lacks the column {column}; it needs {','.join(QUESTIONS)}") for column in QUESTIONS),
    ("a column twice", [*QUESTIONS, "子科目名称"], [(*row, "x") for row in ROWS], "row 1: has a column twice; remove one of the two"),
    ("a row that is too short", QUESTIONS, [TERM[:-1]], "row 2: has 6 cells instead of 7; quote cells that hold commas"),
    ("a row that is too long", QUESTIONS, [TERM, (*TERM, "x")], "row 3: has 8 cells instead of 7"),
    ("no question at all", QUESTIONS, [], "holds no instance; check the dataset's source in params.yaml"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "rows", "line"), [case[1:] for case in BAD], ids=[case[0] for case in BAD]
)
def test_a_bad_file_of_questions_gets_one_line(tmp_path, columns, rows, line):
    assert refused(load, file_of(tmp_path, columns, rows)).startswith(line)


HEAD = ",".join(QUESTIONS).encode()
BAD_BYTES = [
    ("an open quote", HEAD + b'\n"a,b\n', "row 2: is no CSV: unexpected end of data; save it again as CSV"),
    ("a letter behind a quote", HEAD + b'\n"a"b,c\n', "row 2: is no CSV: "),
    ("neither encoding", HEAD + b"\n\xff\xff\n", "row 2: is not UTF-8 or GB18030: "),
    ("UTF-16", text_of(QUESTIONS, ROWS).encode("utf-16"), "row 1: is not UTF-8 or GB18030: "),
    ("nothing", b"", "row 1: lacks the column 大科目类别"),
    ("a page", b"<!doctype html>\n<p>404</p>\n", "row 1: lacks the column 大科目类别"),
]


@pytest.mark.parametrize(
    ("content", "line"), [case[1:] for case in BAD_BYTES], ids=[case[0] for case in BAD_BYTES]
)
def test_what_is_no_csv_gets_one_line(tmp_path, content, line):
    path = tmp_path / "made.csv"
    path.write_bytes(content)
    assert refused(load, path).startswith(line)


# --- the published questions ---


@pytest.fixture(scope="module")
def published(mirror):
    return mirror / "cgeval/all_questions_without_answers.csv"


def prompts_of(instances, path):
    facts = benchmark_facts("cgeval")
    wording = {
        "template": facts["methods"]["published"],
        "texts": facts["texts"],
        "types": None,
        "strip": facts["strip"],
    }
    return [row.prompt for row in render.render(instances, wording, fields(None, None), path)]


def column(path, name):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return [row[name] for row in csv.DictReader(file)]


def test_the_published_questions(published):
    found = load(published)
    assert len(found) == 11_000
    assert Counter(one.type for one in found) == {
        "名词解释": 5100, "简答题": 5100, "小学计算": 100, "应用题": 100, "计算求解": 600,
    }  # fmt: skip
    assert len({one.subject for one in found}) == 55
    assert len({one.extra["raw_subject"] for one in found}) == 57
    assert len({one.extra["category"] for one in found}) == 6
    assert len({(one.extra["category"], one.subject) for one in found}) == 55
    assert not {one.subject for one in found} & {one.extra["category"] for one in found}
    assert [str(one.extra["length"]) for one in found] == column(published, "题目答案的汉字长度")


def test_prompts_are_the_published_ones(published):
    found = prompts_of(load(published), published)
    theirs = column(published, "题目prompt")
    assert len(found) == len(theirs) == 11_000
    assert [n for n, pair in enumerate(zip(found, theirs, strict=True)) if pair[0] != pair[1]] == []


def test_prompts_of_the_mini_questions_are_those_of_their_column():
    path = REPO / "data/mini/cgeval/all_questions_without_answers.csv"
    assert prompts_of(load(path), path) == column(path, "题目prompt")


# --- references ---

BY_ID = {one.id: one for one in FOUND}
TEXTS = {one.id: one for one in FOUND[:2]}
ANSWERED = [*KEY, "题目答案", "解题过程"]
ANSWERS = [
    ("猫学", "名词解释", "0", "垫在下面的物品。", ""),
    ("猫学", "简答题", "0", "对。", ""),
    ("小学数学", "小学计算", "0", "12", "3×4=12"),
]


def test_references_come_with_their_solutions(tmp_path):
    assert references.read(file_of(tmp_path, ANSWERED, ANSWERS[::-1]), BY_ID) == {
        "猫学 名词解释 #0": ("垫在下面的物品。", ""), "猫学 简答题 #0": ("对。", ""), "小学数学 小学计算 #0": ("12", "3×4=12"),
    }  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("cell", ["", "None", '"对",\n', "🙂", "對", " 对 ", "对" * 10_000])
def test_a_reference_is_untouched(tmp_path, encoding, cell):
    rows = [(*ANSWERS[0][:3], cell, ""), ANSWERS[1]]
    found = references.read(file_of(tmp_path, ANSWERED, rows, encoding, "\r\n"), TEXTS)
    assert found["猫学 名词解释 #0"].answer == cell


def test_a_reference_is_found_under_the_mended_subject(tmp_path):
    (one,) = load(file_of(tmp_path, QUESTIONS, [changed(TERM, "子科目名称", "猫学（一)")]))
    path = file_of(tmp_path, ANSWERED, [("猫学（一） ", "名词解释", " 0", "垫", "")])
    assert references.read(path, {one.id: one}) == {one.id: ("垫", "")}


def test_solutions_are_needed_for_computations_alone(tmp_path):
    columns, rows = without("解题过程", ANSWERED, ANSWERS)
    assert references.read(file_of(tmp_path, columns, rows[:2]), TEXTS)["猫学 简答题 #0"] == ("对。", "")
    line = refused(references.read, file_of(tmp_path, columns, rows), BY_ID)
    assert line == f"row 1: lacks the column 解题过程; it needs {','.join(ANSWERED)}"


# (the rows, the line behind the file's name)
BAD_REFERENCES = [
    (
        [*ANSWERS, ("狗学", "名词解释", "0", "狗。", "")],
        "row 5: is of no question: 狗学 名词解释 #0; mend or remove the row",
    ),
    ([*ANSWERS, ("猫学", "名词解释", "00", "猫。", "")], "row 5: is of no question: 猫学 名词解释 #00"),
    (ANSWERS[1:], f"has no row for 猫学 名词解释 #0 (1 of 3 have none); add rows with {','.join(ANSWERED)}"),
    ([], "has no row for 猫学 名词解释 #0 (3 of 3 have none)"),
    ([*ANSWERS, ANSWERS[1]], "row 5: has the key of row 3: 猫学 简答题 #0; remove one of the two"),
]


@pytest.mark.parametrize(("rows", "line"), BAD_REFERENCES)
def test_bad_references_get_one_line(tmp_path, rows, line):
    assert refused(references.read, file_of(tmp_path, ANSWERED, rows), BY_ID).startswith(line)


# --- replies in the submission form ---

PROMPTS = {one.id: f"请解释：{one.question}" for one in FOUND}
REPLIED = [*KEY, "回答"]
REPLIES = [(*row[:3], f"reply {n}") for n, row in enumerate(ANSWERS)]


def recorded(path, prompts=PROMPTS, present=False):
    return generate.recorded(path, path.name, BY_ID, prompts, present)


def texts(path, **settings):
    return {row.instance: row.text for row in recorded(path, **settings)}


@pytest.mark.parametrize("turn", [1, -1])
def test_replies_come_in_the_order_of_the_prompts(tmp_path, turn):
    assert list(recorded(file_of(tmp_path, REPLIED, REPLIES[::turn]))) == [
        Generation(id, 0, f"reply {n}", finish=None, model=None, usage=None, recorded_answer=None)
        for n, id in enumerate(PROMPTS)
    ]


CELLS = [
    "",
    "None",
    "nan",
    " ",
    "\n",
    '"a",\n"b"',
    "a\r\nb",
    "a\rb",
    "🙂",
    "墊子",
    "\u2028",
    "垫" * 10_000,
    "Ａ１ a1",
    "\x00",
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
@pytest.mark.parametrize("cell", CELLS, ids=range(len(CELLS)))
def test_a_reply_is_untouched(tmp_path, encoding, cell):
    quoted = '"' + cell.replace('"', '""') + '"'
    path = tmp_path / "made.csv"
    path.write_bytes(f"{','.join(REPLIED)}\r\n{','.join(TERM[1:4])},{quoted}\r\n".encode(encoding))
    assert texts(path, present=True) == {"猫学 名词解释 #0": cell}


def test_a_missing_reply_is_refused_or_left_out(tmp_path):
    path = file_of(tmp_path, REPLIED, REPLIES[1:2])
    assert texts(path, present=True) == {"猫学 简答题 #0": "reply 1"}
    assert refused(recorded, path) == (
        "row 猫学 名词解释 #0: no reply to this instance (2 of 3 have none); complete the file or set `instances: present`"
    )
    assert "(3 of 3 have none)" in refused(recorded, file_of(tmp_path, REPLIED, []), present=True)


def test_replies_to_questions_that_are_not_asked_are_left_out(tmp_path):
    asked = {id: PROMPTS[id] for id in list(PROMPTS)[:1]}
    assert texts(file_of(tmp_path, REPLIED, REPLIES), prompts=asked) == {"猫学 名词解释 #0": "reply 0"}


def test_a_prompt_that_the_file_keeps_must_be_the_rendered_one(tmp_path):
    rows = [(*row, prompt) for row, prompt in zip(REPLIES, PROMPTS.values(), strict=True)]
    assert len(texts(file_of(tmp_path, [*REPLIED, "题目prompt"], rows))) == 3
    rows[1] = (*REPLIES[1], PROMPTS["猫学 简答题 #0"] + " ")
    line = refused(recorded, file_of(tmp_path, [*REPLIED, "题目prompt"], rows))
    assert line == "row 5: field 题目prompt: was made from another prompt; check dataset and method"


BAD_REPLIES = [
    (
        REPLIED,
        [*REPLIES, ("狗学", "名词解释", "0", "x")],
        "row 5: is of no question: 狗学 名词解释 #0; mend or remove the row",
    ),
    (REPLIED, [*REPLIES, REPLIES[0]], "row 5: has the key of row 2: 猫学 名词解释 #0; remove one of the two"),
    (
        *without("回答", REPLIED, REPLIES),
        "row 1: lacks the column 回答; it needs 子科目名称,题目类型,题目编号,回答",
    ),
    ([*REPLIED, "回答"], [(*row, "x") for row in REPLIES], "row 1: has a column twice"),
]


@pytest.mark.parametrize(("columns", "rows", "line"), BAD_REPLIES)
def test_bad_replies_get_one_line(tmp_path, columns, rows, line):
    assert refused(recorded, file_of(tmp_path, columns, rows)).startswith(line)


# --- the submission file ---


def completion(id, text):
    return Completion(id, 0, text, len(text), None, None)


def written(folder, replies):
    path = folder / "submission.csv"
    rows = [completion(id, text) for id, text in replies.items()]
    path.write_bytes(submission.text(BY_ID, PROMPTS, rows).encode("utf-8"))
    return path


def test_a_submission_is_the_published_form_and_the_replies(tmp_path):
    rows = [
        (*row[:6], prompt, f"reply {n}")
        for n, (row, prompt) in enumerate(zip(ROWS, PROMPTS.values(), strict=True))
    ]
    path = written(tmp_path, {id: f"reply {n}" for n, id in enumerate(PROMPTS)})
    assert path.read_bytes() == b"\xef\xbb\xbf" + text_of([*QUESTIONS, "回答"], rows).encode("utf-8")
    assert load(path) == FOUND


TEXT = st.text(
    st.sampled_from('\r\n",;a 垫🙂\x00\ufeff') | st.characters(exclude_categories=["Cs"]), max_size=20
)


@given(st.lists(TEXT, min_size=3, max_size=3))
def test_replies_are_read_back_from_a_submission(tmp_path_factory, replies):
    given = dict(zip(PROMPTS, replies, strict=True))
    assert texts(written(tmp_path_factory.mktemp("submission"), given)) == given


@pytest.mark.parametrize("reply", ["a\rb", "\r", "\x00", "=1+1", "'", "\ufeff", "x" * 200_000])
def test_odd_replies_are_read_back_from_a_submission(tmp_path, reply):
    given = dict(zip(PROMPTS, [reply, "", "None"], strict=True))
    assert texts(written(tmp_path, given)) == given


def test_a_lone_surrogate_becomes_a_question_mark(tmp_path):
    found = texts(written(tmp_path, dict(zip(PROMPTS, ["a\ud800b", "", ""], strict=True))))
    assert found["猫学 名词解释 #0"] == "a?b"


def test_the_raw_subject_stands_in_a_submission(tmp_path):
    rows = [changed(TERM, "子科目名称", "猫学（一) ")]
    (one,) = load(file_of(tmp_path, QUESTIONS, rows))
    text = submission.text({one.id: one}, {one.id: TERM[6]}, [completion(one.id, "x")])
    assert text == "\ufeff" + text_of([*QUESTIONS, "回答"], [(*rows[0], "x")])


def test_the_recorded_mini_replies_are_a_submission(tmp_path):
    folder = REPO / "data/mini/cgeval"
    path = folder / "all_questions_without_answers.csv"
    found = load(path)
    by_id = {one.id: one for one in found}
    prompts = dict(zip(by_id, prompts_of(found, path), strict=True))
    replies = generate.recorded(folder / "recorded/handwritten.csv", "handwritten", by_id, prompts, False)
    text = submission.text(by_id, prompts, [completion(row.instance, row.text) for row in replies])
    assert text.encode("utf-8") == (folder / "recorded/handwritten.csv").read_bytes()


def test_the_columns_are_those_of_the_published_file():
    assert [*sheets.QUESTION_COLUMNS] == QUESTIONS
    assert [*submission.COLUMNS] == [*QUESTIONS, "回答"]
