"""How far the asking is: a bar on a terminal, a line every so often elsewhere. All of it on standard error."""

import sys
import time
from collections.abc import Callable

from evaltrail.exchange import Exchange

EVERY = 30.0  # seconds between two lines where there is no terminal


class Progress:
    """Counts the replies of a job: those from the log, and those that arrive, with what they took.

    A context manager; when Ctrl-C or an error ends it, it says how to go on.
    """

    def __init__(self, label: str, total: int, clock: Callable[[], float] = time.monotonic):
        self.label, self.total = label, total
        self.reused = self.asked = self.failed = self.tokens = 0
        self.usd: float | None = None
        self._clock, self._bar = clock, None
        self._start = self._told = clock()

    def __enter__(self) -> "Progress":
        from tqdm import tqdm

        if sys.stderr.isatty():
            layout = "{desc}: {n_fmt}/{total_fmt} |{bar}| {elapsed}{postfix}"
            self._bar = tqdm(desc=self.label, total=self.total, file=sys.stderr, bar_format=layout)
        return self

    def __exit__(self, kind, error, trace) -> None:
        if self._bar is not None:
            self._bar.set_postfix_str(self.state(), refresh=False)
            self._bar.close()
        else:
            self.say(self.line())
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            self.say(f"{self.label}: stopped; run again to go on: what was answered is in the log")

    def reuse(self, count: int) -> None:
        """So many replies came from the log."""
        self.reused += count
        self._show(count)

    def add(self, exchange: Exchange) -> None:
        """A reply arrived."""
        self.asked += 1
        origin = exchange.origin
        usage = origin.get("usage") or exchange.reply.usage or {}
        self.failed += origin.get("tries", 1) - 1
        self.tokens += usage.get("completion_tokens", 0)
        if origin.get("usd") is not None:
            self.usd = (self.usd or 0.0) + origin["usd"]
        self._show(1)

    def say(self, line: str) -> None:
        """A line for the user, above the bar."""
        if self._bar is not None:
            self._bar.write(line, file=sys.stderr)
        else:
            print(line, file=sys.stderr, flush=True)

    def line(self) -> str:
        """All of it in words."""
        return f"{self.label}: {self.reused + self.asked:,} of {self.total:,}, {self.state()}"

    def state(self) -> str:
        """What is known beside the count, and how long the rest takes if it goes on like this."""
        from tqdm import tqdm

        seconds = self._clock() - self._start
        parts = [f"{self.reused:,} reused", f"{self.failed:,} failed tries"]
        if self.tokens and seconds > 0:
            parts.append(f"{self.tokens / seconds:,.0f} tokens/s")
        if self.usd is not None:
            parts.append(f"{self.usd:.4f} USD")
        left = self.total - self.reused - self.asked
        if left and self.asked:
            parts.append(f"{tqdm.format_interval(left * seconds / self.asked)} left")
        return ", ".join(parts)

    def _show(self, count: int) -> None:
        if self._bar is not None:
            self._bar.set_postfix_str(self.state(), refresh=False)
            self._bar.update(count)
        elif self._clock() - self._told >= EVERY:
            self._told = self._clock()
            self.say(self.line())
