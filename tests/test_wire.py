from __future__ import annotations

import io
import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.experiment import Diagnostic, Location, Observation, Status
from reducer import wire

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
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda m: type(m).__name__)
def test_a_message_survives_the_wire(message: wire.Request | wire.Reply) -> None:
    stream = io.BytesIO()
    wire.write_message(stream, message)
    stream.seek(0)
    assert wire.read_message(stream) == message


@given(st.binary(max_size=64))
def test_a_program_of_any_bytes_survives_the_wire(blob: bytes) -> None:
    program = blob.decode("utf-8", "surrogateescape")
    stream = io.BytesIO(wire.encode(wire.MeasureRequest(program)))
    assert wire.read_message(stream).program.encode("utf-8", "surrogateescape") == blob


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
    with pytest.raises(wire.WireError):
        wire.decode(body)


def test_a_torn_or_huge_message_is_an_error() -> None:
    whole = wire.encode(wire.MeasureRequest("module {}"))
    with pytest.raises(wire.WireError, match="ended"):
        wire.read_message(io.BytesIO(whole[:-1]))
    with pytest.raises(wire.WireError, match="over the limit"):
        wire.read_message(io.BytesIO(struct.pack(">I", wire.MAX_FRAME_BYTES + 1)))


def test_the_wire_is_plain_json() -> None:
    assert json.loads(wire.encode(wire.SitesRequest("m", "p"))[4:]) == {
        "type": "SitesRequest",
        "program": "m",
        "pass_name": "p",
    }
