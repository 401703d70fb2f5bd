"""The command line: the only place that prints and exits.

Owns the process: its arguments, signals, streams and exit code. Decides nothing about faults or programs. This module
imports nothing that Python has not loaded yet, so that an interrupt is handled from the first moment on.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run `reduce` on the process's arguments and exit. Never returns, never shows a traceback."""
    try:
        import signal

        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        heeded = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
        for number in heeded:
            signal.signal(number, _end_at_once)
    except KeyboardInterrupt:
        _end_at_once()
    from reducer.cli.app import run

    code = run(sys.argv[1:])
    for number in heeded:
        signal.signal(number, signal.SIG_IGN)  # it is done: what is left is Python's own end
    sys.exit(code)


def _end_at_once(*signal: object) -> None:
    """While modules are imported there is nothing to save, and an exception could come out as anything."""
    os.write(2, b"reduce: interrupted\n")
    os._exit(130)
