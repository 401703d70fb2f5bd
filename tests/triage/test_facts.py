"""What the table says is wrong, on what released compilers printed."""

from __future__ import annotations

import pytest

from oracles.dispatches import FLAG_CONSUMER, FLAG_PRODUCER
from oracles.experiment import FunctionRun, Observation, ResultSeen, Status
from reducer.triage.facts import (
    Facts,
    FlagSet,
    Numbers,
    Row,
    TargetFacts,
    default_sets,
    flow_facts,
    numbers_of,
    target_facts,
    unmet,
)
from tests.oracles import canned

OK = TargetFacts("llvm-cpu", Status.OK, numbers=Numbers("right", "bit for bit"))


def table(program: str, release: str, names: tuple[str, ...] = ("none", "consumer")) -> Facts:
    sets = {flags.name: flags for flags in default_sets(())}
    rows = []
    for name in names:
        observation = Observation(Status.OK, ir=canned.flow(f"{program}.{release}.{name}"))
        rows.append(Row(sets[name], flow=flow_facts(canned.program(program), observation), targets=(OK,)))
    return Facts(release, tuple(rows), "llvm-cpu")


def test_default_sets_vary_the_padding_flags_alone() -> None:
    sets = default_sets(("--iree-opt-level=O3", FLAG_CONSUMER))
    assert [(s.name, s.flags) for s in sets] == [
        ("none", ("--iree-opt-level=O3",)),
        ("consumer", ("--iree-opt-level=O3", FLAG_CONSUMER)),
        ("producer", ("--iree-opt-level=O3", FLAG_PRODUCER)),
        ("both", ("--iree-opt-level=O3", FLAG_CONSUMER, FLAG_PRODUCER)),
    ]


@pytest.mark.parametrize(
    ("flags", "padding"),
    [
        ((FLAG_CONSUMER,), (FLAG_CONSUMER,)),
        ((f"{FLAG_CONSUMER}=true", "--iree-opt-level=O3"), (FLAG_CONSUMER,)),
        ((f"{FLAG_CONSUMER}=false", FLAG_PRODUCER), (FLAG_PRODUCER,)),
        (("--iree-opt-level=O3",), ()),
    ],
)
def test_which_padding_flags_are_on(flags: tuple[str, ...], padding: tuple[str, ...]) -> None:
    assert FlagSet("x", flags).padding == padding


@pytest.mark.parametrize(
    ("program", "release", "effect", "without_effect"),
    [
        ("pad_conv", "3.3.0", "changes no dispatch of none", ["%padded_arg0"]),
        ("pad_conv", "3.13.0", "2 → 1 dispatches", []),
        ("pad_used_twice", "3.13.0", "changes no dispatch of none", ["%p"]),
        ("quantised_conv", "3.13.0", "changes no dispatch of none", ["%pad1"]),
        ("strided_1x1_conv", "3.13.0", "only makes the slow memcpy a dispatch of its own", ["%p"]),
        ("matmul", "3.13.0", "only makes the slow memcpy a dispatch of its own", ["%p"]),
    ],
)
def test_the_effect_of_the_consumer_flag(program: str, release: str, effect: str, without_effect: list[str]) -> None:
    facts = table(program, release)
    none, consumer = facts.rows
    assert facts.effect(none) == ""
    assert facts.effect(consumer) == effect
    assert [pad.name for pad in facts.without_effect(consumer)] == without_effect
    assert facts.is_wrong(consumer) == facts.any_wrong == bool(without_effect)
    assert not facts.is_wrong(none)


def test_the_producer_flag_puts_a_pad_with_no_producer_nowhere() -> None:
    facts = table("pad_conv", "3.13.0", ("none", "producer"))
    assert [pad.name for pad in facts.without_effect(facts.rows[1])] == ["%padded_arg0"]


def test_both_flags_that_fuse_are_met_whatever_one_alone_does() -> None:
    facts = table("pad_conv", "3.3.0", ("none", "consumer", "producer", "both"))
    assert [[p.name for p in unmet(row.flags, row.flow)] for row in facts.rows if row.flow] == [
        [],
        ["%padded_arg0"],
        ["%padded_arg0"],
        [],
    ]
    assert facts.effect(facts.rows[3]) == "2 → 1 dispatches"


def test_a_program_without_a_flow_phase() -> None:
    seen = flow_facts(canned.program("strided_unit_conv"), canned.failed("strided_unit_conv.3.13.0.llvm-cpu.none"))
    assert seen.flow is None
    assert seen.failure != ""
    facts = Facts("3.13.0", (Row(FlagSet("none", ()), flow=seen),), "llvm-cpu")
    assert facts.any_wrong


def test_a_set_that_is_refused_is_wrong() -> None:
    none = table("pad_conv", "3.13.0").rows[0]
    refused = Row(FlagSet("--iree-nonsense", ("--iree-nonsense",)), refused="unknown")
    assert Facts("3.13.0", (none, refused), "llvm-cpu").any_wrong


def test_a_failing_translation() -> None:
    seen = target_facts("llvm-cpu", canned.failed("pad_conv.3.13.0.llvm-cpu.producer"), ran=True)
    assert seen.status is Status.FAILED
    assert seen.signature == "silent failure of ConcretizePadResultShapePass"
    assert seen.failing_pass == "ConcretizePadResultShapePass"
    assert seen.numbers is None
    assert seen.is_wrong


def test_a_limit_that_was_hit() -> None:
    seen = target_facts("llvm-cpu", Observation(Status.TIMED_OUT, seconds=30.0), ran=True)
    assert (seen.signature, seen.is_wrong) == ("compilation timed out", True)


RIGHT = ResultSeen("same", total=4, how="bit for bit")
WRONG = ResultSeen("value", (1,), "2.0", "3.0", 1, 4, "bit for bit")
OPEN = ResultSeen("unknown", total=4)


@pytest.mark.parametrize(
    ("runs", "numbers", "is_wrong"),
    [
        ((FunctionRun("f", "defined", ended="returned", results=(RIGHT,)),), Numbers("right", "bit for bit"), False),
        (
            (FunctionRun("f", "defined", ended="returned", results=(WRONG,)),),
            Numbers("wrong", "@f: result 0[1] is 3.0, expected 2.0, 1 of 4 elements"),
            True,
        ),
        ((FunctionRun("f", "defined", ended="crashed", said="signal 11"),), Numbers("crashed", "@f: signal 11"), True),
        (
            (FunctionRun("f", "undefined", "it reads what nothing wrote"),),
            Numbers("undefined", "@f: it reads what nothing wrote"),
            False,
        ),
        (
            (FunctionRun("f", "defined", ended="returned", results=(OPEN,)),),
            Numbers("unknown", "@f: how far result 0 may be off is not known"),
            False,
        ),
        ((), Numbers("unknown", "there is no function to run"), False),
    ],
)
def test_numbers(runs: tuple[FunctionRun, ...], numbers: Numbers, is_wrong: bool) -> None:
    observation = Observation(Status.OK, runs=runs)
    assert numbers_of(observation) == numbers
    assert target_facts("llvm-cpu", observation, ran=True).is_wrong == is_wrong
