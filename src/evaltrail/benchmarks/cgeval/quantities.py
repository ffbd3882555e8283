r"""The values of an answer to 应用题: in each part between commas a value with its unit, and what is said before it.

A value is what stands behind the last `=`, but not behind another value, as in `12元=3角`. `\approx` and a bracket
around the unit or around all are left out. `64元和38元` are two parts. A value may have several numbers, all of which
count: `6点32又8/11分`, `3:5`, `12盒剩3个`.

What is said before the first number may be left out on one side, and else must be the same or a piece of the other
(`书架` and `书架的价格`), without words that say nothing (`是`, `需要`). But a limit (不, 不到, 超过, <, 零下, 第,
降到) must stand on both sides or on none. What would be part of the number (`百分之5`, `x+5`) makes it no value. Where
all parts have names, the parts of one name are compared, in any order.
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

# Words end in a Chinese character that is no numeral, or in a sign that is no part of a number.
_WORDS = re.compile(
    r"(?:[^-+*/^_]*(?:(?![零〇一二三四五六七八九十百千万亿两几点之半双倍个])[\u4e00-\u9fff]|[:¥€£<>(]))?"
)
_LEFT_SIDE = re.compile(r"(?:[^-+*/^_\d(\\]*)(?:[\d({].*|\\frac.*)?")

_LIMITS = {
    "at least": re.compile("不少于|不小于|不低于"),
    "at most": re.compile("不超过|不大于|不多于|不高于"),
    "below": re.compile("不到|不足|不满|未满|小于|少于|低于|<"),
    "above": re.compile("大于|多于|超过|高于|>"),
    "near": re.compile("接近|将近|几乎"),
    "not": re.compile("[不没非未无错除]"),
    "negative": re.compile("零下|负"),
    "to": re.compile("[到至]$"),
    "place": re.compile("[第前后]$"),
}
_FILLERS = re.compile(r"^(?:答[:,]?|[还只才就]|[一总](?=共))+|(?:需要?|[是为有要应的下了:=,]|等于|大?约)+$")


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
    ordered = _in_order_of(*found)
    return bool(ordered) and all(_alike(a, b, shares) for a, b in zip(ordered, found[1], strict=True))


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
    if not found or not _LEFT_SIDE.fullmatch(head) or not _WORDS.fullmatch(found["words"]):
        return None
    numbers = list(_NUMBER.finditer(found["value"]))
    values = tuple(exact.value(number) for number in numbers)
    if None in values:
        return None
    ends = [*((one.end(), two.start()) for one, two in pairwise(numbers)), (numbers[-1].end(), None)]
    texts = [one["percent"] + found["value"][slice(*end)] for one, end in zip(numbers, ends, strict=True)]
    if " " in texts:  # 15 000: one number or two
        return None
    return Quantity(re.match(r"[^\d=(\\]*", head)[0] + found["words"], values, tuple(texts))


def _in_order_of(found: list[Quantity], expected: list[Quantity]) -> list[Quantity] | None:
    """`found` in the order of `expected` by their names, as it is where not all have one; None for other names."""
    names = [[_said(one.words)[1] for one in of] for of in (found, expected)]
    if len(found) == 1 or not all(map(all, names)):
        return found
    places = [_places(names[0], name) for name in names[1]]
    return [found[at] for (at,) in places] if sorted(places) == [[at] for at in range(len(found))] else None


def _places(names: list[str], name: str) -> list[int]:
    """Where `name` is among `names`: as it is, or else at the end of one or as a piece of one (or one of it)."""
    for like in (str.__eq__, _is_end, _is_piece):
        if places := [at for at, one in enumerate(names) if like(one, name)]:
            return places
    return []


def _is_end(one: str, other: str) -> bool:
    return _is_piece(one, other) and (one.endswith(other) or other.endswith(one))


def _is_piece(one: str, other: str) -> bool:
    """Whether the shorter says the same with less, as 书架 for 书架的价格; but 长 is not 周长."""
    piece, whole = sorted((one, other), key=len)
    if len(piece) != 1 or piece == whole:
        return piece in whole
    return whole.endswith(f"的{piece}") or whole.startswith(f"{piece}的")


def _alike(first: Quantity, second: Quantity, shares: bool) -> bool:
    texts = [one.texts for one in (first, second)]
    if shares:
        texts = [tuple(text.removeprefix("%") for text in one) for one in texts]
    limits, words = zip(_said(first.words), _said(second.words), strict=True)
    agree = limits[0] == limits[1] and _is_piece(*words)
    return first.numbers == second.numbers and texts[0] == texts[1] and agree


def _said(words: str) -> tuple[set[str], str]:
    """The limits that are named, and what else is said."""
    found = set()
    for name, pattern in _LIMITS.items():
        words, times = pattern.subn("", words)
        found |= {name} if times else set()
    return found, _FILLERS.sub("", words)
