"""The facts are those that were measured, and the reasons name the real causes: the seed, and programs of four kinds.

Compiled by the releases themselves; asked the way `reduce triage` does.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from oracles.dispatches import FLAG_CONSUMER, FLAG_PRODUCER
from reducer.toolchain import pool
from reducer.toolchain.releases import Toolchain
from reducer.triage.bench import Bench
from reducer.triage.facts import default_sets
from reducer.triage.reasons import Reason
from reducer.triage.survey import Subject, survey
from reducer.triage.why import reasons
from tests.cli.command import SEEDS, reduce
from tests.triage.measured import TARGETS, differences, rows_of

INPUTS = SEEDS.parent / "tests" / "truth" / "inputs"
README = (SEEDS.parent / "README.md").read_text()
JOBS = 2


@pytest.mark.parametrize("release", ["3.3.0", "3.13.0"])
def test_the_facts_of_every_row(release: str, tmp_path: Path) -> None:
    seed = str(SEEDS / "pad_conv.mlir")
    done = reduce(
        "triage", seed, "--iree", release, "--target", ",".join(TARGETS), "--no-why", "--timeout", "120", "-q",
        "--json", "out.json", cwd=tmp_path, timeout_s=300,
    )  # fmt: skip
    document = json.loads((tmp_path / "out.json").read_text())
    assert (done.returncode, done.stderr, document["exit"]) == (0, "", 0)
    assert [t["target"] for t in document["sets"][0]["targets"]] == list(TARGETS)
    assert [s["name"] for s in document["sets"]] == list(rows_of(release))
    assert differences(document) == []
    ran = {t["target"]: t["numbers"] for s in document["sets"] for t in s["targets"] if t["status"] == "ok"}
    assert {target for target, numbers in ran.items() if numbers} == {"llvm-cpu", "vmvx"}
    assert all(numbers["kind"] == "right" for numbers in ran.values() if numbers)


@pytest.fixture
def why(toolchain: Callable[[str], Toolchain]) -> Callable[[str], Reason]:
    """What is said of the consumer flag alone, on the newest release, with the likeliest other flags."""

    def ask(name: str) -> Reason:
        subject = Subject((INPUTS / name).read_text(), ("llvm-cpu",))
        with Bench(toolchain("3.13.0"), JOBS, pool.Limits(120.0, 0)) as bench:
            facts = survey(bench, subject, default_sets(())[:2], ())
            (reason,) = reasons(bench, subject, facts, every_flag=False)
        assert reason.sets == ("consumer",)
        return reason

    return ask


def met(reason: Reason) -> tuple[list[str], list[str]]:
    """The changes of the program and of the flags with which the flag takes effect."""
    return [t.name for t in reason.changes if t.met], [t.name for t in reason.flags if t.met]


PRODUCER_TOO = f"+ {FLAG_PRODUCER}"
HANDLING = "+ --iree-flow-enable-pad-handling=true"
KNOWN = f"{FLAG_CONSUMER} is known from 2.9.0 to 3.13.0; "


def test_the_seed_on_a_release_that_needs_the_other_flag_too(
    toolchain: Callable[[str], Toolchain], tmp_path: Path
) -> None:
    """The example of the README: what it says there, and what the document holds."""
    toolchain("3.3.0")
    command, _, shown = README.partition("$ reduce triage ")[2].partition("```")[0].partition("\n")
    (tmp_path / "seeds").symlink_to(SEEDS)
    done = reduce("triage", *command.split(), "--json", "out.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    printed = done.stdout.splitlines()
    assert [line for line in shown.splitlines() if line.strip() != "…" and line not in printed] == []
    reason = next(r for r in json.loads((tmp_path / "out.json").read_text())["why"] if r["sets"] == ["consumer"])
    assert reason["kind"] == "flags"
    assert [t["name"] for t in reason["changes"] if t["met"]] == []
    assert [t["name"] for t in reason["flags"] if t["met"]] == [PRODUCER_TOO, HANDLING]
    assert reason["says"] == (
        "%padded_arg0 (18:18) is not fused: slow memcpy. It is fused with "
        f"{FLAG_PRODUCER} added; with --iree-flow-enable-pad-handling=true added."
    )
    assert reason["evidence"][:2] == [
        f"{KNOWN}it changes nothing: the 14 passes that do something up to the flow phase do the same without it",
        "TensorPadToTensorInsertSlicePass rewrites the pad before dispatches are formed; it has one use there: "
        "linalg.conv_2d_nchw_fchw",
    ]
    assert sum(" + " in t["name"] for t in reason["changes"]) == 13


def test_a_pad_with_two_uses(why: Callable[[str], Reason]) -> None:
    reason = why("pad_used_twice.mlir")
    assert reason.kind == "program"
    assert met(reason) == (["one use"], [PRODUCER_TOO])
    assert reason.says.startswith("%p (3:8) is not fused: slow memcpy. It is fused if the pad has one use; ")
    reached = "it reaches the compiler: TensorPadToTensorInsertSlicePass runs with skip-one-linalg-use-case=true"
    assert reason.evidence[0] == f"{KNOWN}{reached}"
    assert reason.evidence[1] == (
        "TensorPadToTensorInsertSlicePass rewrites the pad before dispatches are formed; it has 2 uses there: "
        "linalg.conv_2d_nchw_fchw, a result"
    )


def test_a_kernel_of_one_with_a_stride_of_two(why: Callable[[str], Reason]) -> None:
    reason = why("strided_1x1_conv.mlir")
    assert reason.kind == "program"
    assert met(reason) == (["wide kernel"], [])
    assert reason.says == ("%p (3:8) is not fused: a dispatch of its own. It is fused if the kernel is wider than 1.")
    assert reason.evidence[1] == (
        "FormDispatchRegionsPass puts the pad in another dispatch than what uses it: linalg.conv_2d_nchw_fchw is a "
        "linalg.generic that is no convolution, since FoldUnitExtentDimsPass"
    )


def test_a_matmul(why: Callable[[str], Reason]) -> None:
    reason = why("matmul.mlir")
    assert reason.kind == "op"
    assert met(reason) == (["convolution"], [])
    assert reason.says == (
        "%p (3:8) is not fused: a dispatch of its own. It is fused if a plain convolution takes the place of "
        "linalg.matmul, which is not what a pad is fused into."
    )
    assert reason.evidence[1] == (
        "FormDispatchRegionsPass puts the pad in another dispatch than what uses it, linalg.matmul"
    )


def test_a_quantised_convolution(why: Callable[[str], Reason]) -> None:
    reason = why("quantised_conv.mlir")
    assert reason.kind == "program"
    assert met(reason) == (["no zero points", "generic", "convolution"], [PRODUCER_TOO])
    assert reason.says.startswith(
        "%pad1 (9:11) is not fused: slow memcpy. It is fused if the convolution is not quantised; "
    )
    assert reason.evidence[1].endswith("it has 2 uses there: linalg.conv_2d_nhwc_hwcf_q, linalg.conv_2d_nhwc_hwcf_q")


def test_the_producer_flag_with_nothing_to_fuse_into(toolchain: Callable[[str], Toolchain]) -> None:
    subject = Subject((INPUTS / "matmul.mlir").read_text(), ("llvm-cpu",))
    none, _, producer, _ = default_sets(())
    with Bench(toolchain("3.13.0"), JOBS, pool.Limits(120.0, 0)) as bench:
        (reason,) = reasons(bench, subject, survey(bench, subject, (none, producer), ()))
    assert met(reason) == (["produced source"], [])
    assert reason.says.endswith("It is fused if what it pads is computed by a structured op.")
    assert "what it pads comes from outside" in reason.evidence
