"""How fast an endpoint is asked, and when it is asked again. All of it computes with the times it is given."""

import email.utils
import re
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

FIRST_WAIT = 0.5  # seconds before the second try; doubles with each, up to LONGEST_WAIT
LONGEST_WAIT = 60.0
JITTER = 1.0  # seconds at most, added to each wait, so that requests that failed together come back apart


class Passing(Exception):
    """A try that failed so that another may end better.

    reason: in one line; after: the seconds that the endpoint asks to wait; billed: whether what was asked may have been
    generated all the same.
    """

    def __init__(self, reason: str, after: float | None = None, billed: bool = False):
        super().__init__(reason)
        self.after, self.billed = after, billed


class Pace:
    """So much a minute, evenly: in any minute no more than `per_minute` and one request's amount. None: no limit."""

    def __init__(self, per_minute: float | None):
        self._seconds_each = 60 / per_minute if per_minute else 0.0
        self._free_at = float("-inf")

    def wait(self, now: float) -> float:
        """The seconds from `now` until the next request may be sent."""
        return max(0.0, self._free_at - now)

    def take(self, amount: float, now: float) -> None:
        """A request of this amount is sent now."""
        self._free_at = max(self._free_at, now) + amount * self._seconds_each

    def correct(self, difference: float) -> None:
        """A request took so much more than was thought (less where negative)."""
        self._free_at += difference * self._seconds_each


class Limits:
    """The paces of requests and of tokens together, and the endpoint's word to wait, which holds for all requests."""

    def __init__(self, requests_per_minute: float | None, tokens_per_minute: float | None):
        self._requests, self._tokens = Pace(requests_per_minute), Pace(tokens_per_minute)
        self._not_before = float("-inf")

    def wait(self, now: float) -> float:
        return max(self._requests.wait(now), self._tokens.wait(now), self._not_before - now)

    def take(self, tokens: float, now: float) -> None:
        self._requests.take(1, now)
        self._tokens.take(tokens, now)

    def correct(self, thought: float, used: float) -> None:
        self._tokens.correct(used - thought)

    def hold(self, seconds: float, now: float) -> None:
        """Nothing is sent for so long."""
        self._not_before = max(self._not_before, now + seconds)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """The seconds that an endpoint asks to wait, None where it does not say.

    `Retry-After` holds seconds or a date (RFC 9110, 10.2.3); `retry-after-ms` is OpenAI's finer form of it.
    """
    finer = headers.get("retry-after-ms", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d+)?", finer):
        return float(finer) / 1000
    said = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(\.\d+)?", said):
        return float(said)
    try:
        date = email.utils.parsedate_to_datetime(said)
    except ValueError:
        return None
    # A date without a zone ("-0000") is in UTC.
    return max(0.0, (date.replace(tzinfo=date.tzinfo or now.tzinfo) - now).total_seconds())


def retrying(tries: int, max_wait: float, sleep: Callable[[float], Awaitable[None]]):
    """Calls a coroutine function again while it raises Passing: `tries` times at most.

    max_wait: the seconds of waiting between them, in all; a wait that would go beyond it is not begun. The last Passing
    is raised when no other try is left.
    """
    from tenacity import (
        AsyncRetrying,
        retry_if_exception_type,
        stop_after_attempt,
        wait_exponential,
        wait_random,
    )

    growing, jitter = wait_exponential(FIRST_WAIT, LONGEST_WAIT), wait_random(0, JITTER)

    def wait(state) -> float:
        after = state.outcome.exception().after
        return (growing(state) if after is None else after) + jitter(state)

    def waited_enough(state) -> bool:
        return state.idle_for + state.upcoming_sleep > max_wait

    return AsyncRetrying(
        sleep=sleep,
        retry=retry_if_exception_type(Passing),
        stop=stop_after_attempt(tries) | waited_enough,
        wait=wait,
        reraise=True,
    )
