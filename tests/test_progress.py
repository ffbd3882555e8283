"""What a user sees while models are asked."""

import contextlib
import os
import pty
import sys
import termios

import pytest

from evaltrail.errors import InputError
from evaltrail.exchange import Exchange, Reply, Request
from evaltrail.progress import EVERY, Progress


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def exchange(tokens: int | None = None, **origin) -> Exchange:
    usage = None if tokens is None else {"completion_tokens": tokens}
    return Exchange(Request(messages="q"), Reply(text="a", finish="stop", usage=usage), origin)


def test_without_a_terminal_a_line_comes_every_so_often_and_at_the_end(capfd):
    clock = Clock()
    with Progress("mini-CoT", 10, clock) as progress:
        progress.reuse(4)
        clock.now = EVERY - 1
        progress.add(exchange(tokens=400, usd=0.5))
        assert capfd.readouterr() == ("", "")
        clock.now = EVERY + 10
        progress.add(exchange(tries=3, usage={"completion_tokens": 400}, usd=0.25))
        line = "mini-CoT: 6 of 10, 4 reused, 2 failed tries, 20 tokens/s, 0.7500 USD, 01:20 left\n"
        assert capfd.readouterr() == ("", line)
        for _ in range(4):
            progress.add(exchange())
    line = "mini-CoT: 10 of 10, 4 reused, 2 failed tries, 20 tokens/s, 0.7500 USD\n"
    assert capfd.readouterr() == ("", line)


def test_all_from_the_log_has_no_speed_and_no_cost(capfd):
    with Progress("mini-CoT", 3, Clock()) as progress:
        progress.reuse(3)
    assert capfd.readouterr().err == "mini-CoT: 3 of 3, 3 reused, 0 failed tries\n"


def all_of(terminal: int) -> str:
    """What was written to a terminal whose other end is closed."""
    parts = []
    with contextlib.suppress(OSError):  # its end
        while part := os.read(terminal, 1 << 16):
            parts.append(part)
    os.close(terminal)
    return b"".join(parts).decode()


@pytest.mark.parametrize("error,told", [(KeyboardInterrupt(), True), (InputError("a", "b"), False)])
def test_ctrl_c_says_how_to_go_on_and_errors_say_it_themselves(error, told, capfd):
    with pytest.raises(type(error)), Progress("mini-CoT", 3, Clock()) as progress:
        progress.add(exchange())
        raise error
    assert ("run again to go on" in capfd.readouterr().err) == told


def test_a_terminal_gets_a_bar_and_lines_above_it(monkeypatch, capfd):
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 160))
    with open(theirs, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with Progress("mini-CoT", 4) as progress:
            progress.reuse(1)
            progress.say("the endpoint answers 429")
            progress.add(exchange(tokens=5, usd=0.5))
    shown = all_of(ours)
    assert (
        "mini-CoT: 2/4" in shown
        and "the endpoint answers 429" in shown
        and "1 reused" in shown
        and "0.5000 USD" in shown
    )
    assert capfd.readouterr().out == ""
