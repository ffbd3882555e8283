"""sacrebleu's tokenizer `zh`, over the code points of many texts at once.

A token is one Chinese character (as sacrebleu has it), one sign of ASCII, or a run of what is neither; full stops,
commas and hyphens break such a run unless digits beside them say otherwise.
"""

import numpy as np

SPACE, SINGLE, MARK, DIGIT, HYPHEN = 1, 2, 4, 8, 16  # kinds of characters; 0 is any other

# First and last of the characters that sacrebleu 2.6 takes for Chinese. Those from U+2001 on are there because it
# writes U+20000 in four digits: all dashes, quotes and mathematical signs are tokens of their own.
_CHINESE = (
    (0x2001, 0x2A6D),
    (0x2E80, 0x2FDF),
    (0x2FF0, 0x303F),
    (0x3100, 0x312F),
    (0x31A0, 0x31BF),
    (0x31C0, 0x31EF),
    (0x3200, 0x4DB5),
    (0x4E00, 0x9FBB),
    (0xF900, 0xFA2D),
    (0xFA30, 0xFA6A),
    (0xFA70, 0xFAD9),
    (0xFE10, 0xFE1F),
    (0xFE30, 0xFE4F),
    (0xFF00, 0xFFEF),
)
_SIGNS = '!"#$%&()*+/:;<=>?@[\\]^_`{|}~'
_POINTS = 0x110000  # code points that there are


def _kinds() -> np.ndarray:
    kinds = np.zeros(_POINTS, np.uint8)
    for first, last in _CHINESE:
        kinds[first : last + 1] = SINGLE
    for characters, kind in ((_SIGNS, SINGLE), (".,", MARK), ("0123456789", DIGIT), ("-", HYPHEN)):
        kinds[[ord(character) for character in characters]] = kind
    kinds[[point for point in range(0x3001) if chr(point).isspace()]] = SPACE  # there is none beyond U+3000
    return kinds


KINDS = _kinds()


def tokens(
    text: str, points: np.ndarray, kinds: np.ndarray, owner: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The tokens of many texts as (symbols, owner), int64: equal tokens are equal symbols.

    text: the texts, one behind another; points, kinds, owner: of each of its characters the code point, the kind and
    the number of its text, rising.
    """
    solid = kinds != SPACE
    in_run = kinds & (SPACE | SINGLE) == 0
    begins = solid.copy()
    begins[1:] &= ~(in_run[1:] & in_run[:-1] & (owner[1:] == owner[:-1]))
    _break_at_hyphens(kinds, owner, begins)
    _break_at_marks(kinds, owner, begins)
    start, places = np.flatnonzero(begins), np.flatnonzero(solid)
    # A token ends behind the last character before the next token that is no space.
    end = places[np.searchsorted(places, np.append(start[1:], len(text))) - 1] + 1 if len(start) else start
    symbols = points[start]
    names: dict[str, int] = {}
    long = np.flatnonzero(end - start > 1)
    for index, first, last in zip(long.tolist(), start[long].tolist(), end[long].tolist(), strict=True):
        symbols[index] = names.setdefault(text[first:last], _POINTS + len(names))
    return symbols, owner[start]


def _break_at_hyphens(kinds: np.ndarray, owner: np.ndarray, begins: np.ndarray) -> None:
    """A hyphen behind a digit is a token."""
    hyphens = np.flatnonzero(kinds == HYPHEN)
    hyphens = hyphens[_is_digit(kinds, owner, hyphens, -1)]
    begins[hyphens] = True
    _begin_behind(kinds, begins, hyphens)


def _break_at_marks(kinds: np.ndarray, owner: np.ndarray, begins: np.ndarray) -> None:
    """A full stop or comma is a token, but for two cases in which digits stand by it.

    - One mark between digits ("3.14"), or behind a digit at the end of the text ("3."), is a part of the number.
    - Of several marks in a row the last is a part of the number behind it ("..5") if their count is even, and if a
      digit, or nothing at all, stands before them (".5"), odd: sacrebleu's expressions take them two by two.
    """
    marks = np.flatnonzero(kinds == MARK)
    apart = (marks[1:] != marks[:-1] + 1) | (owner[marks[1:]] != owner[marks[:-1]])
    first = marks[np.concatenate(([True], apart))[: len(marks)]]
    last = marks[np.concatenate((apart, [True]))[: len(marks)]]
    places = np.flatnonzero(kinds != SPACE)
    owners = np.concatenate(([-1], owner[places], [-1]))
    at_start = owners[np.searchsorted(places, first)] != owner[first]
    at_end = owners[np.searchsorted(places, last) + 2] != owner[last]
    behind_digit = _is_digit(kinds, owner, first, -1)
    before_digit = _is_digit(kinds, owner, last, +1)
    odd = (last - first) % 2 == 0
    begins[marks] = True
    begins[first[(first == last) & behind_digit & (before_digit | at_end)]] = False
    _begin_behind(kinds, begins, last[~(before_digit & (odd == (behind_digit | at_start)))])


def _is_digit(kinds: np.ndarray, owner: np.ndarray, places: np.ndarray, step: int) -> np.ndarray:
    """Whether a digit of the same text stands beside each of `places`, before (-1) or behind (+1)."""
    beside = np.clip(places + step, 0, len(kinds) - 1)
    return (kinds[beside] == DIGIT) & (owner[beside] == owner[places])


def _begin_behind(kinds: np.ndarray, begins: np.ndarray, places: np.ndarray) -> None:
    behind = places[places + 1 < len(kinds)] + 1
    begins[behind[kinds[behind] != SPACE]] = True
