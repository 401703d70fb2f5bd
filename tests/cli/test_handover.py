"""What a result tells the writers of the header and the script."""

from __future__ import annotations

import re

import pytest

from oracles.registry import make
from oracles.verdict import Outcome, Verdict
from reducer.case import Case
from reducer.cli.handover import make_check
from reducer.report.asking import match_of as match
from reducer.report.shell import Check, Crashes, Dispatches, Hangs, PassFails, SameWork, SaysError, Script
from reducer.toolchain.releases import Toolchain

SAID = "failed to legalize operation 'torch.prim.ListConstruct'"


def _case(installed: Toolchain, oracle: str) -> Case:
    made = make(oracle, expect=1, timeout_s=7, script=("judge",), exit_interesting="nonzero", flag="--flag")
    return Case("x", "", made, installed, "llvm-cpu", (), ())


def _verdict(reason: str) -> Verdict:
    return Verdict(Outcome.INTERESTING, reason, "signature")


@pytest.mark.parametrize(
    ("oracle", "reason", "check"),
    [
        ("no-op-flag", "", SameWork("--flag")),
        ("two-dispatches", "", Dispatches(2)),
        ("dispatch-count", "", Dispatches(2)),
        ("hang", "", Hangs(7)),
        ("script", "", Script(("judge",), nonzero=True)),
        ("crash", "crash: signal 11", Crashes()),
        ("translation-error", "silent failure of SomePass", PassFails("SomePass")),
        ("diagnostic", f'{SAID}: %3 = "torch.prim.ListConstruct"(%1, %2) : …', SaysError((SAID,))),
        ("unsupported-fusion", "something long…", SaysError(("something long",))),
    ],
)
def test_checks(installed: Toolchain, oracle: str, reason: str, check: Check) -> None:
    assert make_check(_case(installed, oracle), _verdict(reason)) == check


def test_the_header_holds_check_to_the_fault(installed: Toolchain) -> None:
    case = _case(installed, "translation-error")
    pattern = match(case, _verdict("'op' (a.b) failed [x]"), None)
    assert pattern is not None
    assert re.search(pattern, "error: 'op' (a.b) failed [x]")
    assert not re.search(pattern, "error: 'op' (acb) failed [x]")
    assert match(case, _verdict("silent failure of SomePass"), None) == "SomePass"
    assert match(case, _verdict("anything"), "class") is None
    assert match(_case(installed, "crash"), _verdict("crash: signal 11"), None) is None
