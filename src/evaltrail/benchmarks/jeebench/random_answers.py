"""Replies of somebody who guesses: each has an answer in its problem's form, and the rules read exactly this one."""

import random

from evaltrail.benchmarks.jeebench.answers import OPTIONS
from evaltrail.draws import below
from evaltrail.records import Instance

# Numbers lie in a range so wide that a guess earns next to nothing: table 2 counts a random number as 0.
NUMBERS_BELOW = 10_000


def draw(instance: Instance, rng: random.Random) -> str:
    """A reply that states one answer, drawn evenly.

    MCQ: one of the 4 options. MCQ(multiple): one of the 16 sets of options, as table 2's Random row has it; for
    the empty one the reply skips the problem, and the rules read none. Integer: 0 to 9,999. Numeric:
    0.00 to 9999.99. Raises KeyError for another type.
    """
    return f"Therefore, {_STATED[instance.type](rng)}."


def _options(rng: random.Random) -> str:
    chosen = below(2 ** len(OPTIONS), rng)
    named = [f"({option})" for place, option in enumerate(OPTIONS) if chosen >> place & 1]
    if not named:
        return "I skip this problem"
    if len(named) == 1:
        return f"the correct option is {named[0]}"
    return f"the correct options are {', '.join(named[:-1])} and {named[-1]}"


def _numeric(rng: random.Random) -> str:
    whole, hundredths = divmod(below(NUMBERS_BELOW * 100, rng), 100)
    return f"the answer is {whole}.{hundredths:02}"


_STATED = {
    "MCQ": lambda rng: f"the correct option is ({OPTIONS[below(len(OPTIONS), rng)]})",
    "MCQ(multiple)": _options,
    "Integer": lambda rng: f"the answer is {below(NUMBERS_BELOW, rng)}",
    "Numeric": _numeric,
}
