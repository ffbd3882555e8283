r"""The values of an answer to 应用题: in each part between commas a value with its unit, and what is said before it.

A value is what stands behind the last `=`, but not behind another value, as in `12元=3角`. `\approx` and a bracket
around the unit or around all are left out. `64元和38元` are two parts. A value may have several numbers, all of which
count: `6点32又8/11分`, `3:5`, `12盒剩3个`.
Words before the first number are not compared, except that

- a negation or a limit (不, 没, 不到, 超过, <, 零下) must stand on both sides or on none;
- directions (升 and 降, 上午 and 下午, 多 and 少) must not disagree where both sides have them, nor may the order of
  甲, 乙, 丙, 丁, of 东, 西, 南, 北 and of 男, 女;
- where each part of the one has its name in exactly one part of the other, these two are compared, in any order.
"""

import re
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from evaltrail.benchmarks.cgeval import exact
from evaltrail.benchmarks.cgeval.latex import LONGEST, split

_PART = re.compile(rf"(?P<words>[^\d\\]*?)(?P<value>{exact.PATTERN}.*)", re.ASCII)
_VALUE = re.compile(rf"{exact.PATTERN}[^-+*/()\d]*", re.ASCII)
_APPROXIMATELY = re.compile(r"\\approx ?")
_BRACKETED_UNIT = re.compile(r"\(([^()\d]+)\)$")
_AND = re.compile("以及|[和与及]")
_NUMBER = re.compile(exact.PATTERN, re.ASCII)

_LIMITS = {
    "at least": re.compile(r"不少于|不小于|不低于|\\ge(?![a-z])"),
    "at most": re.compile(r"不超过|不大于|不多于|不高于|\\le(?![a-z])"),
    "below": re.compile("不到|不足|不满|未满|小于|少于|低于|<"),
    "above": re.compile("大于|多于|超过|高于|>"),
    "not": re.compile("[不没非未无]"),
    "negative": re.compile("零下|负"),
}
_DIRECTIONS = tuple(
    tuple(map(re.compile, axis))
    for axis in (
        ("[升涨增多盈快赚高]", "[降跌减少亏慢赔低]"),
        ("上午", "下午"),
        ("早", "晚"),
        ("左", "右"),
        ("顺", "逆"),
    )
)
_NAMED = re.compile("[东西南北甲乙丙丁男女]")
_SAID = r"需要?|是|为|有|共|花|得|用|付|剩|占|等于|[:：]|多|少|快|慢|增加|减少|提高|降低|了"
_NO_NAME = re.compile(rf"(?:{_SAID}|要|大?约|的|单价|各|每[^\d]|[=,])+$")


class Quantity(NamedTuple):
    """numbers: the numbers of a value, exactly; texts: what stands behind each, with its percent sign."""

    words: str
    numbers: tuple[Fraction, ...]
    texts: tuple[str, ...]


def same(first: str, second: str, shares: bool = False) -> bool:
    """Whether two canonical answers have the same values; shares: with 25% and 0.25 alike."""
    found = quantities(first), quantities(second)
    if None in found or len(found[0]) != len(found[1]):
        return False
    return all(_alike(a, b, shares) for a, b in zip(_in_order_of(*found), found[1], strict=True))


def quantities(text: str) -> list[Quantity] | None:
    """The value of each part; None where a part has none."""
    if len(text) > LONGEST:
        return None
    if text.startswith("(") and text.endswith(")") and len(split(text[1:-1], ",")) > 1:
        text = text[1:-1]
    found = [_quantity(part) for whole in split(text, ",") for part in _parts(whole)]
    return None if None in found else found


def _parts(text: str) -> list[str]:
    """The parts of `64元和38元`; of `甲和乙共12元` all."""
    parts = _AND.split(text)
    return parts if all(_NUMBER.search(part) for part in parts) else [text]


def _quantity(part: str) -> Quantity | None:
    head, _, part = _APPROXIMATELY.sub("", part).rpartition("=")
    if any(_VALUE.fullmatch(side) and side != part for side in head.split("=")):
        return None
    found = _PART.fullmatch(_BRACKETED_UNIT.sub(r"\1", part))
    if not found:
        return None
    numbers = list(_NUMBER.finditer(found["value"]))
    values = tuple(exact.value(number) for number in numbers)
    if None in values:
        return None
    ends = [*((one.end(), two.start()) for one, two in pairwise(numbers)), (numbers[-1].end(), None)]
    texts = [one["percent"] + found["value"][slice(*end)] for one, end in zip(numbers, ends, strict=True)]
    if " " in texts:  # 15 000: one number or two
        return None
    return Quantity(re.match(r"[^\d=]*", head)[0] + found["words"], values, tuple(texts))


def _in_order_of(found: list[Quantity], expected: list[Quantity]) -> list[Quantity]:
    """`found` in the order of `expected` by their names; as it is where the names do not say."""
    names = [[_NO_NAME.sub("", one.words) for one in of] for of in (found, expected)]
    if not all(map(all, names)):
        return found
    places = [[at for at, one in enumerate(names[0]) if name in one or one in name] for name in names[1]]
    if sorted(places) != [[at] for at in range(len(found))]:
        return found
    return [found[at] for (at,) in places]


def _alike(first: Quantity, second: Quantity, shares: bool) -> bool:
    texts = [one.texts for one in (first, second)]
    if shares:
        texts = [tuple(text.removeprefix("%") for text in one) for one in texts]
    return first.numbers == second.numbers and texts[0] == texts[1] and _agree(first.words, second.words)


def _agree(*words: str) -> bool:
    """Whether what is said before two values does not contradict."""
    limits, rest = zip(*map(_limits, words), strict=True)
    named = [_NAMED.findall(text) for text in rest]
    if limits[0] != limits[1] or (all(named) and named[0] != named[1]):
        return False
    said = [[{one for one in axis if one.search(text)} for axis in _DIRECTIONS] for text in rest]
    return all(not a or not b or a == b for a, b in zip(*said, strict=True))


def _limits(words: str) -> tuple[set[str], str]:
    """The limits that are named, and the words without them."""
    found = set()
    for name, pattern in _LIMITS.items():
        words, times = pattern.subn("", words)
        found |= {name} if times else set()
    return found, words
