"""The final answer of a computation, and the steps before it.

The prompts ask for a last line that begins with `最终答案：`. The last such line counts, whatever follows it; Markdown
and LaTeX may stand around the words and around the answer. `小学计算` asks for the number alone, without that line.
"""

import re
from typing import NamedTuple

VERSION = "1"  # of the rules

NUMBER_ALONE = "小学计算"

_LINE = re.compile("[^\n\r\u2028\u2029]+")
_LABEL = re.compile(
    r"(?:[\s>#*_`$-]|\\\[|\\\(|\\(?:text|textbf|mathbf|boxed)\{)*+最终答案[\s*_`}]*+[：:][\s}]*"
)
_PARAGRAPH = re.compile(r"\s*(\S(?:.*?(?=\n[^\S\n]*\n)|.*))", re.DOTALL)
_BOLD = re.compile(r"(?<![A-Za-z0-9)\]}])\*\*|\*\*(?![A-Za-z0-9({\[\\])")  # not the power in x**2
_DELIMITERS = re.compile(r"\$|(?<!\\)\\[()\[\]]")
_BOX = re.compile(r"\\(?:boxed|fbox|text|textbf|mathrm)\{(.*)\}", re.DOTALL)
_LONGEST = 2000  # characters; what is longer is no final answer and need not look like one
_EDGES = " \t\n\r\f\v\u2028\u2029\u3000*`。.;；,，"


class FinalAnswer(NamedTuple):
    """`answer`: the text without what is wrapped around it; None when there is none.

    `rule`: "final-line", "below-final-line" (nothing stands on that line: the paragraph below it), "whole-reply"
    (`小学计算` without that line), or "none". `start`, `end`: the place of what was read, in code points of the reply.
    `steps`: how many code points of the reply are the steps; all of them where there is no such line.
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
    if type == NUMBER_ALONE and (answer := unwrapped(reply)):
        return FinalAnswer(answer, "whole-reply", 0, len(reply), 0)
    return FinalAnswer(None, "none", None, None, len(reply))


def _behind(reply: str, steps: int, start: int, end: int) -> FinalAnswer:
    """The answer in `reply[start:end]`, what the line holds behind its colon, or else in the paragraph below."""
    if answer := unwrapped(reply[start:end]):
        return FinalAnswer(answer, "final-line", start, end, steps)
    below = _PARAGRAPH.match(reply, end)
    if below and (answer := unwrapped(below[1])):
        return FinalAnswer(answer, "below-final-line", *below.span(1), steps)
    return FinalAnswer(None, "none", start, end, steps)


def unwrapped(text: str) -> str:
    """`text` without the signs of Markdown and LaTeX around it and its parts, and without a full stop at its end."""
    text = _DELIMITERS.sub("", _BOLD.sub("", text)).strip(_EDGES)
    if len(text) > _LONGEST:
        return text
    for _ in range(
        max(text.count("}") - text.count("{"), 0)
    ):  # of a group that opened before the words 最终答案
        text = text.removesuffix("}").strip(_EDGES)
    while (box := _BOX.fullmatch(text)) and _balanced(box[1]):
        text = box[1].strip(_EDGES)
    return text


def _balanced(text: str) -> bool:
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            return False
    return depth == 0
