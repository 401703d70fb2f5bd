from __future__ import annotations

import io
import json
import struct
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.experiment import Diagnostic, FunctionRun, Location, Observation, ResultSeen, Status
from reducer import framing, wire

RESULT = ResultSeen("value", (1, 0), "2", "-3", 1, 4, "within 3e-07")
RUN = FunctionRun(
    "main", "defined", ended="returned", inputs=("2xf32=1 2", "random:3"), expected=("f32=2",), got=("f32=-3",),
    results=(RESULT, ResultSeen("same")), reference_s=0.5, run_s=0.25,
)  # fmt: skip
MESSAGES = [
    wire.Hello(python="3.11.7", pid=1, passes=("drop_dead",)),
    wire.CompileRequest("module {}", "flow", ir=True),
    wire.SliceRequest("module {}", (Location(3, 4),), 2),
    wire.AssignRequest("module {}", (1, -2)),
    wire.Edited("module {}", wire.Size(1, 2, 3, 4, 5)),
    wire.Edited(invalid="'tensor.pad' op no"),
    wire.Parameters((wire.Parameter("type", 0, 0, 1, 0, ("f32", "f16")),)),
    Observation(
        Status.FAILED, diagnostics=(Diagnostic("error", "no", Location(1, 2), ("see",)),), failing_passes=("P",)
    ),
    wire.MeasureRequest("module {}"),
    wire.SitesRequest("module {}", "drop_dead"),
    wire.Sites(("%0 = tensor.pad: becomes an argument",)),
    wire.ApplyRequest("module {}", "drop_dead", (0, 2)),
    wire.InlineRequest("module {}"),
    wire.ParametersRequest("module {}"),
    wire.VariantsRequest("module {}", 1, ("one use", "f32")),
    wire.Variants((wire.Variant("one use", "the pad has one use", "module {}"),)),
    wire.Failure("no such pass"),
    wire.CompileRequest("module {}", "end", ir=False, output="/tmp/module.vmfb"),
    wire.InputsRequest("module {}", ("2xf32=1 2", "f32=-3"), 7),
    wire.JoinRequest(("module {}", "module {}"), ("f0", "f1"), (("f32=1",), ())),
    wire.BareRequest("module {}"),
    wire.Array((2, 1), "bf16", "gD8AQA=="),
    wire.EvaluateRequest("util.func @f()", "func.func @f()"),
    wire.CompareRequest("f", (wire.Array((), "f32", "AACAPw=="),), (wire.Array((0,), "npy", ""),), 1e-5, None),
    wire.Evaluation(
        (
            wire.Evaluated("f", ("2xf32=1 2",), ("f32", ""), ("f32=3",), seconds=0.125),
            wire.Evaluated("g", reference="undefined", why="division by zero"),
        )
    ),
    wire.Comparison((RESULT,), ("2x2xf32=1 2 3 4",), ("",)),
    Observation(Status.OK, runs=(RUN, FunctionRun("g", "unknown", "cannot evaluate foo.bar"))),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda m: type(m).__name__)
def test_a_message_survives_the_wire(message: wire.Request | wire.Reply) -> None:
    stream = io.BytesIO()
    framing.write_message(stream, message)
    stream.seek(0)
    assert framing.read_message(stream) == message


def test_every_message_is_tried() -> None:
    """So that a new message cannot be forgotten in the list of types that the wire knows."""
    assert {*get_args(wire.Request), *get_args(wire.Reply)} <= {type(message) for message in MESSAGES}


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), 5e-324, 0.1])
def test_a_tolerance_survives_exactly(value: float) -> None:
    message = wire.CompareRequest("f", (), (), value, value)
    assert framing.decode(framing.encode(message)[4:]) == message


@given(st.binary(max_size=64))
def test_a_program_of_any_bytes_survives_the_wire(blob: bytes) -> None:
    program = blob.decode("utf-8", "surrogateescape")
    stream = io.BytesIO(framing.encode(wire.MeasureRequest(program)))
    assert framing.read_message(stream).program.encode("utf-8", "surrogateescape") == blob


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"garbage",
        b'{"type":"os.system"}',
        b'{"type":"Hello"}',
        b'{"type":"Edited","size":{"type":"Popen"}}',
        b"\xff\xfe",
    ],
)
def test_nonsense_is_an_error_and_nothing_else(body: bytes) -> None:
    with pytest.raises(framing.WireError):
        framing.decode(body)


def test_a_torn_or_huge_message_is_an_error() -> None:
    whole = framing.encode(wire.MeasureRequest("module {}"))
    with pytest.raises(framing.WireError, match="ended"):
        framing.read_message(io.BytesIO(whole[:-1]))
    with pytest.raises(framing.WireError, match="over the limit"):
        framing.read_message(io.BytesIO(struct.pack(">I", framing.MAX_FRAME_BYTES + 1)))


def test_the_wire_is_plain_json() -> None:
    assert json.loads(framing.encode(wire.SitesRequest("m", "p"))[4:]) == {
        "type": "SitesRequest",
        "program": "m",
        "pass_name": "p",
    }
