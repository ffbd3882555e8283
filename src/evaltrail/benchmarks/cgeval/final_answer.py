"""The final answer of a computation, and the steps before it.

The prompts ask for a last line that begins with `最终答案：`. The last such line counts, whatever follows it; Markdown,
LaTeX, quotation marks, a number or signs may stand before the words and around the answer, and 是, 为 or 如下 before
the colon. Where nothing stands behind the colon the paragraph below counts, its lines without their list marks and
with commas between them. `小学计算` asks for the number alone, without that line: there the last line with a digit
counts.
"""

import re
from typing import NamedTuple

from evaltrail.benchmarks.cgeval.latex import LONGEST

VERSION = "2"  # of the rules

NUMBER_ALONE = "小学计算"

_LINE = re.compile("[^\n\r\u2028\u2029]+")
_TAG_NAME = "(?:b|strong|i|em|u|p|span|br)"
_TAG = rf"</?{_TAG_NAME} ?/?>"
_LABEL = re.compile(
    rf"(?:\\(?:text|textbf|mathbf|boxed)\{{|{_TAG}|\d{{1,2}}[.、)）]|\W|_)*+"
    rf"最[终終]答案(?:是|为|為|如下)?(?:{_TAG}|[^\w：:]|_)*+[：:][\s}}]*"
)
_PARAGRAPH = re.compile(r"\s*(\S(?:.*?(?=\n[^\S\n]*\n)|.*))", re.DOTALL)
_BOLD = re.compile(
    r"(?<![A-Za-z0-9)\]}])(?:\*\*|__)|(?:\*\*|__)(?![A-Za-z0-9({\[\\])"
)  # not the power in x**2
_MARKUP = re.compile(
    rf"```[A-Za-z]*|^#+ |<br ?/?>|</{_TAG_NAME}>|<({_TAG_NAME})>(?=(?s:.*)</\1>)", re.MULTILINE
)  # a<b>c are inequalities
_ITEM = re.compile(r"\s*(?:[-*•] +|\d{1,2}(?:\. +|[、)）]))")
_DELIMITERS = re.compile(r"\$|(?<!\\)\\[()\[\]]")
_BOX = re.compile(r"\\(?:boxed|fbox|text|textbf|mathrm)\{(.*)\}", re.DOTALL)
_EDGES = ' \t\n\r\f\v\u2028\u2029\u3000*`。.！;；,，“”"「」『』【】'


class FinalAnswer(NamedTuple):
    """`answer`: the text without what is wrapped around it; None when there is none.

    `rule`: "final-line", "below-final-line" (nothing stands on that line: the paragraph below it), "last-number"
    (`小学计算` without that line: the last line with a digit), or "none". `start`, `end`: the place of what was read,
    in code points of the reply. `steps`: how many code points of the reply are the steps; all of them where there is
    no such line.
    """

    answer: str | None
    rule: str
    start: int | None
    end: int | None
    steps: int


def final_answer(type: str, reply: str) -> FinalAnswer:
    """The final answer in `reply` to a question of `type`. Any string is a reply; nothing is raised."""
    for line in reversed(list(_LINE.finditer(reply))):
        if label := _LABEL.match(line[0]):
            return _behind(reply, line.start(), line.start() + label.end(), line.end())
    if type == NUMBER_ALONE:
        return _last_number(reply)
    return FinalAnswer(None, "none", None, None, len(reply))


def _behind(reply: str, steps: int, start: int, end: int) -> FinalAnswer:
    """The answer in `reply[start:end]`, what the line holds behind its colon, or else in the paragraph below."""
    if answer := unwrapped(reply[start:end]):
        return FinalAnswer(answer, "final-line", start, end, steps)
    below = _PARAGRAPH.match(reply, end)
    if below and (answer := unwrapped(below[1])):
        return FinalAnswer(answer, "below-final-line", *below.span(1), steps)
    return FinalAnswer(None, "none", start, end, steps)


def _last_number(reply: str) -> FinalAnswer:
    """The last line with a digit; where there is none, as in `零`, all of it."""
    lines = [line for line in _LINE.finditer(reply) if any(map(str.isdecimal, line[0]))]
    start, end = lines[-1].span() if lines else (0, len(reply))
    if answer := unwrapped(reply[start:end]):
        return FinalAnswer(answer, "last-number", start, end, 0)
    return FinalAnswer(None, "none", None, None, len(reply))


def unwrapped(text: str) -> str:
    """`text` without the signs of Markdown and LaTeX around it and its parts, and without a full stop at its end."""
    if len(text) > LONGEST:
        return _trimmed(text)
    text = _trimmed(_DELIMITERS.sub("", _BOLD.sub("", _MARKUP.sub("", text))))
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and "\\" not in text:
        listed = all(map(_ITEM.match, lines))
        text = ",".join(_trimmed(_ITEM.sub("", line, count=1) if listed else line) for line in lines)
    # Of a group that opened before the words 最终答案.
    for _ in range(text.count("}") - text.count("{")):
        text = _trimmed(text.removesuffix("}"))
    while (box := _BOX.fullmatch(text)) and _balanced(box[1]):
        text = _trimmed(box[1])
    return text


def _trimmed(text: str) -> str:
    """`text` without what ends a sentence or marks it; the point of `.5` and the star of `z^*` stay."""
    trimmed = text.rstrip(_EDGES).lstrip(_EDGES.replace(".", ""))
    return f"{trimmed}*" if trimmed.endswith("^") else trimmed


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0
