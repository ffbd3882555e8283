"""The `exact` normaliser: what gives a number its value survives.

A number is a run of digits of any script, with thousands grouped by commas or not, with a fraction or not, perhaps
signed, that touches no letter. It becomes its shortest decimal form, at any length. Percent, currency and degree signs
become words.

    written                  words            why
    12.25.                   12.25            punctuation around a number goes, inside it stays
    5.  .5  007  1.50        5  0.5  7  1.5   one form for one value
    -7  −7  (-7)  +7  -0     -7 -7 -7  7  0   the sign counts; a plus changes nothing
    3-7  40-yard  B-52       3 7  40 yard     a hyphen behind a letter or digit separates
    $3.50  -$3.50            $ 3.5  $ -3.5    so "3.50" shares the number with it, and "€3.50" does not share all
    12.5%  12.5 %            12.5 %           likewise; "percent" is another word
    1,001,360                1001360
    3,5  1990,1991           3 5  1990 1991   commas that group no thousands separate
    １２．５  ٣               12.5  3          full-width and other digits and signs
    Answer:10  10.So         answer 10  10 so a number that only punctuation parts from a word
    3rd  1990s  5km  3.5m    as they stand    words, no numbers: a letter touches
    1/2  3:30  1_000  1.2.3  as they stand    words, no numbers: other punctuation between digits stays
    nan  inf  1e400  x²  ½   as they stand    words, no numbers

All else is as in the official normaliser: lower case, no articles, no punctuation; here of every script, and invisible
format characters (U+200B, U+FEFF) go with it.
"""

import re
import string
import unicodedata

_ARTICLES = {"a", "an", "the"}
_CURRENCY = "$¢£¤¥฿\u20a0-\u20cf"
_UNIT = re.compile(rf"[{_CURRENCY}%‰°]")
_NO_SIGN = re.compile(rf"-(?![{_CURRENCY}]?\.?\d)|(?:(?<=[^\W_])|(?<=[)\]}}%‰°-]))-")
_SIGN_BEFORE_CURRENCY = re.compile(rf"([-+])([{_CURRENCY}])(?=\.?\d)")
# Digits joined by single marks, all or nothing: no letter touches it, and it is no end of a longer run.
_NUMBER = r"(?<![^\W_])(?>(?:[-+]\.?|(?<![\w.])\.|(?<!\d[^\w\s])(?<!\d_))\d+(?:(?:[^\w\s]|_)\d+)*)(?![^\W_])"
_PIECE = re.compile(rf"(?P<number>{_NUMBER})|(?:(?!{_NUMBER})\S)+")
_DECIMAL = re.compile(r"([-+]?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]*)(?:\.([0-9]+))?")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PLAIN = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")


def words(token: str) -> str:
    """The words of a token that holds no white space, in their order, joined by blanks."""
    text = token.lower()
    if not text.isascii():
        text = text.translate(_ASCII)
    text = _NO_SIGN.sub(" ", text)
    text = _SIGN_BEFORE_CURRENCY.sub(r"\2\1", text)
    text = _UNIT.sub(r" \g<0> ", text)
    found = []
    for piece in _PIECE.finditer(text):
        if piece["number"]:
            found += _numbers(piece[0])
        else:
            found.append(piece[0] if _UNIT.fullmatch(piece[0]) else _word(piece[0]))
    return " ".join(word for word in found if word and word not in _ARTICLES)


def is_number(word: str) -> bool:
    """Whether a word that `words` gave is a number."""
    return bool(_PLAIN.fullmatch(word))


def _numbers(run: str) -> list[str]:
    """The numbers of a run of digits and marks: one in its shortest form, or those between its commas, or the run."""
    if decimal := _DECIMAL.fullmatch(run):
        sign, whole, fraction = decimal.groups(default="")
        whole, fraction = whole.replace(",", "").lstrip("0") or "0", fraction.rstrip("0")
        value = f"{whole}.{fraction}" if fraction else whole
        return [value if value == "0" or sign != "-" else f"-{value}"]
    if "," in run:
        return [number for part in run.split(",") for number in _numbers(part)]
    return [run.removeprefix("+")]


def _word(piece: str) -> str:
    """The piece without punctuation, except for marks between two digits; commas that group thousands go."""
    piece = _THOUSANDS.sub("", piece)
    return "".join(
        char
        for before, char, after in zip(f" {piece}", piece, f"{piece[1:]} ", strict=False)
        if not _is_punctuation(char) or (before.isdecimal() and after.isdecimal())
    )


def _is_punctuation(char: str) -> bool:
    return char in string.punctuation or unicodedata.category(char).startswith("P")


class _Ascii(dict):
    """For `str.translate`: digits, signs and dashes of other scripts in ASCII, made when first met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        digit = unicodedata.decimal(char, None)
        kind = unicodedata.category(char)
        self[code] = str(digit) if digit is not None else {"Cf": "", "Pd": " "}.get(kind, char)
        return self[code]


# the one dash that stays, a minus sign, small and full-width forms; the Arabic percent, decimal and thousands signs
_ASCII = _Ascii(str.maketrans("-−－﹣＋．，％＄￡￥٪٫٬", "----+.,%$£¥%.,"))
