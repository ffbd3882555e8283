r"""Whether two canonical final answers say the same: roots in any order, unknowns in any order, equal expressions.

An answer is a set of alternatives (`x=1或x=-3`, `x_{1}=1,x_{2}=-3`, `x=1,x=-3`, `x=\pm 2`, `\{1,-3\}`), an alternative
the values of its unknowns (`x=1,y=-3`), and a value an expression, an interval or point, or an inequality. Left sides
are compared as they are written, but a numbered unknown is the unknown, and one value may stand without a left side
that is an unknown. What else stands before the last `=` must equal what stands behind it. Values without a left side
keep their order (`1,-3` may be a maximum and a minimum).

An expression counts as equal to any other form of it: also to the sum that was to be factored, and to the calculation
that was asked for.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from evaltrail.benchmarks.cgeval.exact import number
from evaltrail.benchmarks.cgeval.latex import split

Equal = Callable[[str, str], bool | None]  # None: could not be found out

_MOST = 12  # alternatives, or values of one
_NAME = re.compile(r"[A-Za-z]'*(?:_\{\w+\})?(?:\([A-Za-z](?:,[A-Za-z])*\))?", re.ASCII)
_NUMBERED = re.compile(r"(?<=[xyz])_\{\d\}$", re.ASCII)  # a_{5} is one of a sequence
_CALCULATED = re.compile(r"\\(?:int|lim)(?![a-z])")
_COMMAND = re.compile(r"\\(?:frac|sqrt|pi|log|ln|lg|sin|cos|tan|cot)(?![a-z])")
_DERIVATIVE = re.compile(r"[fy]'(?:\(([a-z])\))?|\\frac\{dy\}\{d([a-z])\}|dy/d([a-z])")
_WITHIN = re.compile(r"([A-Za-z])\\in ?([(\[].*)")
_SET = re.compile(r"(?:(.*)\\in)?\\\{(?!\\emptyset)(.*)\\\}")
_RELATION = re.compile(r"(<|>|\\(?:le|ge|ne)(?![a-z]))")
_TURNED = {">": "<", r"\ge": r"\le"}


class Value(NamedTuple):
    """forms: the sides before the last that say what the value is, as 2x+1 in `y=2x+1=5`, which must equal it."""

    name: str  # the left side; "" where there is none
    text: str
    forms: tuple[str, ...] = ()


Alternative = tuple[Value, ...]


def same(first: str, second: str, equal: Equal) -> bool | None:
    """Whether two canonical answers say the same; None where that hangs on what `equal` could not find out.

    After the first that it could not, which took all the time that there is, it is not asked again.
    """
    answers = [alternatives(text) for text in (first, second)]
    if any(len(part) > _MOST for answer in answers for part in (answer, *answer)):
        return False
    gave_up = False

    def ask(a: str, b: str) -> bool | None:
        nonlocal gave_up
        verdict = None if gave_up else equal(a, b)
        gave_up = verdict is None
        return verdict

    return _matched(*answers, lambda a, b: _same_alternative(a, b, ask))


def alternatives(text: str) -> list[Alternative]:
    """The alternatives of a canonical answer, in the order in which they stand."""
    found: list[Alternative] = []
    name = ""
    for part in split(text, "或"):
        if members := _SET.fullmatch(part):
            found += [(Value(_plain(members[1] or ""), member),) for member in split(members[2], ",")]
            continue
        values: list[Value] = []
        for statement in split(part, ","):
            for value in _values(statement):
                if not _RELATION.search(value.text):
                    name = value.name or name  # "x=1或-3": the value without a name is one more of x
                    value = value._replace(name=name)
                values.append(value)
        if name and all(value.name == name for value in values):  # the same unknown over and over
            found += [(value,) for value in values]
        else:
            found.append(tuple(values))
    return [variant for alternative in found for variant in _signs(alternative)]


def _values(statement: str) -> list[Value]:
    r"""`x_{1}=x_{2}=2` holds two values of x; `y=(x+1)^{2}=x^{2}+2x+1` one of y, in two forms."""
    if within := _WITHIN.fullmatch(statement):
        return [Value(_plain(within[1]), within[2])]
    *sides, last = split(statement, "=")
    names = [side for side in sides if _NAME.fullmatch(side)]
    if not names:
        names = [side for side in sides[:1] if not _is_calculation(side)] or [""]
    forms = tuple(side for side in sides if side not in names)
    return [Value(_plain(name), last, forms) for name in names]


def _plain(name: str) -> str:
    """The unknown that a numbered unknown is."""
    return _NUMBERED.sub("", name)


def _signs(alternative: Alternative) -> Iterable[Alternative]:
    r"""Both readings of `\pm` and `\mp`, or the alternative itself; also where two `\pm` may not belong together."""
    signs = [sign for value in alternative for sign in re.findall(r"\\(?:pm|mp)(?![a-z])", value.text)]
    if not signs or len(set(signs)) < len(signs):
        return [alternative]
    return [
        tuple(v._replace(text=_sign(_sign(v.text, r"\pm", plus), r"\mp", minus)) for v in alternative)
        for plus, minus in ("+-", "-+")
    ]


def _sign(text: str, command: str, sign: str) -> str:
    return re.sub(re.escape(command) + r" ?(?![a-z])", sign, text)


def _same_alternative(first: Alternative, second: Alternative, equal: Equal) -> bool | None:
    if len(first) == len(second) == 1 and _one_name(first[0].name, second[0].name):
        return _same_forms(first[0], second[0], equal)
    ordered = [sorted(one, key=lambda value: value.name) for one in (first, second)]
    if [value.name for value in ordered[0]] != [value.name for value in ordered[1]]:
        return False
    return _all(_same_forms(a, b, equal) for a, b in zip(*ordered, strict=True))


def _same_forms(first: Value, second: Value, equal: Equal) -> bool | None:
    return _all(_same_value(form, second.text, equal) for form in (first.text, *first.forms, *second.forms))


def _one_name(*names: str) -> bool:
    """Whether two left sides say the same: both are the derivative, or one is left out that could as well be."""
    derivatives = [_DERIVATIVE.fullmatch(name) for name in names]
    if all(derivatives):
        return len({one[1] or one[2] or one[3] for one in derivatives} - {None}) < 2
    return "" in names and all(not name or _may_lack(name) for name in names)


def _may_lack(name: str) -> bool:
    """Whether a left side says no more than its right side: an unknown, a derivative, an integral or a limit."""
    if _NAME.fullmatch(name) or _DERIVATIVE.fullmatch(name):
        return True
    return bool(_CALCULATED.match(name)) and all(len(split(name, sign)) == 1 for sign in "+-")


def _is_calculation(side: str) -> bool:
    return not re.search("[A-Za-z]", _COMMAND.sub("", side))


def _same_value(first: str, second: str, equal: Equal) -> bool | None:
    first, second = first.removeprefix("+"), second.removeprefix("+")
    if first == second:
        return True
    numbers = number(first), number(second)
    if None not in numbers:
        return numbers[0] == numbers[1]
    for parts_of in (_inequality, _bracketed):
        signs, parts = zip(parts_of(first), parts_of(second), strict=True)
        if any(signs):
            return signs[0] == signs[1] and _all(
                _same_value(a, b, equal) for a, b in zip(*parts, strict=True)
            )
    return equal(first, second)


def _inequality(text: str) -> tuple[Sequence[str], list[str]]:
    """The signs of an inequality and what stands between them, from the smaller to the larger side."""
    pieces = _RELATION.split(text)
    sides, signs = [side.strip() for side in pieces[::2]], pieces[1::2]
    if all(sign in _TURNED for sign in signs):
        return [_TURNED[sign] for sign in reversed(signs)], sides[::-1]
    return signs, sides


def _bracketed(text: str) -> tuple[str, list[str]]:
    """The brackets of an interval or a point, with a comma for each further part, and its parts."""
    parts = split(text[1:-1], ",")
    if len(parts) > 1 and text[0] in "([" and text[-1] in ")]":
        return text[0] + "," * (len(parts) - 1) + text[-1], parts
    return "", [text]


def _matched(first: list, second: list, same_one: Callable) -> bool | None:
    """Whether each of `first` has its like in `second` and the other way round."""
    there = (_any(same_one(a, b) for b in second) for a in first)
    back = (_any(same_one(a, b) for a in first) for b in second)
    return _all(chain(there, back))


def _all(verdicts: Iterable[bool | None]) -> bool | None:
    """Whether all are True; None where that is open. Stops at the first False."""
    open_ones = 0
    for verdict in verdicts:
        if verdict is False:
            return False
        open_ones += verdict is None
    return None if open_ones else True


def _any(verdicts: Iterable[bool | None]) -> bool | None:
    """Whether one is True; None where that is open. Stops at the first True."""
    open_ones = 0
    for verdict in verdicts:
        if verdict:
            return True
        open_ones += verdict is None
    return None if open_ones else False
