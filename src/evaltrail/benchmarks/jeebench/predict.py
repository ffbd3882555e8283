"""Find the final answer in a model's reply to a JEE Advanced problem, by rules.

People read the published replies by hand. These rules stand in for them, so that replies nobody has read can be
scored. The name of the rule is kept beside the answer, with the place where it stands. Nothing of a reply is ever
executed. A further problem that follows an answer is left aside, and of what remains only the last 16,000
characters are read.
"""

from collections.abc import Callable, Container
from decimal import Decimal

from evaltrail.benchmarks.jeebench.answers import MCQS, NUMBERS, is_answer
from evaltrail.benchmarks.jeebench.extraction import arithmetic, letter_rules, number_rules
from evaltrail.benchmarks.jeebench.extraction.reply import Finding, Reply, reply_to
from evaltrail.predict import Extraction
from evaltrail.records import Completion, Instance

__all__ = ["VERSION", "Extraction", "is_answer", "predict", "read"]

VERSION = "2"  # of the rules; goes into each prediction

# Rules that read one sentence. They are tried in this order on the last sentence, then on the one before it, and
# so on: the last sentence that gives an answer counts.
LETTER_SENTENCE: dict[str, Callable[[Reply, int], Finding | None]] = {
    "none-of-options": letter_rules.denies_all,  # "none of the given options"
    "stated": letter_rules.stated,  # "the correct options are (A) and (D)"
    "boxed": letter_rules.boxed,  # "\boxed{AD}"
    "alone": letter_rules.alone,  # "(A), (D)" on a line of its own
    "concluded": letter_rules.concluded,  # "Hence, (A) and (D)"
}
NUMBER_SENTENCE: dict[str, Callable[[Reply, int], Finding | None]] = {
    "boxed": number_rules.boxed,  # "\boxed{12.5}"
    "stated": number_rules.stated,  # "Final answer: 12.5"
    "concluded": number_rules.concluded,  # "Therefore, the ratio is 12.5"
    "refused": number_rules.refused,  # "the limit does not exist"
    "last-sentence": number_rules.last_sentence,  # "= 12.5" at the very end
    "alone": number_rules.alone,  # "12.5" on a last line of its own
}
# Rules that read the whole reply, tried in this order when no sentence gives an answer.
LETTER_REPLY: dict[str, Callable[[Reply], Finding | None]] = {
    "judged": letter_rules.judged,  # "(A) is true ... (B) is false ..."
    "last-named": letter_rules.last_named,  # "the interval that holds it is (B)"
    "option-text": letter_rules.option_text,  # an option's value in place of its letter
}
KINDS = (*MCQS, *NUMBERS)


def read(instance: Instance, completion: Completion, spec: dict) -> Extraction:
    """The final answer of a completion, found by the rules that the spec does not leave out."""
    return predict(
        instance.type, instance.question, completion.text, completion.finish, without=spec["without"]
    )


def predict(
    kind: str, question: str, text: str, finish: str | None, without: Container[str] = ()
) -> Extraction:
    """The final answer of the reply `text` to `question`, found by the rules whose names are not in `without`.

    The answer is sorted letters, an integer, or a plain decimal. Without an answer the rule is "none-of-options",
    "refused", or "judged" where the reply says that there is none; "forbidden" where the type of problem forbids what
    stands there; "symbolic" where it is no number; "cut-off"; None where nothing was found.
    `kind` is "MCQ", "MCQ(multiple)", "Integer" or "Numeric"; `finish` is the reason why the reply ended, of which
    only "length" matters: a reply that was cut off has an answer only where one was stated before the cut.
    Raises ValueError for another kind, nothing else.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind of problem: {kind!r}; known: {', '.join(KINDS)}")
    has_options = kind in MCQS
    reply = reply_to(kind, question, text, finish == "length", has_options)
    by_sentence = LETTER_SENTENCE if has_options else NUMBER_SENTENCE
    for index in reversed(range(len(reply.sentences))):
        for name, rule in by_sentence.items():
            if name not in without and (finding := rule(reply, index)) is not None:
                return _extraction(kind, name, finding)
    for name, whole_rule in (LETTER_REPLY if has_options else {}).items():
        if name not in without and (finding := whole_rule(reply)) is not None:
            return _extraction(kind, name, finding)
    return Extraction(None, "cut-off" if reply.cut_off else None, None, None)


def _extraction(kind: str, rule: str, finding: Finding) -> Extraction:
    """The finding as an answer of its kind, or as none where the kind forbids it."""
    value, start, end = finding
    if value is None:
        certain = rule in ("none-of-options", "refused", "judged")
        return Extraction(None, rule if certain else "symbolic", start, end)
    if isinstance(value, frozenset):
        answer = None if kind == "MCQ" and len(value) > 1 else "".join(sorted(value))
    else:
        answer = _number_as(kind, value)
    return Extraction(answer, rule if answer is not None else "forbidden", start, end)


# Nobody can enter a number beyond these as an answer: 2.5 times 10^17, or 10^-11, was read as none throughout.
_SMALLEST, _LARGEST = Decimal("1e-6"), Decimal("1e9")


def _number_as(kind: str, value: Decimal) -> str | None:
    """`value` written as `kind` asks for it; None where the kind forbids it."""
    if value and not _SMALLEST <= abs(value) < _LARGEST:
        return None
    written = arithmetic.written(value)
    return written if is_answer(kind, written) else None
