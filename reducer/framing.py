"""How a message is written: one JSON document behind a 4-byte big-endian length.

`encode` and `decode` keep the types of `wire.py` by class name, so neither side ever unpickles what the other (a
compiler that may have run wild) has written.
"""

from __future__ import annotations

import dataclasses
import json
import struct
from enum import Enum
from typing import Any, BinaryIO

from oracles.experiment import Diagnostic, FunctionRun, Location, Observation, ResultSeen, Status
from reducer import wire

MAX_FRAME_BYTES = 512 * 1024 * 1024
_LENGTH = struct.Struct(">I")

_TYPES: dict[str, type[Any]] = {
    t.__name__: t
    for t in (
        wire.ApplyRequest, wire.Array, wire.AssignRequest, wire.BareRequest, wire.CompareRequest, wire.Comparison,
        wire.CompileRequest, wire.Edited, wire.EvaluateRequest, wire.Evaluated, wire.Evaluation, wire.Failure,
        wire.Hello, wire.InlineRequest, wire.InputsRequest, wire.JoinRequest, wire.MeasureRequest, wire.Parameter,
        wire.Parameters, wire.ParametersRequest, wire.Sites, wire.SitesRequest, wire.Size, wire.SliceRequest,
        wire.Variant, wire.Variants, wire.VariantsRequest, Diagnostic, FunctionRun, Location, Observation, ResultSeen,
    )
}  # fmt: skip


class WireError(Exception):
    """The stream ended or holds something that is not a message."""


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {"type": type(value).__name__, **fields}
    if isinstance(value, (tuple, list)):
        return [_plain(v) for v in value]
    return value


def _typed(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_typed(v) for v in value)
    if isinstance(value, dict):
        name = value.pop("type", None)
        cls = _TYPES.get(name)
        if cls is None:
            raise WireError(f"unknown message type {name!r}")
        fields = {k: _typed(v) for k, v in value.items()}
        if cls is Observation:
            fields["status"] = Status(fields["status"])
        return cls(**fields)
    return value


def encode(message: wire.Request | wire.Reply) -> bytes:
    """The bytes of one message, length included."""
    body = json.dumps(_plain(message), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogateescape")
    return _LENGTH.pack(len(body)) + body


def decode(body: bytes) -> Any:
    """The message in `body` (without its length). Raises WireError."""
    try:
        return _typed(json.loads(body.decode("utf-8", "surrogateescape")))
    except (ValueError, TypeError, AttributeError) as error:
        raise WireError(f"not a message: {error}") from error


def read_message(stream: BinaryIO) -> Any:
    """Block for the next message. Raises WireError at the end of the stream."""
    head = _read_exactly(stream, _LENGTH.size)
    (length,) = _LENGTH.unpack(head)
    if length > MAX_FRAME_BYTES:
        raise WireError(f"a message of {length} bytes is over the limit of {MAX_FRAME_BYTES}")
    return decode(_read_exactly(stream, length))


def write_message(stream: BinaryIO, message: wire.Request | wire.Reply) -> None:
    """Write one message and flush."""
    stream.write(encode(message))
    stream.flush()


def _read_exactly(stream: BinaryIO, count: int) -> bytes:
    parts: list[bytes] = []
    while count:
        part = stream.read(count)
        if not part:
            raise WireError("the stream ended")
        parts.append(part)
        count -= len(part)
    return b"".join(parts)
