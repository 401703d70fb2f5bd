"""What is concluded from what was tried."""

from __future__ import annotations

from dataclasses import replace

from reducer.triage.reasons import ALONE, REPLACED, Reason, Trial, Tried, conclude, merged

FUSED = "fused into linalg.conv_2d_nchw_fchw"
ONE_USE = Trial("one use", "the pad has one use", FUSED, met=True, moved=True)
NO_LOW = Trial("no low padding", "it adds at the end alone", "slow memcpy", met=False, moved=False)
GENERIC = Trial("generic", "named ops are generic", "a dispatch of its own", met=False, moved=True)
INSTEAD = Trial(REPLACED, "a plain convolution takes the consumer's place", "fused into linalg.conv_2d", True, True)
ADDED = Trial("+ --foo=true", "", FUSED, met=True, moved=True)
TAKEN = Trial("- --bar", "", FUSED, met=True, moved=True)
IDLE = Trial("+ --foo=false", "", "slow memcpy", met=False, moved=False)
NOTHING = Tried("%p (3:8)", "slow memcpy", "linalg.matmul", (), (NO_LOW,), (), (IDLE,), (0, 2))


def concluded(tried: Tried) -> Reason:
    return conclude(tried, "consumer", ("it is known",))


def test_one_change_of_the_program() -> None:
    reason = concluded(replace(NOTHING, changes=(ONE_USE, NO_LOW, GENERIC, INSTEAD)))
    assert reason.kind == "program"
    assert reason.says == "%p (3:8) is not fused: slow memcpy. It is fused if the pad has one use."
    assert reason.evidence == (
        "it is known",
        f"if the pad has one use: {FUSED}",
        "if a plain convolution takes the consumer's place: fused into linalg.conv_2d",
        "if named ops are generic: a dispatch of its own",
        "of no effect: no low padding; 1 other flag",
    )
    assert reason.changes == (ONE_USE, NO_LOW, GENERIC, INSTEAD)


def test_flags_added_and_taken_away() -> None:
    reason = concluded(replace(NOTHING, flags=(IDLE, ADDED, TAKEN)))
    assert reason.kind == "flags"
    assert reason.says.endswith("It is fused with --foo=true added; without --bar.")
    reason = concluded(replace(NOTHING, flags=(replace(ADDED, says=ALONE),)))
    assert reason.says.endswith("It is fused with --foo=true added (whatever the padding-fusion flags).")


def test_what_works_in_its_place_is_a_reason_where_there_is_no_other() -> None:
    reason = concluded(replace(NOTHING, changes=(NO_LOW, INSTEAD)))
    assert reason.kind == "op"
    assert reason.says.endswith(
        "It is fused if a plain convolution takes the place of linalg.matmul, which is not what a pad is fused into."
    )


def test_a_pad_that_stands_for_others() -> None:
    reason = concluded(replace(NOTHING, changes=(ONE_USE,), more=2))
    assert reason.says == (
        "%p (3:8) and 2 more are not fused: slow memcpy. %p (3:8) is fused if the pad has one use."
    )
    assert reason.pads == ("%p (3:8) and 2 more",)


def test_pairs_count_where_nothing_single_does() -> None:
    pair = Trial("one use + no low padding", "the pad has one use and it adds at the end alone", FUSED, True, True)
    reason = concluded(replace(NOTHING, pairs=(pair, replace(pair, met=False))))
    assert reason.kind == "pairs"
    assert reason.says.endswith("It is fused if the pad has one use and it adds at the end alone.")
    assert reason.evidence[-1] == "of no effect: no low padding; 1 pair of changes; 1 other flag"


def test_nothing_that_was_tried() -> None:
    reason = concluded(NOTHING)
    assert reason.kind == "unexplained"
    assert reason.says == (
        "%p (3:8) is not fused: slow memcpy. Nothing that was tried fuses it: the flag changes no dispatch of the "
        "program, nor of any of 1 variant."
    )
    assert concluded(replace(NOTHING, acts=(1, 2))).says.endswith("Nothing that was tried fuses it.")


def test_a_pad_that_no_structured_op_uses() -> None:
    reason = concluded(replace(NOTHING, op="", others=("tensor.pad", "return", "return")))
    assert reason.kind == "op"
    assert reason.says == "%p (3:8) is not fused: slow memcpy. No structured op uses it, only tensor.pad, return."


def test_the_same_is_said_once() -> None:
    first = concluded(NOTHING)
    second = replace(first, sets=("both",), evidence=("another",))
    third = replace(first, sets=("producer",), says="%q")
    assert merged([first, third, second]) == (replace(first, sets=("consumer", "both")), third)
