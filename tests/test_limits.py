"""How fast an endpoint is asked, when again, and what may be spent: computed with times and amounts of the tests' own."""

import asyncio
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltrail.clients.budget import Amounts, Budget, Prices, Spent
from evaltrail.clients.limits import JITTER, Limits, Pace, Passing, retry_after, retrying
from evaltrail.errors import InputError


def sent_at(pace: Pace, wishes: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """When requests of these (pause before it, amount) are sent, one after another."""
    now, sent = 0.0, []
    for pause, amount in wishes:
        now += pause
        now += pace.wait(now)
        pace.take(amount, now)
        sent.append((now, amount))
    return sent


def test_requests_of_a_minute_are_spread_over_it():
    # 30 a minute: one every two seconds, and none saved up while nobody asked
    assert [at for at, _ in sent_at(Pace(30), [(0, 1), (0, 1), (0, 1), (60, 1), (0, 1)])] == [0, 2, 4, 64, 66]


def test_a_larger_amount_takes_longer():
    # 6000 tokens a minute are 100 a second
    assert [at for at, _ in sent_at(Pace(6000), [(0, 100), (0, 400), (0, 100)])] == [0, 1, 5]


def test_what_turned_out_smaller_is_given_back():
    pace = Pace(6000)
    pace.take(4000, 0.0)  # 40 s
    pace.correct(500 - 4000)
    assert pace.wait(0.0) == pytest.approx(5)
    pace.correct(+100)
    assert pace.wait(0.0) == pytest.approx(6)


def test_without_a_limit_nothing_waits():
    assert sent_at(Pace(None), [(0, 1e9)] * 3) == [(0, 1e9)] * 3


@given(
    st.lists(st.tuples(st.floats(0, 30), st.floats(0, 500)), min_size=1, max_size=60),
    st.floats(10, 1000),
)
def test_no_minute_has_more_than_the_limit_and_one_request(wishes, per_minute):
    sent = sent_at(Pace(per_minute), wishes)
    for start, _ in sent:
        within = [amount for at, amount in sent if start <= at < start + 60]
        assert sum(within[:-1]) <= per_minute * (1 + 1e-9)


def test_the_slower_of_two_limits_counts_and_the_endpoints_word_above_both():
    limits = Limits(requests_per_minute=60, tokens_per_minute=6000)
    limits.take(300, 0.0)
    assert limits.wait(0.0) == 3
    limits.correct(300, 10)
    assert limits.wait(0.0) == pytest.approx(1)
    limits.hold(7, 0.0)
    limits.hold(5, 0.0)
    assert limits.wait(0.0) == 7 and limits.wait(10.0) == 0


NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "headers,seconds",
    [
        ({}, None),
        ({"retry-after": "20"}, 20),
        ({"retry-after": " 0 "}, 0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT"}, 30),
        ({"retry-after": "Sun, 01 Mar 2026 12:00:30 -0000"}, 30),
        ({"retry-after": "Sun, 01 Mar 2026 14:00:30 +0200"}, 30),
        ({"retry-after": "Sun, 01 Mar 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "1"}, 1),
    ],
)
def test_what_the_endpoint_asks_to_wait(headers, seconds):
    assert retry_after(headers, NOW) == seconds


@given(st.text())
def test_no_header_breaks_the_reading(said):
    seconds = retry_after({"retry-after": said, "retry-after-ms": said}, NOW)
    assert seconds is None or seconds >= 0


def waits_of(failures: list[Passing], tries: int, max_wait: float) -> tuple[list[float], object]:
    """What is waited while a call fails like this, and how it ends."""
    left, waits = list(failures), []

    async def call():
        if left:
            raise left.pop(0)
        return "answered"

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    try:
        return waits, asyncio.run(retrying(tries, max_wait, sleep)(call))
    except Passing as error:
        return waits, str(error)


def test_waits_double_up_to_a_minute_with_jitter():
    waits, end = waits_of([Passing("busy") for _ in range(9)], tries=10, max_wait=1000)
    assert end == "answered"
    for wait, least in zip(waits, [0.5, 1, 2, 4, 8, 16, 32, 60, 60], strict=True):
        assert least <= wait <= least + JITTER
    assert len({wait % 1 for wait in waits}) > 1


def test_the_endpoints_word_takes_the_place_of_the_own_wait():
    waits, end = waits_of([Passing("busy", after=20), Passing("busy", after=0)], tries=5, max_wait=100)
    assert end == "answered" and 20 <= waits[0] <= 20 + JITTER and 0 <= waits[1] <= JITTER


def test_tries_and_waiting_end():
    failures = [Passing(f"busy {n}") for n in range(1, 9)]
    waits, end = waits_of(failures, tries=3, max_wait=1000)
    assert len(waits) == 2 and end == "busy 3"
    waits, end = waits_of([Passing(f"busy {n}", after=20) for n in range(1, 9)], tries=9, max_wait=65)
    assert len(waits) == 3 and end == "busy 4"
    waits, end = waits_of([Passing("busy", after=3600)], tries=9, max_wait=900)
    assert waits == [] and end == "busy"


def test_any_other_error_ends_it_at_once():
    async def call():
        raise InputError("endpoint", "no")

    async def sleep(seconds):
        raise AssertionError

    with pytest.raises(InputError):
        asyncio.run(retrying(5, 100, sleep)(call))


# -------------------------------------------------------------------------------------------------------- budget

AMOUNTS = st.builds(Spent, st.just(1), st.integers(0, 200), st.integers(0, 200))


@given(st.lists(st.tuples(AMOUNTS, st.floats(0, 1), st.booleans()), max_size=40), st.integers(1, 1000))
def test_whatever_is_in_flight_the_budget_is_not_passed(requests, tokens):
    budget = Budget(Amounts(requests=10, tokens=tokens, usd=tokens / 1e6), Prices(prompt=1, completion=2))
    in_flight = []
    for worst, share, settles in requests:
        fits = budget.reserve(worst)
        alone = budget.spent + budget.reserved + (Spent() if fits else worst)
        within = (
            alone.requests <= 10
            and alone.prompt + alone.completion <= tokens
            and alone.prompt + 2 * alone.completion <= tokens
        )
        assert fits == within
        if fits:
            in_flight.append((worst, Spent(1, int(worst.prompt * share), int(worst.completion * share))))
        if settles and in_flight:
            budget.settle(*in_flight.pop(0))
    for worst, used in in_flight:
        budget.settle(worst, used)
    assert budget.reserved == Spent()
    assert (
        budget.spent.prompt + budget.spent.completion <= tokens
        and budget.usd(budget.spent) <= Decimal(tokens) / 10**6
    )


def test_money_is_counted_in_decimals():
    budget = Budget(Amounts(usd=1.0), Prices(prompt=0.1, completion=0.2))
    assert 0.1 + 0.2 != 0.3
    assert budget.usd(Spent(1, 1_000_000, 1_000_000)) == Decimal("0.3")
    for _ in range(10):
        assert budget.reserve(Spent(1, 1_000_000, 0))
    assert not budget.reserve(Spent(1, 1, 0))


def test_money_needs_prices():
    with pytest.raises(InputError, match="prices"):
        Budget(Amounts(usd=1), None)


def test_the_line_says_what_was_spent_and_how_to_go_on():
    budget = Budget(Amounts(requests=2, usd=0.5), Prices(prompt=2.5, completion=10))
    worst = Spent(1, 2000, 3000)
    assert budget.reserve(worst)
    budget.settle(worst, Spent(1, 1000, 200))
    line = str(budget.passed("http://127.0.0.1:1/v1"))
    assert line == (
        "http://127.0.0.1:1/v1: another request could pass the budget of 2 requests, 0.5 usd; "
        "spent in this run: 1 requests, 1,200 tokens, 0.0045 USD; "
        "what was answered is in the log: raise the budget or run again to go on"
    )
