"""How facts and reasons look: aligned, and no wider than they should be."""

from __future__ import annotations

from dataclasses import replace

from oracles.dispatches import FLAG_CONSUMER
from oracles.experiment import Observation, Status
from reducer.cli.exits import Exit
from reducer.cli.triage_tables import WIDTH, document, reasons_text, tables
from reducer.triage.facts import Facts, FlagSet, Numbers, Row, TargetFacts, default_sets, flow_facts
from reducer.triage.reasons import Reason, Trial
from tests.oracles import canned

NAMES = ("none", "consumer", "producer", "both")
PASS = "ConcretizePadResultShapePass"
FAILED = TargetFacts("vmvx", Status.FAILED, f"silent failure of {PASS}", PASS)
OTHER = TargetFacts("cuda:sm_80", Status.FAILED, "LLVM Translation failed", "SerializeTargetExecutablesPass")
RIGHT = TargetFacts("vmvx", Status.OK, numbers=Numbers("right", "bit for bit"))
WRONG = TargetFacts("vmvx", Status.OK, numbers=Numbers("wrong", "@f: result 0[1] is 45.0, expected 77.0"))
CUDA = TargetFacts("cuda:sm_80", Status.OK)


def facts() -> Facts:
    sets = {flags.name: flags for flags in default_sets(("--iree-opt-level=O2",))}
    targets = {"none": (RIGHT, CUDA), "consumer": (WRONG, CUDA), "producer": (FAILED, OTHER), "both": (RIGHT, OTHER)}
    rows = []
    for name in NAMES:
        seen = Observation(Status.OK, ir=canned.flow(f"pad_conv.3.3.0.{name}"))
        rows.append(Row(sets[name], flow=flow_facts(canned.program("pad_conv"), seen), targets=targets[name]))
    return Facts("3.3.0", tuple(rows), "llvm-cpu", ("--iree-opt-level=O2",))


TABLES = """
in every set: --iree-opt-level=O2
consumer  --iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops
producer  --iree-dispatch-creation-enable-fuse-padding-into-linalg-producer-ops
both      --iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops
          --iree-dispatch-creation-enable-fuse-padding-into-linalg-producer-ops

Dispatches (flow phase, llvm-cpu)
  none       2  slow memcpy
                linalg.fill, linalg.conv_2d_nchw_fchw
  consumer   2  as none
  producer   2  tensor.pad
                linalg.fill, linalg.conv_2d_nchw_fchw
  both       1  linalg.fill, tensor.pad, linalg.conv_2d_nchw_fchw

Pads
  %padded_arg0 (9:18)
    none      slow memcpy
    consumer  slow memcpy
    producer  a dispatch of its own
    both      fused into linalg.conv_2d_nchw_fchw

Translation
            vmvx  cuda:sm_80
  none      ok    ok
  consumer  ok    ok
  producer  A     B
  both      ok    B
  A  silent failure of ConcretizePadResultShapePass
  B  LLVM Translation failed (SerializeTargetExecutablesPass)

Numbers
            vmvx
  none      right
  consumer  wrong
  producer  -
  both      right
  consumer: @f: result 0[1] is 45.0, expected 77.0
"""


def test_the_tables() -> None:
    assert "\n".join(tables(facts())) + "\n" == TABLES


def test_a_set_that_is_refused_and_one_that_does_not_get_far() -> None:
    known = facts().rows[0]
    refused = Row(FlagSet("--iree-nonsense", ("--iree-nonsense",)), refused="--iree-nonsense is unknown " + "x " * 60)
    failed = flow_facts(canned.program("pad_conv"), Observation(Status.TIMED_OUT))
    lines = tables(Facts("3.3.0", (known, refused, Row(FlagSet("slow", ()), flow=failed)), "llvm-cpu"))
    assert any(line.startswith("  --iree-nonsense  refused: --iree-nonsense is unknown x x") for line in lines)
    assert "  slow             no flow phase: compilation timed out" in lines
    assert max(map(len, lines)) <= WIDTH
    assert not any(line.startswith(("  --iree-nonsense  ok", "  slow  ok")) for line in lines)


def test_long_sets_are_numbered() -> None:
    known = facts().rows[0]
    name = "--iree-opt-level=O3 --iree-opt-data-tiling=false"
    row = replace(known, flags=FlagSet(name, tuple(name.split())))
    lines = tables(Facts("3.3.0", (known, row), "llvm-cpu"))
    assert "set 2  --iree-opt-level=O3" in lines
    assert "       --iree-opt-data-tiling=false" in lines
    assert "  set 2   2  as none" in lines


def test_many_dispatches_are_counted() -> None:
    one = facts().rows[3]
    assert one.flow is not None
    assert one.flow.flow is not None
    many = replace(one.flow, flow=replace(one.flow.flow, dispatches=one.flow.flow.dispatches * 40))
    lines = tables(Facts("3.3.0", (replace(one, flow=many),), "llvm-cpu"))
    assert "  both  40  40 x linalg.fill, tensor.pad, linalg.conv_2d_nchw_fchw" in lines


REASON = Reason(
    "program", ("consumer",), ("%p",),
    f"%p is not fused. It is fused if the pad has one use; with {FLAG_CONSUMER} added; with --bar added; "
    "with --iree-opt-level=O3 added.",
    (f"{FLAG_CONSUMER} is known", "a long line " * 12),
    (Trial("one use", "it has one use", "fused", met=True, moved=True),),
)  # fmt: skip


def test_reasons() -> None:
    lines = reasons_text([REASON, replace(REASON, sets=("both",), evidence=())])
    assert lines[:4] == [
        "", "Why",
        "  consumer, both: %p is not fused. It is fused if the pad has one use; with --…-consumer-ops added;",
        "    with --bar added; with --iree-opt-level=O3 added.",
    ]  # fmt: skip
    assert lines[4] == "    - --…-consumer-ops is known"
    assert lines[5].startswith("    - a long line a long line")
    assert lines[6].startswith("      line a long line")
    assert max(map(len, lines)) <= WIDTH
    assert reasons_text([]) == []


def test_the_document() -> None:
    said = document(facts(), [REASON], ["vmvx", "cuda:sm_80"], Exit.CONFIRMED)
    assert (said["release"], said["flags"], said["exit"]) == (
        "3.3.0",
        ["--iree-opt-level=O2"],
        0,
    )
    none, consumer, producer, both = said["sets"]
    assert [s["wrong"] for s in said["sets"]] == [False, True, True, True]
    assert [s["effect"] for s in said["sets"]] == [
        None, "changes no dispatch of none", "only makes the slow memcpy a dispatch of its own", "2 → 1 dispatches"
    ]  # fmt: skip
    assert (none["slow_memcpys"], both["slow_memcpys"]) == (1, 0)
    assert none["dispatches"] == [[], ["linalg.fill", "linalg.conv_2d_nchw_fchw"]]
    assert both["pads"] == [
        {
            "name": "%padded_arg0", "op": "tensor.pad", "line": 9, "column": 18,
            "places": [{"where": "consumer", "op": "linalg.conv_2d_nchw_fchw"}],
        }
    ]  # fmt: skip
    assert producer["targets"][1] == {
        "target": "cuda:sm_80", "status": "failed", "signature": "LLVM Translation failed",
        "failing_pass": "SerializeTargetExecutablesPass", "seconds": 0.0, "numbers": None,
    }  # fmt: skip
    assert consumer["without_effect"] == ["%padded_arg0"]
    assert consumer["targets"][0]["numbers"] == {"kind": "wrong", "said": "@f: result 0[1] is 45.0, expected 77.0"}
    assert said["why"][0]["changes"] == [
        {"name": "one use", "says": "it has one use", "place": "fused", "met": True, "moved": True}
    ]
