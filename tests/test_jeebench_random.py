"""Replies that guess: in the form of the type, read back as they stand, and worth what table 2's Random row says."""

import random
import re
from collections import Counter
from decimal import Decimal

import pytest

from evaltrail.benchmarks.jeebench import extract
from evaltrail.benchmarks.jeebench.predict import predict
from evaltrail.benchmarks.jeebench.random_answers import NUMBERS_BELOW, draw
from evaltrail.benchmarks.jeebench.score import score_answer
from evaltrail.benchmarks.jeebench.tables import table2
from evaltrail.records import Instance

OPTIONS = "\n\n(A) 1.5\n\n(B) 20\n\n(C) none of the others\n\n(D) all options are correct"
QUESTIONS = [
    "",
    "Which?" + OPTIONS,
    "How much is $2 \\times 10^{3}$ in $\\mathrm{cm}$, rounded to 2 decimals?",
]
TYPES = ["MCQ", "MCQ(multiple)", "Integer", "Numeric"]


def instance(type: str, question: str = "", gold: str = "A") -> Instance:
    return Instance("#1", "phy", type, question, (gold,), {"year": 2020})


def stated(type: str, reply: str) -> str | Decimal | None:
    """The answer that a person finds in the reply."""
    if type.startswith("MCQ"):
        return "".join(re.findall(r"\(([A-D])\)", reply)) or None
    pattern = r"[0-9]+" if type == "Integer" else r"[0-9]+\.[0-9][0-9]"
    return Decimal(re.fullmatch(rf"\D*({pattern})\.", reply)[1])


def read(type: str, question: str, reply: str) -> str | Decimal | None:
    """The answer that the rules find in it."""
    answer = predict(type, question, reply, "stop").answer
    return answer if answer is None or type.startswith("MCQ") else Decimal(answer)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("type", TYPES)
def test_the_rules_read_the_answer_that_was_drawn(type, question):
    rng = random.Random(1)
    for _ in range(100):
        reply = draw(instance(type, question), rng)
        assert read(type, question, reply) == stated(type, reply), reply


def test_the_rules_read_the_draws_for_every_published_question(mirror):
    rng = random.Random(2)
    for each in extract.load(mirror / "jeebench/data/dataset.json"):
        reply = draw(each, rng)
        assert read(each.type, each.question, reply) == stated(each.type, reply), (each.id, reply)


class Fixed(random.Random):
    """Draws one number from 0 to 1, given beforehand."""

    def __init__(self, value: float):
        super().__init__()
        self.value = value

    def random(self) -> float:
        return self.value


def draws(type: str, ways: int) -> list[str]:
    """One reply for each of `ways` equal parts of what the generator can give."""
    return [draw(instance(type), Fixed((way + 0.5) / ways)) for way in range(ways)]


def test_each_option_and_each_set_of_options_is_as_likely():
    assert sorted(stated("MCQ", reply) for reply in draws("MCQ", 4)) == list("ABCD")
    sets = Counter(stated("MCQ(multiple)", reply) for reply in draws("MCQ(multiple)", 16))
    assert len(sets) == 16 and set(sets.values()) == {1}
    assert sets[None] == 1  # the empty one


@pytest.mark.parametrize(("type", "low", "high"), [("Integer", "0", "9999"), ("Numeric", "0.00", "9999.99")])
def test_numbers_lie_in_their_range(type, low, high):
    found = [draw(instance(type), Fixed(value)) for value in (0.0, 1 - 2**-53)]
    assert found == [f"Therefore, the answer is {value}." for value in (low, high)]
    assert NUMBERS_BELOW == 10_000


# (type, gold, expected score by hand); several: ABC is met by A, B, C (0.25 each), AB, AC, BC (0.5 each) and ABC (1)
EXPECTED = [
    ("MCQ", "C", 0.25),
    ("MCQ(multiple)", "B", 1 / 16),
    ("MCQ(multiple)", "AD", (2 * 0.25 + 1) / 16),
    ("MCQ(multiple)", "ABC", (3 * 0.25 + 3 * 0.5 + 1) / 16),
    ("MCQ(multiple)", "ABCD", (4 * 0.25 + 6 * 0.5 + 4 * 0.75 + 1) / 16),
]


@pytest.mark.parametrize(("type", "gold", "expected"), EXPECTED)
def test_the_mean_score_is_that_of_the_random_row(type, gold, expected):
    one = instance(type, QUESTIONS[1], gold)
    row = table2.table([one], []).iloc[0]
    assert (row["system"], row["Total"]) == ("Random", expected)
    each = [score_answer(type, gold, read(type, one.question, reply), "exact") for reply in draws(type, 16)]
    assert sum(each) / 16 == expected
    rng = random.Random(3)
    many = [score_answer(type, gold, stated(type, draw(one, rng)), "exact") for _ in range(20_000)]
    assert sum(many) / len(many) == pytest.approx(expected, abs=0.015)  # four standard errors at least


def test_a_seed_gives_the_same_replies_everywhere():
    rng = random.Random(0)  # random() gives 0.8444, 0.7579, 0.4205, 0.258916...
    assert [draw(instance(type), rng) for type in TYPES] == [
        "Therefore, the correct option is (D).",
        "Therefore, the correct options are (C) and (D).",
        "Therefore, the answer is 4205.",
        "Therefore, the answer is 2589.16.",
    ]
