"""Why a program has no value here: it asks for what is not known, or it leaves what happens open."""

from __future__ import annotations


class CannotEvaluateError(Exception):
    """The program uses an op, a type or a constant that the reference does not know; the message names it."""

    def __init__(self, what: str, why: str = "") -> None:
        super().__init__(f"cannot evaluate `{what}`" + (f": {why}" if why else ""))


class UndefinedError(Exception):
    """The program does what MLIR leaves open as a whole, such as a slice past the end; the message says what."""
