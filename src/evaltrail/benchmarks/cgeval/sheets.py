"""CG-Eval's CSV files: the published questions, a user's references, and the form in which its site takes replies.

They are read as UTF-8, or as GB18030 where they are not, for so spreadsheets save them in China. A question's key is
its subject, type and number. Subjects are mended in all files alike.
"""

from collections.abc import Iterator

from evaltrail import person
from evaltrail.errors import InputError

CATEGORY, SUBJECT, TYPE, NUMBER = "大科目类别", "子科目名称", "题目类型", "题目编号"
QUESTION, LENGTH, PROMPT = "题目文本", "题目答案的汉字长度", "题目prompt"
ANSWER, SOLUTION, REPLY = "题目答案", "解题过程", "回答"
KEY = (SUBJECT, TYPE, NUMBER)
QUESTION_COLUMNS = (CATEGORY, *KEY, QUESTION, LENGTH, PROMPT)


def read(path, columns: tuple[str, ...]) -> Iterator[tuple[int, str, dict[str, str]]]:
    """Line, instance id and cells of each row; other columns may stand beside. Raises InputError for a doubled key."""
    seen: dict[str, int] = {}
    for number, cells in person.read(path, list(columns), more=True, encodings=("utf-8", "gb18030")):
        id = instance_id(*(cells[column] for column in KEY))
        if id in seen:
            fix = "remove one of the two"
            raise InputError(path, f"has the key of row {seen[id]}: {id}", row=number, fix=fix)
        seen[id] = number
        yield number, id, cells


def instance_id(subject: str, type: str, number: str) -> str:
    """The id of a question: its mended subject, its type, and its number there."""
    return f"{mended(subject)} {type} #{number.strip()}"


def mended(subject: str) -> str:
    """The subject as tables name it: no white space around it, and a full-width bracket is closed by one.

    So the 57 published names become 55.
    """
    subject = subject.strip()
    return subject.replace(")", "）") if "（" in subject and "(" not in subject else subject
