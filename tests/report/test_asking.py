"""The words of a header make the oracle again that they were taken from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from oracles.registry import ORACLES, make
from oracles.verdict import Outcome, Verdict
from reducer.case import Case
from reducer.header import directive_line, parse_header
from reducer.report.asking import directive_of, release_in_header
from reducer.toolchain.releases import Toolchain

FLAGS = ("--iree-llvmcpu-target-cpu-features=a, b", "--iree-opt-level=O2")
GIVEN: dict[str, dict[str, Any]] = {
    "no-op-flag": {"flag": "--iree-opt-level=O1"},
    "dispatch-count": {"expect": 3},
    "hang": {"timeout_s": 7.5},
    "run-hang": {"timeout_s": 4.0, "reference": "vmvx"},
    "wrong-result": {"reference": "flags:none", "rtol": 0.5, "atol": 1e-6},
    "run-failure": {"match": r"out of (bounds|range)", "level": "class"},
    "crash": {"match": "signal 11"},
    "diagnostic": {"match": r"a 'b' \"c\" \d"},
    "script": {"script": ("judge",)},
}


@pytest.mark.parametrize("name", [kind.name for kind in ORACLES])
@pytest.mark.parametrize("said_more", [False, True])
def test_an_oracle_is_made_again(name: str, said_more: bool, installed: Toolchain) -> None:
    needed = GIVEN[name] if name in ("dispatch-count", "script") else {}
    given = GIVEN.get(name, {}) if said_more else needed
    oracle = make(name, **given)
    case = Case("x", "", oracle, installed, "vmvx", ("--iree-hal-target-backends=vmvx",), FLAGS)
    line = directive_line(directive_of(case, Verdict(Outcome.INTERESTING, "crash: signal 11", "s")))
    (read,) = parse_header(line).directives
    assert (read.oracle, read.iree, read.target) == (name, installed.release, "vmvx")
    assert read.flags == FLAGS
    match = read.match if "match" in given else None  # else it is what the compiler said
    again = make(
        name, match=match, level=read.signature or "message", flag=read.flag, expect=read.expect,
        timeout_s=read.timeout, script=needed.get("script"),
        reference=read.reference or "numpy", rtol=read.rtol, atol=read.atol,
    )  # fmt: skip
    assert again == oracle


def test_a_build_without_a_published_release_is_not_named(installed: Toolchain) -> None:
    build = replace(installed, release="3.14.0.dev0", source="path", python=Path("build/python"))
    assert release_in_header(build) is None
    assert release_in_header(replace(build, release="")) is None
    assert release_in_header(replace(build, release="3.12.0")) == "3.12.0"


def test_the_fault_that_was_seen_is_held_on_to(installed: Toolchain) -> None:
    case = Case("x", "", make("translation-error"), installed, "", ("--iree-hal-target-device=local",), ("--a",))
    directive = directive_of(case, Verdict(Outcome.INTERESTING, "silent failure of SomePass", "s"))
    assert (directive.match, directive.target) == ("SomePass", None)
    assert directive.flags == ("--iree-hal-target-device=local", "--a")
