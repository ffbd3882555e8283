"""One call of `ask`: requests in flight side by side on a thread of their own, their replies on the caller's.

The caller may be slow with a reply (it syncs a log to disk). No other request waits for that, but a slot sends its next
request only when its last replies were taken: a crash loses what is in flight and never more.
"""

import asyncio
import queue
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from evaltrail import interrupts
from evaltrail.clients import openai_wire
from evaltrail.clients.budget import Spent
from evaltrail.clients.limits import Passing, retrying
from evaltrail.clients.openai_errors import Redactor, Refused, classified, failure
from evaltrail.clients.openai_units import Unit, units
from evaltrail.errors import InputError
from evaltrail.exchange import Exchange, Reply, Request

SLICE = 0.05  # seconds after which what is waited for is looked at again


class Stopped(Exception):
    """Nothing more is to be sent."""


class Run:
    """The state of one `ask`. `exchanges` runs on the caller's thread, all else on that of the event loop."""

    def __init__(self, client, requests: Sequence[Request], key: str | None):
        self._client, self._settings, self._key = client, client.settings, key
        self._redact = Redactor(key)
        self._units = deque(units(requests))
        self._turn = asyncio.Lock()  # who waits for the limits: first come, first served
        self._in_flight = 0
        self._told: set[str] = set()  # kinds of failure that the user was told of
        self._error: BaseException | None = None
        self._ctrl_c = interrupts.CtrlC()
        # (exchanges, what to set when they are taken), None at the end
        self._arrived: queue.SimpleQueue = queue.SimpleQueue()
        self._loop = asyncio.new_event_loop()

    def exchanges(self) -> Iterator[Exchange]:
        """See `Client.ask`."""
        thread = threading.Thread(target=self._work, name="evaltrail", daemon=True)
        with interrupts.held() as self._ctrl_c:
            thread.start()
            try:
                for made, taken in self._taking():
                    yield from made
                    self._loop.call_soon_threadsafe(taken.set)
            finally:
                self._loop.call_soon_threadsafe(self._abandon)  # for a caller who wants no more
                thread.join()
                self._loop.close()
        if self._error is not None:
            raise self._error from None
        if self._ctrl_c.pressed:
            raise KeyboardInterrupt

    def _taking(self) -> Iterator[tuple[list[Exchange], asyncio.Event]]:
        told = False
        while True:
            try:
                item = self._arrived.get(timeout=SLICE)
            except queue.Empty:
                if self._ctrl_c.pressed and not told and self._in_flight:
                    told = True
                    self._client.say(
                        f"stopping: {self._in_flight} in flight (Ctrl-C again leaves their replies)"
                    )
                continue
            if item is None:
                return
            yield item

    def _work(self) -> None:
        self._task = self._loop.create_task(self._main())
        try:
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            pass
        except BaseException as error:
            self._error = error
        self._arrived.put(None)

    def _abandon(self) -> None:
        self._task.cancel()

    async def _main(self) -> None:
        async with self._client.connection(self._key) as connection:
            api = connection.chat.completions if self._settings.api == "chat" else connection.completions
            self._create = api.with_raw_response.create
            active: set[asyncio.Task] = set()
            try:
                while True:
                    while (
                        self._units and len(active) < self._settings.concurrency and not self._is_stopping()
                    ):
                        active.add(asyncio.create_task(self._slot(self._next())))
                    if not active:
                        return
                    _, active = await asyncio.wait(active, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in active:
                    task.cancel()
                await asyncio.gather(*active, return_exceptions=True)

    def _is_stopping(self) -> bool:
        return self._error is not None or self._ctrl_c.pressed

    def _next(self) -> Unit:
        unit = self._units.popleft()
        if self._client.one_by_one and len(unit.requests) > 1:
            self._put_back(unit.requests)
            unit = self._units.popleft()
        return unit

    def _put_back(self, requests: Sequence[Request]) -> None:
        self._units.extendleft(Unit([request]) for request in reversed(requests))

    async def _slot(self, unit: Unit) -> None:
        try:
            if made := await self._exchanges(unit):
                taken = asyncio.Event()
                self._arrived.put((made, taken))
                await taken.wait()
        except Stopped:
            pass
        except Exception as error:  # the first one ends the run; what is in flight still arrives
            self._error = self._error or error

    async def _exchanges(self, unit: Unit) -> list[Exchange]:
        """What came of a unit; what is missing of it goes back to be asked for one by one."""
        wanted = len(unit.requests)
        try:
            again = retrying(self._settings.tries, self._settings.max_wait, self._sleep)
            made, origin = await again(self._try, unit)
        except Passing as error:
            what, fix = (
                f"{error}, after {unit.tries} tries",
                "run again later: what was answered is in the log",
            )
            raise InputError(self._client.endpoint, what, fix=fix) from None
        except Refused as error:
            if wanted == 1 or error.status not in (400, 422):
                raise
            self._one_by_one(unit.requests, f"takes no n={wanted}")
            return []
        if len(made) < wanted:
            self._one_by_one(
                unit.requests[len(made) :], f"gave {len(made)} of n={wanted} choices", len(made) <= 1
            )
        return [
            Exchange(request, reply, origin if first else {"with": unit.request.sample, "id": origin["id"]})
            for request, reply, first in zip(unit.requests, made, [True] + [False] * wanted, strict=False)
        ]

    def _one_by_one(self, missing: Sequence[Request], what: str, always: bool = True) -> None:
        self._tell(what, "missing samples are asked for one by one")
        self._client.one_by_one |= always
        self._put_back(missing)

    def _tell(self, what: str, then: str) -> None:
        """Says a thing once; what differs in its end alone (a request's id, a time) is the same thing."""
        if what[:40] not in self._told:
            self._told.add(what[:40])
            self._client.say(f"{self._client.endpoint}: {what}; {then}")

    async def _try(self, unit: Unit) -> tuple[list[Reply], dict[str, Any]]:
        """One request sent. Raises Passing, Refused, and InputError where the budget does not allow it."""
        await self._admit(unit)
        unit.tries += 1
        used, budget, limits = unit.worst, self._client.budget, self._client.limits
        start = time.monotonic()
        try:
            response = await self._response(unit)
            made = openai_wire.replies(
                response, unit.request, len(unit.requests), self._settings.max_stops, self._client.endpoint
            )
            used = unit.used(response, made)
            limits.correct(unit.thought, used.prompt + used.completion)
            return made, self._origin(unit, response, used, time.monotonic() - start)
        except Passing as error:
            used = used if error.billed else Spent(1)
            limits.hold(error.after or 0, time.monotonic())
            self._tell(str(error), "asked again")
            raise
        except Refused:
            used = Spent(1)
            raise
        finally:
            budget.settle(unit.worst, used)

    async def _admit(self, unit: Unit) -> None:
        """Waits until budget and limits allow the request, which then counts as sent."""
        budget, limits = self._client.budget, self._client.limits
        await self._sleep(0)
        while not budget.reserve(unit.worst):
            if not budget.reserved.requests:  # nothing in flight that could turn out to have taken less
                raise budget.passed(self._client.endpoint)
            await self._sleep(SLICE)
        try:
            async with self._turn:
                while seconds := limits.wait(time.monotonic()):
                    await self._sleep(min(seconds, SLICE))
                limits.take(unit.thought, time.monotonic())
        except BaseException:
            budget.settle(unit.worst, Spent())
            raise

    async def _response(self, unit: Unit) -> dict[str, Any]:
        """The response's JSON object, with choices in it."""
        settings = self._settings
        prompt = {"messages" if settings.api == "chat" else "prompt": unit.request.messages}
        rest = openai_wire.body(unit.requests, settings.max_stops, settings.length_field)
        self._in_flight += 1
        try:
            async with asyncio.timeout(
                settings.timeout
            ):  # of all of it; the package counts each pause for itself
                raw = await self._create(model=settings.model, extra_body=rest, **prompt)
        except Exception as error:
            raise failure(error, self._client.endpoint, self._redact, settings.timeout) from None
        finally:
            self._in_flight -= 1
        response = openai_wire.load(self._redact.content(raw.http_response.content))
        if error := response.get("error"):  # under a status that says all is well
            status = error.get("code") if isinstance(error, dict) else None
            raise classified(
                status if type(status) is int else 500, error, None, self._client.endpoint, self._redact
            )
        return response

    def _origin(self, unit: Unit, response: dict[str, Any], used: Spent, seconds: float) -> dict[str, Any]:
        import openai

        usd = self._client.budget.usd(used)
        return {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "seconds": round(seconds, 3),
            "tries": unit.tries,
            "id": response.get("id"),
            "fingerprint": response.get("system_fingerprint"),
            "usage": openai_wire.usage_of(response),
            "usd": None if usd is None else float(usd),
            "openai": openai.__version__,
        }

    async def _sleep(self, seconds: float) -> None:
        """Raises Stopped as soon as nothing more is to be sent."""
        end = time.monotonic() + seconds
        while True:
            if self._is_stopping():
                raise Stopped
            left = end - time.monotonic()
            if left <= 0:
                return
            await asyncio.sleep(min(left, SLICE))
