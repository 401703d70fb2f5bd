"""Signals that ask the process to stop: Ctrl-C, SIGTERM, a closed terminal.

The first one becomes a KeyboardInterrupt in the main thread, which unwinds to whoever writes the best program so far.
Later ones are only remembered, so that an impatient second Ctrl-C does not lose what the first one saved.

Python handles a signal wherever it next runs Python code. In a finaliser or in a callback of the garbage collector
(Hypothesis has one) it can only print the exception and go on. `raised_again` makes sure that something stops.
And one that comes just before the main thread begins to wait (for a worker's answer, say) is handled when that wait is
over, which may be much later: so every wait is cut short now and then.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
AGAIN_S = 0.01
WAKE_S = 0.25


class Interrupts:
    """Whether the process was asked to stop. shielded: a signal is now remembered and interrupts nothing."""

    def __init__(self) -> None:
        self.seen = False
        self.shielded = False

    def handle(self, number: int, frame: FrameType | None) -> None:
        """The signal handler."""
        first, self.seen = not self.seen, True
        if first and not self.shielded:
            raise KeyboardInterrupt

    def forget(self) -> None:
        """The first one was lost: the next one is the first."""
        self.seen = False

    @contextmanager
    def shield(self) -> Iterator[None]:
        """Finish what is inside, whatever signal comes; for short things only, such as writing a result."""
        self.shielded = True
        try:
            yield
        finally:
            self.shielded = False


@contextmanager
def watching() -> Iterator[Interrupts]:
    """Handle the signals for the time of one command. An ignored SIGHUP (`nohup`) stays ignored."""
    interrupts = Interrupts()
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, interrupts.handle)
    again = next((number for number, handler in before.items() if handler is not signal.SIG_IGN), signal.SIGINT)
    try:
        with raised_again(interrupts.forget, again), _no_long_waits():
            yield interrupts
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def raised_again(lost: Callable[[], None] = lambda: None, number: int = signal.SIGINT) -> Iterator[None]:
    """A KeyboardInterrupt that Python could only have printed comes again a moment later, as a signal of this number.

    lost: told of it before.
    """
    before = sys.unraisablehook
    main = threading.main_thread().ident
    assert main is not None

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            lost()
            again = threading.Timer(AGAIN_S, signal.pthread_kill, (main, number))
            again.daemon = True
            again.start()
        else:
            before(unraisable)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


@contextmanager
def _no_long_waits() -> Iterator[None]:
    """Let the main thread run a little Python every WAKE_S seconds, whatever it waits for."""
    before = signal.signal(signal.SIGALRM, lambda number, frame: None)
    signal.setitimer(signal.ITIMER_REAL, WAKE_S, WAKE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
