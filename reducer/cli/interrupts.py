"""Signals that ask the process to stop: Ctrl-C, SIGTERM, a closed terminal.

The first one becomes a KeyboardInterrupt in the main thread, which unwinds to whoever writes the best program so far.
Later ones are only remembered, so that an impatient second Ctrl-C does not lose what the first one saved.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


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
    try:
        yield interrupts
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
