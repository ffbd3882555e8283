"""Option letters: what one sentence says about the options.

A sentence is read from left to right as a row of signs: letters, words of approval or of rejection, and words that
open an answer. "(A) and (B) are TRUE, (C) is FALSE" gives its verdicts backwards, "the correct options are (A)
and (B)" forwards.
"""

import re
from typing import NamedTuple

_NOUN = r"(?:options?|answers?|choices?|statements?|alternatives?|responses?)(?:\s?\(s\))?"
# What joins an approving phrase to the letters behind it: "... are", "... among these is(are)", "...:".
_LINK = r"(?:(?:\s+[\w'-]+){0,6}?\s*(?::|=|\bis\s?\(are\)|\b(?:is|are|was|were|be|being|includes?)\b)(?!\s+not\b))"
_GAP = r"(?:[^\S\n]+(?:a|an|the|always|necessarily|completely|entirely|fully|among|one|of|really|so|be|\w+ly)){0,4}[^\S\n]+"
_GIVEN = r"(?:(?:the|these|given|provided|available|above|listed|answer|four|4|multiple-choice)\s+)*"

# The signs of a sentence: name, pattern. The first that matches at a place counts, so a longer phrase stands before
# a shorter one that begins it. A group "link" says that letters are to follow.
_SIGNS = (
    (
        "none",
        r"\bnone\s+of(?!\s+(?:the\s+)?(?:other|remaining|rest))|\bnone\s*(?=[.\s]*$)|\bneither\s+of\s+the\s+(?:options|choices|answers)",
    ),
    (
        "none",
        rf"\bno\s+(?:correct|valid|such|suitable)?\s*(?:given\s+)?(?:options?|answers?|choices?)\b(?!\s*[(\[:])",
    ),
    (
        "none",
        r"\bn(?:ot|'t)\s+(?:\w+\s+){0,3}?(?:one\s+of|among|in|match(?:es|ed)?(?:\s+with)?|correspond\s+to|any\s+of"
        rf"|(?:present|listed|given|included|found)\s+(?:in|among|as))\s+(?:any\s+(?:of\s+)?|one\s+of\s+|an?\s+)?{_GIVEN}(?:options?|choices|answers)",
    ),
    (
        "contrast",
        r"\b(?:(?:(?:is|are|was)\s+)?not|instead\s+of|rather\s+than|as\s+opposed\s+to)\s+(?=\W{0,12}(?:options?\s*)?\W?[A-D]\b)",
    ),
    (
        "answer",
        rf"\b(?:correct|right|final|best|closest|nearest|required|appropriate)\s+(?:\w+\s+)?{_NOUN}(?P<link>{_LINK})?",
    ),
    (
        "answer",
        rf"\banswers?\b(?!\s+(?:the|this|these|each|it)\b)(?:\s?\(s\))?(?P<link>{_LINK}|\s*(?=[(\[][A-Da-d]\b))",
    ),
    (
        "no",
        rf"\b(?:incorrect|false|wrong|invalid|untrue|inaccurate|impossible)\b(?:\s+{_NOUN})?(?P<link>{_LINK})?",
    ),
    ("no", rf"\bn(?:ot|'t){_GAP}(?:correct|true|right|valid|possible|satisf\w+|{_NOUN})\b(?P<link>{_LINK})?"),
    ("not", r"\b(?:is|are|do|does|did|was|were|can|will)\s?(?:n't|not)\b|\bcannot\b"),
    ("yes", rf"\b(?:correct|true|right|valid|possible)\b(?:\s+(?:{_NOUN}|ones?))?(?P<link>{_LINK})?"),
    ("does", r"\b(?:holds?|satisf(?:y|ies)|works?)\b"),
    (
        "all",
        rf"\ball\s+(?:of\s+)?{_GIVEN}(?:options|statements|choices|answers|expressions|above|four|them|(?=(?:are|is)\s+(?:true|correct|possible)))",
    ),
    (
        "all",
        r"\ball\s+(?=except)|\ball\s+(?:of\s+)?the\s+given\s+\w+|\beach\s+(?:option|statement)|\bevery\s+(?:option|statement)",
    ),
    ("except", r"\bexcept(?:\s+for)?\b|\bother\s+than\b"),
    ("break", r";|\b(?:but|while|whereas|however|although|because|since|as)\b"),
    (
        "marked",
        r"(?<![A-Za-z0-9_^\\}'])[(\[]\s*(?P<letters>[A-Da-d](?:\s*(?:,|;|/|&|(?:,\s*)?\band\b)\s*[A-D])*)\s*[)\]](?![A-Za-z0-9_^])",
    ),
    (
        "named",
        r"\b(?:options?|choices?|statements?|answers?|alternatives?)\s*[:(\[]?\s*(?P<letters>[A-Da-d])\b(?!['’])\s?[)\]]?",
    ),
    (
        "bare",
        r"(?<![\w\\'’_^.-])(?P<letters>[A-D]|(?=[A-D]{2,4}\b)A?B?C?D?)(?![\w'’_^(\[]|\s*[=<>+^_|\\/]|-\w)",
    ),
)
_LETTERS = ("marked", "named", "bare")
_TURNS = ("none", "break", "except", "contrast")


def _numbered(number: int, pattern: str) -> str:
    """The pattern as a group "sign7", its inner groups as "link7" and "letters7": a group's name may occur once."""
    for group in ("link", "letters"):
        pattern = pattern.replace(f"(?P<{group}>", f"(?P<{group}{number}>")
    return f"(?P<sign{number}>{pattern})"


_SIGN = re.compile(
    "|".join(_numbered(number, pattern) for number, (_, pattern) in enumerate(_SIGNS)), re.IGNORECASE
)
# "A" is an article before a word in lower case, unless the word goes with a letter.
_ARTICLE = re.compile(
    r"\s+(?!(?:and|or|is|are|only|alone|with|as|because|since|but|was|to|in|has|while|would|will|must|by)\b)[a-z]"
)
_JOINED = re.compile(r"[\s,;&/:.\-]*(?:(?:and|or|also|both|options?|statements?|choices?)[\s,]*)*\Z")
_NEAR = re.compile(
    r"[\s,:()=\-—–.\]]*(?:(?:is|are|being|also|both|all|only|the|to|be|indeed|therefore|thus|hence|a|an|which|that|options?"
    r"|statements?|choices?|three|four|two|seems?|as|must|\w+ly)[\s,:=\-—–]+)*\Z",
    re.IGNORECASE,
)


_ASKS_FALSE = re.compile(
    r"\b(?:FALSE|INCORRECT|WRONG|(?:NOT|not)\s+(?:correct|true|CORRECT|TRUE)|(?:false|incorrect|wrong)\s+(?:statement|option))"
    r"|\b(?:is|are|is\s?\(are\))\s+(?:false|incorrect|wrong)\b"
)
_ASKS_NOT = re.compile(
    r"\b(?:NOT|CANNOT)\b|\b(?:which|following)\b[^.?]{0,80}\b(?:is|are|is\s?\(are\)|can)\s?not\b"
)


class Reading(NamedTuple):
    """What a sentence says of the options."""

    chosen: frozenset[str] = frozenset()  # approved
    rejected: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()  # without a verdict
    none: bool = False  # it denies that any option holds
    opens: bool = False  # it gives an answer by name: "the correct options are"
    judged: bool = False  # a word of approval or of rejection stands in it


class _Sign(NamedTuple):
    name: str
    letters: list[str]
    link: bool
    start: int
    end: int


def asked_for(question: str) -> str:
    """What makes an option right: "true"; "false" where the question asks for the statements that do not hold;
    "not" where it asks for what cannot be."""
    stem = re.split(r"\n\s*[(\[]A[)\]]", question)[0][-300:]
    return "false" if _ASKS_FALSE.search(stem) else "not" if _ASKS_NOT.search(stem) else "true"


def read(sentence: str, asked: str = "true") -> Reading:
    """Read one sentence of plain text; `asked` as `asked_for` gives it."""
    return _Reader(sentence, asked).reading()


class _Reader:
    def __init__(self, sentence: str, asked: str):
        self.sentence = sentence
        self.asked = asked
        self.verdict: dict[str, bool] = {}
        self.pending: list[str] = []  # letters whose verdict has not come yet
        self.named: set[str] = set()
        self.group: list[str] = []  # the letters listed nearest to the left
        self.group_end = 0
        self.forward: bool | None = None  # the verdict on the letters to come
        self.excepted: set[str] | None = None  # letters after "except"
        self.none = self.muted = self.opens = self.judged = self.only_false = self.contrast = False

    def reading(self) -> Reading:
        for sign in _usable_signs(self.sentence):
            if sign.name in _LETTERS or sign.name == "all":
                self._letters(sign)
            elif sign.name in _TURNS:
                self._turn(sign)
            elif not self.muted or (sign.name == "answer" and sign.link):
                self._word(sign)
        chosen = frozenset(letter for letter, holds in self.verdict.items() if holds)
        chosen -= self.excepted or set()
        rejected = frozenset(self.verdict) - chosen
        if self.only_false and rejected and not chosen:
            chosen = frozenset("ABCD") - rejected
        named = frozenset(self.named & set(self.pending)) - self.verdict.keys()
        if self.none and not chosen:
            return Reading(none=True, opens=self.opens, judged=True)
        return Reading(chosen, rejected, named, False, self.opens, self.judged)

    def _letters(self, sign: _Sign) -> None:
        if self.muted:
            return
        if self.excepted is not None:
            self.excepted.update(sign.letters)
            return
        if not (self.group and _JOINED.match(self.sentence[self.group_end : sign.start])):
            self.group = []
        self.group = self.group + sign.letters
        self.group_end = sign.end
        if sign.name != "bare":
            self.named.update(sign.letters)
        if self.forward is None:
            self.pending += sign.letters
        else:
            self.verdict.update(dict.fromkeys(sign.letters, self.forward))

    def _turn(self, sign: _Sign) -> None:
        """A sign that ends what stood before it."""
        self.group = []
        self.forward = None
        if sign.name == "none":
            self.none = self.muted = True
            self.pending = []
        elif sign.name == "except":
            self.excepted = self.excepted or set()
        elif sign.name == "contrast":
            self.forward, self.contrast = False, True
        else:
            self.muted = False
            self.forward = True if self.contrast else None  # "not (A) but (C)"

    def _word(self, sign: _Sign) -> None:
        """A word of approval or rejection, or one that opens the answer."""
        answer = sign.name == "answer"
        approves = sign.name in ("answer", "yes", "does")
        if (self.asked == "false" and not answer) or (self.asked == "not" and sign.name == "not"):
            approves = not approves
        holds = approves
        self.judged = self.judged or not answer
        self.muted = False
        if sign.name == "not" and self.forward is not None:
            return  # "the answer is (A) does not exist": the option's own words
        near = bool(self.group) and bool(_NEAR.match(self.sentence[self.group_end : sign.start]))
        if answer and sign.link and not near:
            self.opens, self.forward, self.pending = True, True, []
        elif near:
            self._judge(self.group, holds, sign)
            self.opens = self.opens or answer
        elif self.pending and self.forward is None and sign.name != "does":
            self._judge(self.pending, holds, sign)
        elif sign.name not in ("not", "does") and (sign.link or self.forward is None):
            self.forward = holds
            self.opens = self.opens or (holds and sign.link)
            before = self.sentence[max(0, sign.start - 6) : sign.start].lower()
            self.only_false = self.only_false or (not holds and before.endswith("only "))
        if not near:
            self.group = []

    def _judge(self, letters: list[str], holds: bool, sign: _Sign) -> None:
        self.verdict.update(dict.fromkeys(letters, holds))
        self.pending = [letter for letter in self.pending if letter not in letters]
        self.forward = holds if sign.link else None


def _usable_signs(sentence: str) -> list[_Sign]:
    """The signs of a sentence. Bare letters count only where no letter stands in brackets, "all" where no letter
    stands at all, unless some are excepted."""
    found = []
    for match in _SIGN.finditer(sentence):
        number = next(n for n in range(len(_SIGNS)) if match[f"sign{n}"] is not None)
        groups = match.groupdict()
        letters = _letters_of(match, groups.get(f"letters{number}"), _SIGNS[number][0], sentence)
        if _SIGNS[number][0] in _LETTERS and not letters:
            continue
        link = groups.get(f"link{number}") is not None
        name = "bare" if letters and (groups.get(f"letters{number}") or "").islower() else _SIGNS[number][0]
        found.append(_Sign(name, letters, link, match.start(), match.end()))
    names = {sign.name for sign in found}
    return [
        sign
        for sign in found
        if not (sign.name == "bare" and "marked" in names)
        and not (sign.name == "all" and names & set(_LETTERS) and "except" not in names)
        and not (sign.name == "except" and "all" not in names)
    ]


def _letters_of(match: re.Match[str], written: str | None, name: str, sentence: str) -> list[str]:
    if name == "all":
        return list("ABCD")
    if not written:
        return []
    if name == "marked":
        return re.findall("[A-D]", re.sub("and", "", written, flags=re.IGNORECASE).upper())
    if written[-1] == "A" and _ARTICLE.match(sentence, match.end()):
        return []
    if name == "named":
        return [] if written == "a" else [written.upper()]
    before = sentence[max(0, match.start() - 20) : match.start()].rstrip()
    if not written.isupper() or before[-1:] in tuple("=+-<>|^_/\\") or re.search(r"\\[a-z]+$", before):
        return []
    return list(written)
