"""Records to compare two DROP metrics on: the same ones on every machine and Python.

They reach what a normaliser and an alignment can stumble over: white space of all kinds, hyphens, articles, numbers in
every writing that Python's `float` takes or nearly takes, marks of other scripts, lone surrogates, blank spans, up to 12
spans on either side, and many alignments that are equally good.
"""

from collections.abc import Iterator

_WORDS = (
    "the The THE a A an An bears Bears BEARS touchdown field goal yard yards Brady's don't U.S. end. (end) [end] and of "
    "naïve Straße İstanbul ΟΔΟΣ Σ “Bears” ’s the—end an…other x² ½ 中文 é e\u0301 half/full and/or AT&T no.7 _word_ **bold** "
    "\ud800 \udfff\ud83d \U0001f3c8 \x00 thé théa a.m. a's the\u200bend 's"
)
_NUMBERS = (
    "0 0.0 00 +0 1 2 3 7 10 10.0 010 12.25 12.25. $3.50 3.50 $3 12.5% 12.5 12% -7 +7 −7 (7) 1,001,360 1001360 1,001360 "
    "1_000 1000 1__0 _1 １２ １２．５ ٣ ٣٫٥ ² nan NaN .nan inf Inf Infinity -inf infinity. 1e400 1e5 1E5 1e-5 100000 1e 0x10 "
    "0.1 0.10 .5 5. . .. 3rd 1990s 1990-1995 40-yard 1/2 3:30 1.2.3 1e-400 123456789012345678901234567890 0.30000000000000004"
)
WORDS, NUMBERS = _WORDS.split(" "), _NUMBERS.split(" ")
SPACES = [
    *" -\n\t\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2003\u2028\u2029\u202f\u3000\u200b\ufeff",
    "\r\n",
    "\n\n",
    "  ",
]
SPACES += [" - ", "--", ". ", ", ", "; ", " \n", "\t ", "–", "—"]
FEW = ("red", "green", "blue", "3", "4")  # spans of these few words align equally well in many ways


class Draws:
    """A linear congruential generator (D. E. Knuth's constants for MMIX): `random` may change between Pythons."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, end: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) % end

    def one_of(self, values):
        return values[self.below(len(values))]

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent


def records(
    count: int, seed: int = 1
) -> Iterator[tuple[str | list[str] | tuple[str, ...], list[tuple[str, ...]]]]:
    """`count` times a predicted answer and its golds, 1 to 5 of them."""
    draws = Draws(seed)
    for _ in range(count):
        few = draws.chance(35)
        first = _spans(draws, few)
        golds = [_changed(draws, first, few) for _ in range(1 + draws.below(5))]
        predicted = _changed(draws, first, few)
        if draws.chance(50):
            yield draws.one_of(SPACES).join(predicted), golds
        elif draws.chance(2):
            yield [], golds
        else:
            yield (list(predicted) if draws.chance(50) else predicted), golds


def matrices(count: int, seed: int = 1) -> Iterator[list[list[float]]]:
    """`count` matrices of F1s, gold spans by predicted spans, 1 to 12 of each."""
    draws = Draws(seed)
    for _ in range(count):
        rows, columns, longest = 1 + draws.below(12), 1 + draws.below(12), 1 + draws.below(9)
        yield [[_f1(draws, longest) for _ in range(columns)] for _ in range(rows)]


def _f1(draws: Draws, longest: int) -> float:
    words, others = 1 + draws.below(longest), 1 + draws.below(longest)
    common = draws.below(1 + min(words, others))
    precision, recall = common / words, common / others
    return 2 * precision * recall / (precision + recall) if common else 0.0


def _spans(draws: Draws, few: bool) -> tuple[str, ...]:
    count = 1 + (draws.below(12) if few or draws.chance(30) else 0)
    return tuple(_span(draws, few) for _ in range(count))


def _span(draws: Draws, few: bool) -> str:
    if few:
        return " ".join(draws.one_of(FEW) for _ in range(1 + draws.below(4)))
    if draws.chance(4):
        return draws.one_of(["", " ", "\n", "\u2028", "the", "...", "-"])
    length = 1 + draws.below(4) if draws.chance(90) else 1 + draws.below(60)
    text = draws.one_of(SPACES) if draws.chance(10) else ""
    for _ in range(length):
        text += draws.one_of(NUMBERS if draws.chance(40) else WORDS)
        text += " " if draws.chance(60) else draws.one_of(SPACES)
    return text if draws.chance(10) else text[:-1]


def _changed(draws: Draws, spans: tuple[str, ...], few: bool) -> tuple[str, ...]:
    """`spans` in another order, some of them left out, others new."""
    left, made = list(spans), []
    while left:
        span = left.pop(draws.below(len(left)) if draws.chance(30) else 0)
        if draws.chance(15):
            span = _span(draws, few)
        if not draws.chance(10):
            made.append(span)
    if not made or draws.chance(5):
        made.append(_span(draws, few))
    return tuple(made)
