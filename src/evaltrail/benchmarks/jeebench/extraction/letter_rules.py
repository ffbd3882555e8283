"""Rules that find option letters; each gets a reply and, where it reads one sentence, that sentence's number."""

import re
from collections.abc import Callable

from evaltrail.benchmarks.jeebench.extraction import letters, options
from evaltrail.benchmarks.jeebench.extraction.reply import Finding, Reply, Sentence
from evaltrail.benchmarks.jeebench.extraction.text import plain

# Nothing but letters: "(C)", "A, D".
_ALONE = re.compile(r"\W{0,40}(?:[A-D]{2,4}\b|[A-D](?:(?:\W|\band\b){0,10}[A-D]\b){0,3})\W{0,40}")
_ONLY = re.compile(
    r"\bonly\s+(?:the\s+)?(?:options?|statements?|choices?)?\s*[(\[]?[A-D]\b"
    r"|\b[A-D][)\]]?\s+(?:is\s+|are\s+)?(?:only|alone)\b"
)
_WHICH_IS = re.compile(
    r"\bwhich\s+(?:is|corresponds|matches)\b[\w\s]{0,30}\W{0,3}[(\[]?[A-D]\b", re.IGNORECASE
)
_NONE_OF_THESE = re.compile(r"\W*none\s+of\s+(?:these|the\s+(?:above|others?))\b", re.IGNORECASE)
_ONE_OPTION = re.compile(
    r"\W*(?:the\s+)?(?:correct\s+)?(?:option|answer|statement|choice)\s*(?:is|:)\W*[A-D]\W*", re.IGNORECASE
)
# A line on one option of several.
_ITEM = re.compile(
    r"^[^\S\n]*[*#>$\-•\d.\\ ]{0,12}(?:textbf\{|text\{)?(?:[Oo]ption\s|[Ss]tatement\s)?[(\[]?([A-D])[)\].:]",
    re.MULTILINE,
)
# A verdict on the option that is being discussed.
_THIS = re.compile(
    r"\b(?:this|that|it|(?:this|the|that)\s+(?:option|statement|choice))\s+(?:is|must\s+be)\s+(?:\w{2,12}\s+)?"
    r"(?:(?P<no>false|incorrect|wrong|not\s+(?:correct|true))|(?P<yes>correct|true))\b"
    r"|^[\s*(]*(?:(?P<just_no>false|incorrect)|(?P<just_yes>true|correct))\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\W{0,9}?(?:[(\[]?([A-Da-d])[)\].:]\s*)?(?=[^\s()\[\]]|$)")
_NO_LETTERS: frozenset[str] = frozenset()


# --- on one sentence -------------------------------------------------------------------------------------------


def denies_all(reply: Reply, index: int) -> Finding | None:
    """ "None of the given options is correct", "this is not among the options"."""
    sentence = reply.sentences[index]
    if not sentence.reading.none:
        return None
    itself = [letter for letter, text in reply.options.items() if _NONE_OF_THESE.match(text)]
    return sentence.finding(frozenset(itself) or None)


def stated(reply: Reply, index: int) -> Finding | None:
    """The answer by name: "the correct options are (A) and (D)", "Answer: B"."""
    sentence = reply.sentences[index]
    if _is_torn(reply, sentence) or not sentence.reading.opens:
        return None
    first = index if reply.single else _first_of_row(reply, index, _names_one)
    found = _NO_LETTERS.union(*(near.reading.chosen for near in reply.sentences[first : index + 1]))
    return _claim(reply, index, found, first)


def boxed(reply: Reply, index: int) -> Finding | None:
    r"""Letters in `\boxed{...}`, of all the boxes of the sentence."""
    sentence = reply.sentences[index]
    found = _NO_LETTERS.union(*(letters.read("answer: " + plain(box.text)).chosen for box in sentence.boxes))
    if found & sentence.reading.rejected:
        return None
    return _claim(reply, index, found and found | sentence.reading.chosen)


def alone(reply: Reply, index: int) -> Finding | None:
    """A line with nothing but letters."""
    sentence = reply.sentences[index]
    if reply.cut_off or sentence.reading.judged or not _is_alone(reply, index):
        return None
    first = _first_of_row(reply, index, _is_alone)
    lines = [letters.read("answer: " + line.plain).chosen for line in reply.sentences[first : index + 1]]
    return _claim(reply, index, _NO_LETTERS.union(*lines), first)


def _first_of_row(reply: Reply, index: int, belongs: Callable[[Reply, int], bool]) -> int:
    """The first of the sentences that belong to one row, up to `index`; `index` itself where it belongs to none."""
    first = index
    while first and belongs(reply, first) and belongs(reply, first - 1):
        first -= 1
    return first


def _names_one(reply: Reply, index: int) -> bool:
    """Whether the sentence says no more than "Correct option: A"."""
    return bool(_ONE_OPTION.fullmatch(reply.sentences[index].plain))


def _is_alone(reply: Reply, index: int) -> bool:
    """Whether the sentence is letters, with nothing behind them on their line."""
    sentence = reply.sentences[index]
    behind = reply.text[sentence.end : sentence.end + 20]
    return bool(_ALONE.fullmatch(sentence.plain) and not re.match(r"[*$ \t(\[\\]*\w", behind))


def concluded(reply: Reply, index: int) -> Finding | None:
    """A conclusion: "Hence, (A) and (D)", "which corresponds to option (C)"; "(A) and (B) are correct" at the end."""
    sentence = reply.sentences[index]
    reading = sentence.reading
    # One letter named beside another rejected is no answer: "(A) has four, so (B) is wrong".
    named = reading.named if not reading.rejected or len(reading.named) > 1 else _NO_LETTERS
    found = reading.chosen or named
    if reply.cut_off or (len(found) == 1 and _ITEM.match(sentence.text)):
        return None
    # Of several options, "option (B) is correct" judges one and does not give the answer.
    whole = reply.single or len(found) > 1 or not reading.judged or _ONLY.search(sentence.plain)
    concludes = (
        sentence.concludes or _WHICH_IS.search(sentence.plain) or (sentence.is_last and reading.chosen)
    )
    return _claim(reply, index, found) if whole and concludes else None


def _claim(reply: Reply, index: int, found: frozenset[str], first: int | None = None) -> Finding | None:
    """`found`, unless what follows shows that the sentence was about one option, or some, of several.

    `first`: the sentence at which the answer begins, if it is not all in one.
    """
    if found and not reply.single:
        later = [sentence.reading for sentence in reply.sentences[index + 1 :]]
        approved = _NO_LETTERS.union(*(reading.chosen for reading in later))
        rejected = _NO_LETTERS.union(*(reading.rejected for reading in later))
        if approved - found or (len(found) == 1 and rejected - found):
            return None
    start = reply.sentences[index if first is None else first].start
    return Finding(found, start, reply.sentences[index].end) if found else None


def _is_torn(reply: Reply, sentence: Sentence) -> bool:
    """Whether the sentence is the one in which the reply was cut off."""
    return reply.cut_off and sentence.is_last and not sentence.text.rstrip().endswith((".", "}", "$", ")"))


# --- on the whole reply ----------------------------------------------------------------------------------------


def judged(reply: Reply) -> Finding | None:
    """The options judged one by one: "(A) ... is true. (B) ... This is false"; the last verdict on each counts."""
    if reply.cut_off:
        return None
    verdict: dict[str, tuple[bool, Sentence]] = {}
    current: str | None = None
    for sentence in reply.sentences:
        if items := _ITEM.findall(sentence.text):
            current = items[-1]
        for letter in sentence.reading.rejected:
            verdict[letter] = (False, sentence)
        for letter in sentence.reading.chosen:
            verdict[letter] = (True, sentence)
        silent = not sentence.reading.chosen and not sentence.reading.rejected
        if current and silent and (match := _THIS.search(sentence.plain)):
            verdict[current] = (bool(match["yes"] or match["just_yes"]), sentence)
    if not verdict:
        return None
    chosen = {letter for letter, (holds, _) in verdict.items() if holds}
    if not chosen and reply.single and len(verdict) == 3:
        chosen = set("ABCD") - verdict.keys()
    if not chosen and len(verdict) < 4:
        return None
    places = [sentence for _, sentence in verdict.values()]
    start, end = min(place.start for place in places), max(place.end for place in places)
    return Finding(frozenset(chosen) or None, start, end)


def last_named(reply: Reply) -> Finding | None:
    """Letters that the last sentence names, without a verdict: "the interval that holds it is (B)"."""
    if reply.cut_off or not reply.sentences:
        return None
    last = reply.sentences[-1]
    if last.reading.rejected or not last.reading.named or _ITEM.match(last.text):
        return None
    return last.finding(last.reading.named)


def option_text(reply: Reply) -> Finding | None:
    """An option given by its text or its value: in the last box, or in a conclusion among the last sentences."""
    if reply.cut_off or not reply.options:
        return None
    for sentence in reversed(reply.sentences):
        if sentence.boxes:
            box = sentence.boxes[-1]
            values = (box.text, box.text.rpartition("=")[2])
            return _matching(reply, sentence, values, box.start, box.end)
    last = reply.sentences[-1] if reply.single and reply.sentences else None
    if last and (label := _LABEL.match(last.text)):
        letter, value = label[1], last.text[label.end() :]
        if (found := options.matching(value, reply.options)) and letter in (None, found, found.lower()):
            return last.finding(frozenset(found))
    for sentence in reply.sentences[:-4:-1]:
        if sentence.concludes:
            values = tuple(re.split(r"=|\bis\b|\bare\b|:", sentence.text)[:0:-1])
            if finding := _matching(reply, sentence, values, 0, len(sentence.text)):
                return finding
    return None


def _matching(
    reply: Reply, sentence: Sentence, values: tuple[str, ...], start: int, end: int
) -> Finding | None:
    for value in values[:8]:
        if letter := options.matching(value, reply.options):
            return sentence.finding(frozenset(letter), start, end)
    return None
