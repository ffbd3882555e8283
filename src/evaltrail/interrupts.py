"""Ctrl-C while replies are on their way: the first one asks to stop, the second one stops."""

import contextlib
import signal
import threading
from collections.abc import Iterator


class CtrlC:
    """Whether Ctrl-C was pressed. A plain attribute: a signal handler must not wait for a lock."""

    pressed = False


@contextlib.contextmanager
def held() -> Iterator[CtrlC]:
    """While the block runs a first Ctrl-C is noted and interrupts nothing; a second one raises KeyboardInterrupt.

    So no reply is lost between its arrival and the log. Who asks for this looks at `pressed`, and raises
    KeyboardInterrupt once all replies are safe. Python gives signals to the main thread alone: in another one, and
    where something else handles Ctrl-C already, it is left as it is.
    """
    ctrl_c = CtrlC()
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield ctrl_c
        return

    def note(number, frame):
        ctrl_c.pressed = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, note)
    try:
        yield ctrl_c
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
