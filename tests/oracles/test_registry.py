from __future__ import annotations

from collections.abc import Callable

import pytest

from oracles.crash import Crash
from oracles.dispatches import FLAG_CONSUMER
from oracles.experiment import Run
from oracles.hang import Hang
from oracles.no_op_flag import NoOpFlag
from oracles.registry import DEFAULT_TIMEOUT_S, ORACLES, UsageError, make, runs_programs
from oracles.run_fault import RunFault
from oracles.script import Script
from oracles.verdict import Oracle
from oracles.wrong_result import WrongResult

NAMES = (
    "no-op-flag", "two-dispatches", "dispatch-count", "translation-error", "unsupported-fusion", "crash", "hang",
    "diagnostic", "wrong-result", "run-failure", "run-crash", "run-hang", "script",
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


@pytest.mark.parametrize("reference", ["numpy", "vmvx", "flags:none", "release:3.12.0"])
def test_what_a_run_is_held_against_arrives(reference: str) -> None:
    run = Run(reference, 1e-3, 0.0)
    assert make("wrong-result", reference=reference, rtol=1e-3, atol=0.0) == WrongResult(run=run)
    assert make("run-failure", reference=reference, rtol=1e-3, atol=0.0) == RunFault("run-failure", run=run)


def test_only_a_run_that_may_not_end_has_a_limit_of_its_own() -> None:
    assert make("run-hang", timeout_s=3.0) == RunFault("run-hang", run=Run(timeout_s=3.0))
    assert make("run-hang") == RunFault("run-hang", run=Run(timeout_s=DEFAULT_TIMEOUT_S))
    assert make("run-crash", timeout_s=3.0) == RunFault("run-crash")
    assert make("wrong-result", timeout_s=3.0) == WrongResult()


def test_which_oracles_run_programs() -> None:
    made = [make(name, expect=1, script=("./t.sh",)) for name in NAMES]
    assert [o.name for o in made if runs_programs(o)] == ["wrong-result", "run-failure", "run-crash", "run-hang"]
    assert not runs_programs(Crash())


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
        (lambda: make("run-hang", timeout_s=-1.0), "--timeout is -1: try a number of seconds above 0"),
        (
            lambda: make("wrong-result", reference="nump"),
            "--reference is 'nump': try numpy, vmvx, flags:none or release:3.12.0",
        ),
        (
            lambda: make("run-crash", reference="release:"),
            "--reference is 'release:': try numpy, vmvx, flags:none or release:3.12.0",
        ),
        (lambda: make("wrong-result", rtol=-1.0), "--rtol is -1: try a number from 0 on, such as 1e-5"),
        (lambda: make("wrong-result", rtol=float("inf")), "--rtol is inf: try a number from 0 on, such as 1e-5"),
        (lambda: make("wrong-result", atol=float("nan")), "--atol is nan: try a number from 0 on, such as 1e-5"),
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
