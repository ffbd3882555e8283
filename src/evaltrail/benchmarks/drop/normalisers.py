"""How an answer's text becomes words, and which words are numbers: three normalisers by name.

    official     as the scripts of allennlp and lm-evaluation-harness: tokens end at a blank or a hyphen alone, so 10 is
                 not read in "10\\n\\nSo"; and a token that is no number loses its punctuation, so "12.25." is 1225
    whitespace   the same, but tokens end at every white space
    exact        decimals, signs, percent, currency and thousands survive: see `exact`

Any text is fine: lone surrogates, U+2028, a word of a million characters.
"""

import re
import string
from collections.abc import Callable
from typing import NamedTuple

from evaltrail.benchmarks.drop import exact

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_SPELLED = {"nan", "inf", "infinity"}
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


class Normaliser(NamedTuple):
    tokens: Callable[[str], list[str]]  # of a text
    words: Callable[[str], str]  # of one token, set apart by white space; depends on the token alone
    is_number: Callable[[str], bool]  # whether one of these words is a number


def _at_blanks(text: str) -> list[str]:
    return text.replace("-", " ").split(" ")


def _at_white_space(text: str) -> list[str]:
    return text.replace("-", " ").split()


def _words(token: str) -> str:
    """The token in lower case without punctuation and articles, or as Python writes its float."""
    lower = token.lower()
    plain = lower if _is_float(lower) else lower.translate(_NO_PUNCTUATION)
    return str(float(plain)) if _is_float(plain) else _ARTICLES.sub(" ", plain)


def _is_float(text: str) -> bool:
    """Whether Python reads a float in a lower-case text: digits of any script, 1_000, 1e5, nan, inf, blanks around."""
    if text.isalpha():  # most words, and an exception costs as much as all else
        return text in _SPELLED
    try:
        float(text)
    except ValueError:
        return False
    return True


NORMALISERS = {
    "official": Normaliser(_at_blanks, _words, _is_float),
    "whitespace": Normaliser(_at_white_space, _words, _is_float),
    "exact": Normaliser(str.split, exact.words, exact.is_number),
}
