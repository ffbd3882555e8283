"""Rules that find a number; each reads one sentence of the reply."""

import re

from evaltrail.benchmarks.jeebench.extraction import arithmetic, numbers
from evaltrail.benchmarks.jeebench.extraction.reply import Finding, Reply

_CONCLUDES = re.compile(
    r"^[\s*#>\-•$\\\[\]]*(?:then|in\s+total|this\s+(?:means|gives|implies)|we\s+(?:get|have|find|obtain|conclude))\b",
    re.IGNORECASE,
)
_RELATES = re.compile(r"[=≈]|\\approx|\b(?:is|are|be|equals?|yields?)\b")
_OR = re.compile(r"\}[\s$,]*(?:\\text\s?\{)?\s*or\b")  # between two boxes
_REFUSES = re.compile(
    r"\b(?:does\s+not\s+exist|(?:cannot|can't|can\s+not)\s+be\s+(?:\w+\s+)?(?:determined|found|calculated|solved|evaluated)"
    r"|not\s+possible|impossible|no\s+(?:real\s+)?(?:solution|such|valid|answer|final\s+answer)|not\s+solvable"
    r"|not\s+(?:have\s+)?enough\s+information|insufficient|contradiction|ill-posed|unable\s+to|undefined"
    r"|(?:error|mistake|typo)s?\s+in\s+the\s+(?:problem|question|given))\b",
    re.IGNORECASE,
)
_NEAR_END = 2  # sentences before the last one


def boxed(reply: Reply, index: int) -> Finding | None:
    r"""The value of the sentence's last `\boxed{...}`."""
    sentence = reply.sentences[index]
    if not sentence.boxes:
        return None
    box = sentence.boxes[-1]
    if len(sentence.boxes) > 1 and _OR.match(sentence.text[sentence.boxes[-2].end :]):
        return sentence.finding(None, sentence.boxes[-2].start, box.end)
    value = numbers.value_of(numbers.without_notes(box.text), expected=True)
    if value is None:
        return sentence.finding(None, box.start, box.end)
    number = value.number
    if number is not None and numbers.is_negated(sentence.text[: box.start]):
        number = -number
    return sentence.finding(number, box.start + value.start, box.start + value.end)


def stated(reply: Reply, index: int) -> Finding | None:
    """The answer by name: "Final answer: 12.5", "the answer is 3"."""
    text = numbers.without_notes(reply.sentences[index].text)
    if (reply.cut_off and reply.sentences[index].is_last) or not numbers.names_answer(text):
        return None
    return _value(reply, index, text)


def concluded(reply: Reply, index: int) -> Finding | None:
    """A conclusion: "Therefore, the ratio is 4"."""
    sentence = reply.sentences[index]
    if reply.cut_off or not (sentence.concludes or _CONCLUDES.search(sentence.text)):
        return None
    return _value(reply, index, numbers.without_notes(sentence.text))


def refused(reply: Reply, index: int) -> Finding | None:
    """Near the end, that there is no answer: "the limit does not exist"."""
    sentence = reply.sentences[index]
    if index < len(reply.sentences) - 1 - _NEAR_END or not _REFUSES.search(sentence.text):
        return None
    return sentence.finding(None)


def last_sentence(reply: Reply, index: int) -> Finding | None:
    """The last sentence, where it relates something to a value, and nothing just before it concludes."""
    sentence = reply.sentences[index]
    if reply.cut_off or not sentence.is_last or not _RELATES.search(sentence.text):
        return None
    for before in range(max(0, index - _NEAR_END), index):
        if any(rule(reply, before) for rule in (boxed, stated, concluded)):
            return None
    return _value(reply, index, numbers.without_notes(sentence.text))


def alone(reply: Reply, index: int) -> Finding | None:
    """A last line with nothing but a number."""
    sentence = reply.sentences[index]
    if reply.cut_off or not sentence.is_last or (number := arithmetic.evaluate(sentence.text)) is None:
        return None
    return sentence.finding(number)


def _value(reply: Reply, index: int, text: str) -> Finding | None:
    value = numbers.value_of(text)
    return None if value is None else reply.sentences[index].finding(*value)
