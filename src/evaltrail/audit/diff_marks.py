"""Two texts side by side: which characters of each the other lacks, and long texts cut down to what is around them.

The time is bounded: texts are compared by lines and then by words only where there are few enough of them.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

SAME, CHANGED, LEFT_OUT = "same", "changed", "left out"
AROUND = 200  # characters of what is the same that are kept beside a change
LONGEST = 3000  # characters of one change that are kept
WHOLE = 12000  # characters of a text that are kept in all
PAIRS = 1_000_000  # lines or words of one text times those of the other that are compared
ALIKE = 0.3  # of two stretches that have a smaller share of words in common all words count as changed
LONG_WORD = 40  # characters; what is longer is not kept whole
# Lines; then words, where each Chinese or Japanese character is one.
_IN_WORD = r"[^\W\u3040-\u30ff\u3400-\u9fff]"
LEVELS = (re.compile(r".*\n|.+\Z"), re.compile(rf"{_IN_WORD}+\s*|\S\s*|\s+"))


class Part(NamedTuple):
    """A stretch of a text: the same in the other text, changed, or left out here (`text` says how much)."""

    kind: str
    text: str


class Block(NamedTuple):
    """A stretch of A and what stands for it in B; equal where nothing changed."""

    a: str
    b: str


def side_by_side(a: str, b: str) -> tuple[list[Part], list[Part]]:
    """The parts of both texts. Equal stretches are marked as such; all else is changed."""
    found = list(_blocks(a, b, LEVELS))
    return _parts([(block.a, block.a == block.b) for block in found]), _parts(
        [(block.b, block.a == block.b) for block in found]
    )


def common(a: str, b: str) -> int:
    """How many characters both texts begin with."""
    low, high = 0, min(len(a), len(b))
    if a[:high] == b[:high]:
        return high
    while low < high:  # the first `low` are the same, the first `high` + 1 are not
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _blocks(a: str, b: str, levels: tuple[re.Pattern, ...]) -> Iterator[Block]:
    """The blocks of two texts; what both begin and end with needs no closer look.

    Words stay whole until nothing finer is left; then two that are hardly alike are another word.
    """
    head = common(a, b)
    if levels:
        head -= _inside_word(a, b, head)
    end = common(a[head:][::-1], b[head:][::-1])
    if levels:
        end -= _inside_word(a[head:][::-1], b[head:][::-1], end)
    elif 2 * (head + end) < min(len(a), len(b)):
        head, end = 0, min(end, len(a) - len(a.rstrip()))
    middle_a, middle_b = a[head : len(a) - end], b[head : len(b) - end]
    if head:
        yield Block(a[:head], a[:head])
    if middle_a and middle_b and levels:
        yield from _compared(middle_a, middle_b, levels)
    elif middle_a or middle_b:
        yield Block(middle_a, middle_b)
    if end:
        yield Block(a[-end:], a[-end:])


def _inside_word(a: str, b: str, at: int) -> int:
    """How many characters of a word that goes on behind `at`, in either text, stand before it."""
    if not any(re.match(_IN_WORD, text[at : at + 1]) for text in (a, b)):
        return 0
    before = re.search(rf"{_IN_WORD}*\Z", a[max(0, at - LONG_WORD) : at])
    return len(before[0]) if len(before[0]) < LONG_WORD else 0


def _compared(a: str, b: str, levels: tuple[re.Pattern, ...]) -> Iterator[Block]:
    """The blocks of two texts that neither begin nor end alike."""
    pattern, *finer = levels
    pieces_a, pieces_b = pattern.findall(a), pattern.findall(b)
    if len(pieces_a) * len(pieces_b) > PAIRS:
        yield Block(a, b)
        return
    if len(pieces_a) == 1 or len(pieces_b) == 1:
        yield from _blocks(a, b, tuple(finer))
        return
    matcher = SequenceMatcher(None, pieces_a, pieces_b, autojunk=False)
    if not finer and matcher.ratio() < ALIKE:
        yield Block(a, b)
        return
    for kind, from_a, to_a, from_b, to_b in matcher.get_opcodes():
        block = Block("".join(pieces_a[from_a:to_a]), "".join(pieces_b[from_b:to_b]))
        if kind == "equal":
            yield block
        else:
            yield from _blocks(*block, tuple(finer))


def _parts(stretches: list[tuple[str, bool]]) -> list[Part]:
    """The stretches of one text as parts, neighbours of a kind joined, long ones shortened."""
    joined: list[Part] = []
    for text, same in stretches:
        kind = SAME if same else CHANGED
        if joined and joined[-1].kind == kind:
            joined[-1] = Part(kind, joined[-1].text + text)
        elif text:
            joined.append(Part(kind, text))
    return _cut_off([part for place, part in enumerate(joined) for part in _shortened(place, joined)])


def _shortened(place: int, parts: list[Part]) -> Iterator[Part]:
    kind, text = parts[place]
    if kind == CHANGED:
        before, after = LONGEST // 2, LONGEST // 2
    else:  # what is before the first change matters at its end, what is after the last at its beginning
        before, after = AROUND * (place > 0), AROUND * (place < len(parts) - 1)
    if len(text) <= before + after + AROUND:
        yield parts[place]
        return
    yield Part(kind, text[:before])
    yield _left_out(len(text) - before - after)
    yield Part(kind, text[len(text) - after :])


def _cut_off(parts: list[Part]) -> list[Part]:
    """The parts up to WHOLE characters."""
    kept, room = [], WHOLE
    for place, part in enumerate(parts):
        if len(part.text) > room:
            return [*kept, _left_out(sum(len(p.text) for p in parts[place:] if p.kind != LEFT_OUT))]
        kept.append(part)
        room -= len(part.text)
    return [part for part in kept if part.text]


def _left_out(count: int) -> Part:
    return Part(LEFT_OUT, f"… {count:,} characters …")
