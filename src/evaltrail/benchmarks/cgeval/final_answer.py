"""The final answer of a computation, and the steps before it.

The prompts ask for a last line that begins with `最终答案：`. The last such line counts, whatever follows it; with the
lines below it that say another value: a number or an equation and hardly a word, or what 或 or a comma leads to.
Markdown, LaTeX, quotation marks, a number or signs may stand before the words and around the answer, and 是, 为 or 如下
before the colon. Where nothing stands behind the colon the paragraph below counts, its lines without their list marks
and with commas between them. `小学计算` asks for the number alone, without that line: there the last line with a digit
counts.
"""

import re
from typing import NamedTuple

from evaltrail.benchmarks.cgeval.latex import LONGEST

VERSION = "3"  # of the rules

NUMBER_ALONE = "小学计算"

_LINE = re.compile("[^\n\r\u2028\u2029]+")
_TAG_NAME = "(?:b|strong|i|em|u|p|span|br)"
_TAG = rf"</?{_TAG_NAME} ?/?>"
_LABEL = re.compile(
    rf"(?:\\(?:text|textbf|mathbf|boxed)\{{|{_TAG}|\d{{1,2}}[.、)）]|\W|_)*+"
    rf"最[终終]答案(?:是|为|為|如下)?(?:{_TAG}|[^\w：:]|_)*+[：:][\s}}]*"
)
_PARAGRAPH = re.compile(r"\s*(\S(?:.*?(?=\n[^\S\n]*\n)|.*))", re.DOTALL)
# What is wrapped around an answer and its parts, and what is left. a<b>c are inequalities, x**-2 and R* have no bold,
# and f`(x) is a derivative.
_WRAPPERS = (
    (re.compile(r"<br ?/?>"), "\n"),
    (re.compile(rf"```[A-Za-z]*|^#+ |</{_TAG_NAME}>|<({_TAG_NAME})>(?=(?s:.*)</\1>)", re.MULTILINE), ""),
    (
        re.compile(r"(?<![A-Za-z0-9)\]}])(?:\*\*|__)|(?:\*\*|__)(?![A-Za-z0-9α-ωΑ-Ω({\[\\.+\-−√|])"),
        "",
    ),
    (re.compile(r"(?<![\w)\]}])([*`])(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"\$|(?<!\\)\\[()\[\]]"), ""),
)
_ITEM = re.compile(r"\s*(?:[-*•] +|\d{1,2}(?:\. +|[、)）]))")
_BOX = re.compile(r"\\(?:boxed|fbox|text|textbf|mathrm)\{(.*)\}", re.DOTALL)
_AROUND = r'\s。；;，,“”"「」『』【】'
_BEFORE = re.compile(rf"[{_AROUND}*`！!]+")
_BEHIND = re.compile(
    rf"(?:[{_AROUND}]|(?<!\.)(?<!\\right)\.(?!\.)|(?<=[\u4e00-\u9fff])[*！!]+|(?<![A-Za-z])`)+$"
)  # not n!
# A line goes on where it ends so, and in one that says a value: it begins with 或, or says little else.
_GOES_ON = tuple("，,、;；或且和=")
_VALUE = re.compile(r"(?!\W*[答解注验检说分因所即故其将代])(?:\W*[或且和]\W*$|.*[\d=])", re.DOTALL)
_WORD = re.compile(r"[^\W_]")
_ONE_MORE = re.compile(r"\W*(?:或|且|以及)|[^一-鿿]*(?:[一-鿿][^一-鿿]*){0,3}$")


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
    if unwrapped(reply[start:end]):
        end = _end_of_answer(reply, start, end)
        return FinalAnswer(unwrapped(reply[start:end]), "final-line", start, end, steps)
    below = _PARAGRAPH.match(reply, end)
    if below and unwrapped(below[1]):
        begin, end = below.start(1), _end_of_answer(reply, *below.span(1))
        return FinalAnswer(unwrapped(reply[begin:end]), "below-final-line", begin, end, steps)
    return FinalAnswer(None, "none", start, end, steps)


def _end_of_answer(reply: str, start: int, end: int) -> int:
    """Where the answer ends of which `reply[start:end]` is the first line or paragraph.

    It goes on in lines that say one more value, and to the end of what `\\begin` began. Lines of signs say nothing.
    """
    lines = [line for line in _LINE.findall(reply, start, end) if _WORD.search(line)] or [""]
    line, depth = lines[-1], _depth(reply[start:end])
    for following in _LINE.finditer(reply, end):
        if not _WORD.search(following[0]):
            continue
        goes_on = line.rstrip(" \t*$").endswith(_GOES_ON) or _ONE_MORE.match(following[0])
        if depth <= 0 and not (goes_on and _VALUE.match(following[0])):
            break
        line, end = following[0], following.end()
        depth += _depth(line)
    return end


def _depth(text: str) -> int:
    return text.count(r"\begin{") - text.count(r"\end{")


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
        return text.strip()
    for wrapper, left in _WRAPPERS:
        text = wrapper.sub(left, text)
    text = _trimmed(text)
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and "\\" not in text:
        listed = all(map(_ITEM.match, lines))
        text = ", ".join(_trimmed(_ITEM.sub("", line, count=1) if listed else line) for line in lines)
    # Of a group that opened before the words 最终答案.
    for _ in range(text.count("}") - text.count("{")):
        text = _trimmed(text.removesuffix("}"))
    while (box := _BOX.fullmatch(text)) and _balanced(box[1]):
        text = _trimmed(box[1])
    return text


def _trimmed(text: str) -> str:
    """`text` without what ends a sentence or marks it; the points of `.5` and `0.3...` stay, and the star of `z^*`."""
    before = _BEFORE.match(text)
    return _BEHIND.sub("", text[before.end() :] if before else text)


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0
