"""The three types of computations: whether the final answer is right, how close the steps are, and the Gscore.

Strict, the default: two final answers are equal when they are written alike after the normalisation of `latex`, and
numbers when they have the same value, exactly. By type:

小学计算    one number; where a reply or the reference repeats the task, what stands behind the last `=`, but no
            number before it may be another
应用题      as many values as the reference, in its order or by their names, each with its unit as text (`%` too);
            `quantities` says what is read of the words before a value
计算求解    the alternatives between `或`, in each the statements between commas, in each the sides between `=`

Words around the formula of a 计算求解 that say no more than it are left out (`_REMARKS`).

Commas and spaces between a digit and three more are read both ways, as separating values and as in 1,000: one must be
equal.

`equivalence: symbolic` asks `solutions` too where strict says no: equal expressions, roots and unknowns in any order;
and takes 25% for 0.25 in 应用题.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from evaltrail.benchmarks.cgeval import exact, final_answer, quantities, solutions
from evaltrail.benchmarks.cgeval.gscore import mathematics_gscore
from evaltrail.benchmarks.cgeval.latex import LONGEST, canonical, split
from evaltrail.benchmarks.cgeval.text_metrics import text_scores

CALCULATION, WORD_PROBLEM, EXPRESSION = TYPES = (final_answer.NUMBER_ALONE, "应用题", "计算求解")

_THOUSANDS = re.compile(
    r"(?<![\d.(\[{])(\d{1,3}(?:(?:[,，\u2009\u202f ]|\{,\}|\\[,: ])\d{3})+)(?!\d)", re.ASCII
)
_CALCULATION = re.compile(r"(?:[-+*/().\d= xX\[\]{}%]|\\frac)*", re.ASCII)
# What may be said around a formula, and what is left; nothing else, for other words may take back what they stand by.
_REMARKS = (
    (re.compile(r"[,，]?\s*[(（]?\s*(?:其中)?\s*\$?C\$?\s*[为是](?:任意|积分)?常数\s*[)）]?\s*$"), ""),
    (re.compile(r"[,，;；]\s*经检验[,，]?是原方程的[解根]$"), ""),
    (
        re.compile(r"^(?:解得|(?:原?方程组?的)?解[为是]|原式(?==))\s*[:：]?\s*(?=.)"),
        "",
    ),
    (re.compile(r"^\s*="), ""),
    (re.compile(r"^(?:原?方程组?|原?不等式组?|该?极限)(?=(?:无解|不存在|无实数?[根解])$)"), ""),
)


# x=3（x=-1舍去）
_DISCARDED = re.compile(
    r"((\$?[A-Za-z]\s*=)([^或,，;；\n]*?))\s*[(（]\s*\2([^()（）=,，一-鿿]*)[,，]?(?:不合题意[,，]?)?应?舍去?[)）]"
)
# What the formula is of: left out where the other answer does not name it.
_OF = re.compile(
    r"^(?:原?不等式组?的|函数的)?(定义域|值域|解集|\$?[a-z]\$?的取值范围)[为是]\s*[:：]?\s*(?=.)"
)


class Reference(NamedTuple):
    answer: str
    steps: str


class MathScore(NamedTuple):
    """One reply. `verdict`: why it has its accuracy: "equal", "symbolic", "different", "none" (the reply, or the
    reference, has no final answer) or "undecided" (`equivalence: symbolic` ran into its limit; counts as different).

    step_chrf: 0 to 1; None for 小学计算, which asks for no steps.
    """

    accuracy: int
    verdict: str
    step_chrf: float | None
    gscore: float


def reference(type: str, answer: str, solution: str) -> Reference:
    """The reference of two cells: the answer, and the worked solution, which may end with a final answer of its own.

    A cell `answer` that holds a solution and its final line gives both.
    """
    found, worked = final_answer.final_answer(type, answer), final_answer.final_answer(EXPRESSION, solution)
    steps = solution[: worked.steps]
    if found.rule in ("none", "last-number"):
        return Reference(final_answer.unwrapped(answer), steps)
    return Reference(found.answer, steps or answer[: found.steps])


def verdict(type: str, answer: str | None, expected: str, equal: solutions.Equal | None = None) -> str:
    """The verdict (see MathScore) on a final answer against that of the reference.

    equal: of two canonical expressions, as `judge.Judge.equal`; None for strict comparison.
    """
    if answer is None or not answer.strip() or not expected.strip():
        return "none"
    texts = _formulas(answer, expected) if type == EXPRESSION else [answer, expected]
    variants = [[canonical(read(text)) for text in texts] for read in (str, _without_thousands)]
    if any(_strict(type, *pair) for pair in variants):
        return "equal"
    if equal is None or type == CALCULATION:
        return "different"
    if type == WORD_PROBLEM:
        alike = any(quantities.same(*pair, shares=True) for pair in variants)
        return "symbolic" if alike else "different"
    pair = [canonical(text, products=True) for text in texts]
    return {True: "symbolic", False: "different", None: "undecided"}[solutions.same(*pair, equal)]


def scores(
    rows: Iterable[tuple[str, str | None, str, Reference]],
    equal: solutions.Equal | None = None,
    metrics: Callable[[Iterable[tuple[str, str]]], Iterator] = text_scores,
) -> Iterator[MathScore]:
    """The scores of (type, answer, reply, reference) rows, in their order; `metrics` as in `text_metrics`.

    answer: the final answer as it was read of the reply or as a person ruled; None where there is none. Of the reply
    the steps alone are read.
    """
    rows = list(rows)
    steps = metrics((_steps(type, reply), expected.steps) for type, _, reply, expected in rows)
    for (type, answer, _, expected), step in zip(rows, steps, strict=True):
        why = verdict(type, answer, expected.answer, equal)
        accuracy = int(why in ("equal", "symbolic"))
        chrf = None if type == CALCULATION else step.chrf
        yield MathScore(accuracy, why, chrf, mathematics_gscore(accuracy, chrf))


def _steps(type: str, reply: str) -> str:
    return reply[: final_answer.final_answer(type, reply).steps]


def _formulas(answer: str, expected: str) -> list[str]:
    """Both without the words around them that say no more than they."""
    texts = [_without_remarks(text) for text in (answer, expected)]
    named = [_OF.match(text[:LONGEST]) for text in texts]
    if all(named) and named[0][1] != named[1][1]:
        return texts
    return [text[name.end() :] if name else text for text, name in zip(texts, named, strict=True)]


def _without_remarks(text: str) -> str:
    """The formula without the words before and behind it."""
    if len(text) > LONGEST:
        return text
    for remark, left in _REMARKS:
        text = remark.sub(left, text)
    found = _DISCARDED.fullmatch(text)
    numbers = [exact.number(canonical(part)) for part in found.group(3, 4)] if found else [None]
    return found[1] if None not in numbers and numbers[0] != numbers[1] else text


def _without_thousands(text: str) -> str:
    return _THOUSANDS.sub(lambda found: re.sub(r"\D", "", found[1]), text)


def _strict(type: str, answer: str, expected: str) -> bool:
    """Whether two canonical final answers are equal as `type` has it."""
    if type == EXPRESSION:
        return _sides(answer) == _sides(expected)
    if type == WORD_PROBLEM:
        return answer == expected or quantities.same(answer, expected)
    value = _result(answer)
    return answer == expected or (value is not None and value == _result(expected))


def _result(calculation: str) -> Fraction | None:
    """The number, or the one behind the last `=` of a calculation."""
    before, _, number = calculation.rpartition("=")
    if not _CALCULATION.fullmatch(before) or exact.sides_differ(calculation):
        return None
    return exact.number(number)


def _sides(text: str) -> list:
    """The sides of the statements of the alternatives, numbers as their values."""
    return [
        [[_value(side) for side in split(statement, "=")] for statement in split(alternative, ",")]
        for alternative in split(text, "或")
    ]


def _value(side: str):
    value = exact.number(side)
    return side if value is None else value
