"""What one sentence says about the options.

A sentence is read from left to right as a row of signs. "(A) and (B) are TRUE, (C) is FALSE" gives its verdicts
backwards, "the correct options are (A) and (B)" forwards.
"""

import re
from typing import NamedTuple

from evaltrail.benchmarks.jeebench.extraction.options import LONGEST_QUESTION
from evaltrail.benchmarks.jeebench.extraction.signs import LETTERS, Sign, signs_of

# Between the letters of one list, and between a list and the word that judges it.
_JOINED = re.compile(
    r"[\s,;&/:.\-–—)\]]*+(?:(?:and|n?or|also|both|to|through|options?|statements?|choices?)\b[\s,]*+)*+\Z"
)
_RANGE = re.compile(r"[\s)\]]*(?:-|–|—|\bto\b|\bthrough\b)\s*(?:options?\s*)?\Z")  # "(A)-(C)", "A through C"
_NEAR = re.compile(
    r"[\s,:()=\-—–.\]|]*+(?:(?:is|are|being|also|both|all|the|to|be|indeed|therefore|thus|hence|a|an|which|that"
    r"|options?|statements?|choices?|three|four|two|seems?|as|must|can|has|have|been|only"
    r"|\w{2,12}ly)[\s,:=\-—–]++)*+\Z",
    re.IGNORECASE,
)
_BEHIND_COMMA = re.compile(r".*,(?:\s|\bso\b|\bthe\b|\bour\b)*\Z", re.IGNORECASE | re.DOTALL)
# "(B) would be correct if f were even": no verdict.
_SUPPOSES = re.compile(
    r"\bwould\b[^.;]{1,80}\b(?:if|unless|provided)\b(?!.{0,200}\b(?:so|hence|thus|therefore|but|however)\b)"
    r"|\bif\b[^.;]{1,60}\b(?:were|had)\b[^.;]{1,60}\bwould\b",
    re.IGNORECASE | re.DOTALL,
)
# "Answer: c", "option b": letters in lower case, directly behind such a word, with nothing behind them.
_LOWER = re.compile(
    r"\b(?:answers?|ans|options?|choices?)\b\s{0,9}(?:is\b|[:.=-])?[\s'\"]{0,9}"
    r"(?P<letters>\b[a-d]\b(?:\)?\s{0,9}(?:,\s{0,9}(?:and\b)?|and\b|&)\s{0,9}[a-d]\b){0,3})"
    r"(?=\s{0,9}(?:[)\].,;:!'\"]|\Z))",
    re.IGNORECASE,
)
# What stands around a further letter of an answer: "(A) because of x, (C) because of y".
_FURTHER = re.compile(r"(?:[,;]|\band)\s*(?:and\s+)?(?:options?\s*)?\Z", re.IGNORECASE)
_REASON = re.compile(r",?\s*\(?\s*(?:because|since|as)\b|[\s.]*\Z", re.IGNORECASE)
_LETTER_NEXT = re.compile(
    r"\s+(?:both\s+)?(?:the\s+)?(?:options?\s+|statements?\s+|choices?\s+)?\W{0,2}[A-D]\b"
)
_LONGEST_GAP = 60
_ONLY = re.compile(r"\bonly\s+(?:the\s+)?(?:options?|statements?|choices?)?\s*\Z", re.IGNORECASE)
_THE = re.compile(r"(?:^|[.:,;]|\b(?:so|hence|thus|therefore|that))\s*the\s+(?:only\s+)?\Z", re.IGNORECASE)
_ASKS_FALSE = re.compile(
    r"\b(?:FALSE|INCORRECT|WRONG|(?:NOT|not)\s+(?:correct|true|CORRECT|TRUE)"
    r"|(?:false|incorrect|wrong)\s+(?:statement|option))|\b(?:is|are|is\s?\(are\))\s+(?:false|incorrect|wrong)\b"
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


def asked_for(question: str) -> str:
    """What makes an option right: "true"; "false" where the question asks for the statements that do not hold;
    "not" where it asks for what cannot be."""
    stem = re.split(r"\n[^\S\n]{0,20}[(\[]A[)\]]", question[-LONGEST_QUESTION:])[0][-300:]
    return "false" if _ASKS_FALSE.search(stem) else "not" if _ASKS_NOT.search(stem) else "true"


def read(sentence: str, asked: str = "true") -> Reading:
    """Read one sentence of plain text; `asked` as `asked_for` gives it."""
    if _SUPPOSES.search(sentence):
        return Reading()
    return _Reader(_LOWER.sub(_raised, sentence), asked).reading()


def _raised(match: re.Match[str]) -> str:
    before = match.start("letters") - match.start()
    return match[0][:before] + re.sub(r"\b[a-d]\b", lambda letter: letter[0].upper(), match[0][before:])


class _Reader:
    def __init__(self, sentence: str, asked: str):
        self.sentence = sentence
        self.asked = asked
        self.verdict: dict[str, bool] = {}
        self.pending: set[str] = set()  # letters whose verdict has not come yet
        self.named: set[str] = set()  # letters that no variable could be
        self.group: list[str] = []  # the letters listed nearest to the left
        self.group_start = self.group_end = 0
        self.forward: bool | None = None  # the verdict on the letters to come
        self.excepted: set[str] | None = None  # letters after "except"
        self.muted = False  # after "none of", up to the next clause
        self.contrast = False  # after "not (A)"
        self.explained = False  # after "the answer is (A) because"
        self.neither = False  # after "neither", up to the next clause
        self.none = self.opens = self.judged = self.only_false = False

    def reading(self) -> Reading:
        for sign in signs_of(self.sentence):
            if sign.name in LETTERS:
                self._take_letters(sign)
            elif sign.name in ("none", "except", "contrast", "neither", "break"):
                self._turn(sign)
            elif not self.muted or (sign.name == "answer" and sign.link):
                self._take_word(sign)
        chosen = {letter for letter, holds in self.verdict.items() if holds} - (self.excepted or set())
        rejected = self.verdict.keys() - chosen
        if self.only_false and rejected and not chosen:
            chosen = set("ABCD") - rejected
        if self.none and self.excepted:
            chosen = chosen | self.excepted
        elif self.none and not chosen:
            return Reading(none=True, opens=self.opens, judged=True)
        named = (self.named & self.pending) - self.verdict.keys()
        return Reading(
            frozenset(chosen), frozenset(rejected), frozenset(named), False, self.opens, self.judged
        )

    def _take_letters(self, sign: Sign) -> None:
        if self.excepted is not None and sign.name not in ("all", "rest"):
            self.excepted.update(sign.letters)
            return
        if self.muted:
            return
        letters = sign.letters
        if sign.name == "rest":
            letters = [letter for letter in letters if letter not in self.pending | self.verdict.keys()]
            self.group, self.forward = [], None
            if len(letters) == 4:
                return
        if not (self.group and self._gap(_JOINED, sign)):
            self.group, self.group_start = [], sign.start
            further = self.explained and _FURTHER.search(self._before(sign.start))
            if further and self.forward is None and _REASON.match(self.sentence, sign.end):
                self.forward = True
        elif self._gap(_RANGE, sign) and self.group[-1] < letters[0]:
            letters = list("ABCD"["ABCD".index(self.group[-1]) + 1 : "ABCD".index(letters[0])]) + letters
        self.group = self.group + letters
        self.group_end = sign.end
        if sign.name != "bare":
            self.named.update(letters)
        if self.forward is None:
            self.pending.update(letters)
        else:
            self.verdict.update(dict.fromkeys(letters, self.forward))

    def _turn(self, sign: Sign) -> None:
        """A sign that ends what stood before it."""
        if sign.name == "break" and self.forward and self.opens:
            self.explained = self.sentence[sign.start : sign.end].lower() in ("because", "since", "as")
        self.group = []
        self.forward = None
        if sign.name == "none":
            self.none = self.muted = True
            self.pending = set()
        elif sign.name == "except":
            self.excepted = self.excepted or set()
        elif sign.name in ("contrast", "neither"):
            self.forward, self.contrast, self.neither = False, True, sign.name == "neither"
        else:
            self.muted = self.neither = False
            self.forward = True if self.contrast else None  # "not (A) but (C)"

    def _take_word(self, sign: Sign) -> None:
        """A word of approval or rejection, or one that opens the answer."""
        self.muted = False
        self.judged = self.judged or sign.name != "answer"
        if sign.name == "not" and self.forward is not None:
            return  # "the answer is (A) does not exist": the option's own words
        holds = self._approves(sign) and not self.neither
        names_next = sign.name == "answer" and sign.link
        if self.group and self._gap(_NEAR, sign) and not (names_next and self._gap(_BEHIND_COMMA, sign)):
            if not holds and any(
                _ONLY.search(self._before(place)) for place in (self.group_start, sign.start)
            ):
                self.only_false = True
            self._judge(set(self.group), holds, sign)
            self.opens = self.opens or sign.name == "answer"
            return
        self.group = []
        if sign.name == "out" and not _LETTER_NEXT.match(self.sentence, sign.end):
            return
        if names_next:
            self.opens, self.forward, self.pending = True, True, set()
        elif self.pending and self.forward is None and sign.name != "does":
            self._judge(self.pending, holds, sign)
        elif sign.name not in ("not", "does") and (sign.link or self.forward is None):
            self.forward = holds
            self.opens = self.opens or (holds and sign.link)
            before = self._before(sign.start)
            if not holds and (_ONLY.search(before) or (sign.link and _THE.search(before))):
                self.only_false = True

    def _approves(self, sign: Sign) -> bool:
        if sign.name == "out":
            return False
        approves = sign.name in ("answer", "yes", "does")
        turned = (self.asked == "false" and sign.name != "answer") or (
            self.asked == "not" and sign.name == "not"
        )
        return not approves if turned else approves

    def _before(self, place: int) -> str:
        return self.sentence[max(0, place - 30) : place]

    def _judge(self, letters: set[str], holds: bool, sign: Sign) -> None:
        self.verdict.update(dict.fromkeys(letters, holds))
        self.pending = self.pending - letters
        self.neither = False
        self.forward = holds if sign.link else None

    def _gap(self, pattern: re.Pattern[str], sign: Sign) -> bool:
        """Whether `pattern` fills what stands between the nearest letters and the sign."""
        gap = self.sentence[self.group_end : sign.start]
        return len(gap) <= _LONGEST_GAP and bool(pattern.match(gap))
