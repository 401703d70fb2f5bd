from __future__ import annotations

from collections.abc import Callable

import pytest

from oracles.dispatches import FLAG_CONSUMER
from oracles.hang import Hang
from oracles.no_op_flag import NoOpFlag
from oracles.registry import ORACLES, UsageError, make
from oracles.script import Script
from oracles.verdict import Oracle

NAMES = (
    "no-op-flag", "two-dispatches", "dispatch-count", "translation-error", "unsupported-fusion", "crash", "hang",
    "diagnostic", "script",
)  # fmt: skip


def test_names_and_order() -> None:
    assert tuple(kind.name for kind in ORACLES) == NAMES
    assert all(kind.summary and "\n" not in kind.summary for kind in ORACLES)


@pytest.mark.parametrize("name", NAMES)
def test_every_oracle_can_be_made(name: str) -> None:
    oracle = make(name, expect=1, script=("./t.sh",))
    assert oracle.name == name
    assert oracle == make(name, expect=1, script=("./t.sh",))
    assert hash(oracle) == hash(make(name, expect=1, script=("./t.sh",)))


def test_options_arrive() -> None:
    assert make("no-op-flag") == NoOpFlag(FLAG_CONSUMER)
    assert make("no-op-flag", flag="--iree-x").flags == ("--iree-x",)
    assert make("hang", timeout_s=3.0) == Hang(3.0)
    assert make("script", script=("a", "b"), exit_interesting="nonzero") == Script(("a", "b"), "nonzero")


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: make("translation-eror"), "unknown oracle 'translation-eror': did you mean translation-error?"),
        (lambda: make("zzz"), f"unknown oracle 'zzz': known are {', '.join(NAMES)}"),
        (
            lambda: make("dispatch-count"),
            "dispatch-count needs --expect: add --expect N",
        ),
        (lambda: make("dispatch-count", expect=-1), "--expect is -1: try 0 or more"),
        (
            lambda: make("script"),
            "script needs --script: add --script CMD, a command that is run with the program's path appended",
        ),
        (
            lambda: make("script", script=("t",), exit_interesting="1"),
            "--exit-interesting is '1': try zero or nonzero",
        ),
        (lambda: make("crash", level="same"), "unknown signature level 'same': try exact, message, class"),
        (lambda: make("hang", timeout_s=0.0), "--timeout is 0: try a number of seconds above 0"),
        (lambda: make("hang", timeout_s=float("nan")), "--timeout is nan: try a number of seconds above 0"),
        (
            lambda: make("no-op-flag", flag="fuse"),
            f"--flag is 'fuse': try an option of iree-compile, as in --flag={FLAG_CONSUMER}",
        ),
    ],
)
def test_usage_errors(attempt: Callable[[], Oracle], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        attempt()
    assert str(raised.value) == message


def test_bad_regular_expression() -> None:
    with pytest.raises(UsageError, match=r"--match is '\(', no regular expression: .*"):
        make("diagnostic", match="(")
