"""What one sentence says about the options.

A sentence is read from left to right as a row of signs. "(A) and (B) are TRUE, (C) is FALSE" gives its verdicts
backwards, "the correct options are (A) and (B)" forwards.
"""

import re
from typing import NamedTuple

from evaltrail.benchmarks.jeebench.extraction.options import LONGEST_QUESTION
from evaltrail.benchmarks.jeebench.extraction.signs import LETTERS, Sign, signs_of

# Between the letters of one list, and between a list and the word that judges it.
_JOINED = re.compile(r"[\s,;&/:.\-]*+(?:(?:and|or|also|both|options?|statements?|choices?)\b[\s,]*+)*+\Z")
_NEAR = re.compile(
    r"[\s,:()=\-—–.\]]*+(?:(?:is|are|being|also|both|all|the|to|be|indeed|therefore|thus|hence|a|an|which|that"
    r"|options?|statements?|choices?|three|four|two|seems?|as|must|\w{2,12}ly)[\s,:=\-—–]++)*+\Z",
    re.IGNORECASE,
)
_LONGEST_GAP = 60
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
    return _Reader(sentence, asked).reading()


class _Reader:
    def __init__(self, sentence: str, asked: str):
        self.sentence = sentence
        self.asked = asked
        self.verdict: dict[str, bool] = {}
        self.pending: set[str] = set()  # letters whose verdict has not come yet
        self.named: set[str] = set()  # letters that no variable could be
        self.group: list[str] = []  # the letters listed nearest to the left
        self.group_end = 0
        self.forward: bool | None = None  # the verdict on the letters to come
        self.excepted: set[str] | None = None  # letters after "except"
        self.muted = False  # after "none of", up to the next clause
        self.contrast = False  # after "not (A)"
        self.none = self.opens = self.judged = self.only_false = False

    def reading(self) -> Reading:
        for sign in signs_of(self.sentence):
            if sign.name in LETTERS:
                self._take_letters(sign)
            elif sign.name in ("none", "except", "contrast", "break"):
                self._turn(sign)
            elif not self.muted or (sign.name == "answer" and sign.link):
                self._take_word(sign)
        chosen = {letter for letter, holds in self.verdict.items() if holds} - (self.excepted or set())
        rejected = self.verdict.keys() - chosen
        if self.only_false and rejected and not chosen:
            chosen = set("ABCD") - rejected
        if self.none and not chosen:
            return Reading(none=True, opens=self.opens, judged=True)
        named = (self.named & self.pending) - self.verdict.keys()
        return Reading(
            frozenset(chosen), frozenset(rejected), frozenset(named), False, self.opens, self.judged
        )

    def _take_letters(self, sign: Sign) -> None:
        if self.muted:
            return
        if self.excepted is not None:
            self.excepted.update(sign.letters)
            return
        if not (self.group and self._gap(_JOINED, sign)):
            self.group = []
        self.group = self.group + sign.letters
        self.group_end = sign.end
        if sign.name != "bare":
            self.named.update(sign.letters)
        if self.forward is None:
            self.pending.update(sign.letters)
        else:
            self.verdict.update(dict.fromkeys(sign.letters, self.forward))

    def _turn(self, sign: Sign) -> None:
        """A sign that ends what stood before it."""
        self.group = []
        self.forward = None
        if sign.name == "none":
            self.none = self.muted = True
            self.pending = set()
        elif sign.name == "except":
            self.excepted = self.excepted or set()
        elif sign.name == "contrast":
            self.forward, self.contrast = False, True
        else:
            self.muted = False
            self.forward = True if self.contrast else None  # "not (A) but (C)"

    def _take_word(self, sign: Sign) -> None:
        """A word of approval or rejection, or one that opens the answer."""
        self.muted = False
        self.judged = self.judged or sign.name != "answer"
        if sign.name == "not" and self.forward is not None:
            return  # "the answer is (A) does not exist": the option's own words
        holds = self._approves(sign)
        if self.group and self._gap(_NEAR, sign):
            self._judge(set(self.group), holds, sign)
            self.opens = self.opens or sign.name == "answer"
            return
        self.group = []
        if sign.name == "answer" and sign.link:
            self.opens, self.forward, self.pending = True, True, set()
        elif self.pending and self.forward is None and sign.name != "does":
            self._judge(self.pending, holds, sign)
        elif sign.name not in ("not", "does") and (sign.link or self.forward is None):
            self.forward = holds
            self.opens = self.opens or (holds and sign.link)
            only = self.sentence[max(0, sign.start - 5) : sign.start].lower() == "only "
            self.only_false = self.only_false or (only and not holds)

    def _approves(self, sign: Sign) -> bool:
        approves = sign.name in ("answer", "yes", "does")
        turned = (self.asked == "false" and sign.name != "answer") or (
            self.asked == "not" and sign.name == "not"
        )
        return not approves if turned else approves

    def _judge(self, letters: set[str], holds: bool, sign: Sign) -> None:
        self.verdict.update(dict.fromkeys(letters, holds))
        self.pending = self.pending - letters
        self.forward = holds if sign.link else None

    def _gap(self, pattern: re.Pattern[str], sign: Sign) -> bool:
        """Whether `pattern` fills what stands between the nearest letters and the sign."""
        gap = self.sentence[self.group_end : sign.start]
        return len(gap) <= _LONGEST_GAP and bool(pattern.match(gap))
