"""The command line: the only place that prints and exits.

Owns the process: its arguments, signals, streams and exit code. Decides nothing about faults or programs. This module
imports next to nothing, so that an interrupt is handled from the first moment on.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run `reduce` on the process's arguments and exit. Never returns, never shows a traceback."""
    try:
        from reducer.cli.app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        print("reduce: interrupted", file=sys.stderr)
        code = 130
    sys.exit(code)
