"""The exit codes: the one list that the code, `--help` and the README agree on."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What the process says when it ends. A defect of the reducer itself is UNCONFIRMED too: it confirmed nothing."""

    CONFIRMED = 0
    NO_FAULT = 1
    BAD_INPUT = 2
    UNCONFIRMED = 3
    INTERRUPTED = 130


MEANINGS: tuple[tuple[Exit, str], ...] = (
    (Exit.CONFIRMED, "reduced and confirmed by the stock iree-compile (`check`: the file shows the fault)"),
    (Exit.NO_FAULT, "the seed does not show the fault, or not reliably (`check`: the file does not show it)"),
    (Exit.BAD_INPUT, "usage or bad input: one line on standard error says which"),
    (Exit.UNCONFIRMED, "the result could not be confirmed, or the reducer itself failed"),
    (Exit.INTERRUPTED, "interrupted; the best so far is written"),
)
