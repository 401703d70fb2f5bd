"""Holds the document of `reduce triage` against expected.json, what releases were measured to do with one program."""

from __future__ import annotations

from typing import Any

from oracles.signature import normalise
from tests.oracles.canned import FLAG_SETS, expected_rows

TARGETS = ("llvm-cpu", "vmvx", "cuda:sm_80", "vulkan:rdna3", "rocm:gfx942")
CUT_OFF = "…"
SILENT = "failed to run translation of source executable"


def rows_of(release: str) -> dict[str, dict[str, Any]]:
    """The measured rows of a release, by the name of the flag set."""
    return {row["flags"]: row for row in expected_rows() if row["release"] == release}


def differences(document: dict[str, Any]) -> list[str]:
    """Where the document says something else than was measured; [] if nowhere."""
    rows = rows_of(document["release"])
    found = [f"sets: {[s['name'] for s in document['sets']]}"] if list(rows) != list(FLAG_SETS) else []
    for said in document["sets"]:
        row = rows[said["name"]]
        for what, seen in _flow(said).items():
            if seen != row[what]:
                found.append(f"{said['name']} {what}: {seen}, measured {row[what]}")
        for target in said["targets"]:
            if (why := _target(target, row["targets"][target["target"]])) is not None:
                found.append(f"{said['name']} {target['target']}: {why}")
    return found


def _flow(said: dict[str, Any]) -> dict[str, Any]:
    """The facts of the flow phase that a row has."""
    (pad,) = said["pads"]
    return {
        "dispatches": len(said["dispatches"]),
        "executables": [sorted({op.partition(" from ")[0] for op in ops}) for ops in said["dispatches"]],
        "pad_in_conv_dispatch": any(place["where"] == "consumer" for place in pad["places"]),
        "slow_memcpy": said["slow_memcpys"] > 0,
    }


def _target(said: dict[str, Any], measured: dict[str, Any]) -> str | None:
    """What is otherwise than measured on a target; None if nothing is."""
    status = str(measured["status"])
    if status == "ok":
        return None if said["status"] == "ok" else f"{said['status']} ({said['signature']}), measured ok"
    if status.startswith("timeout"):
        return None if said["status"] == "timed out" else f"{said['status']} ({said['signature']}), measured {status}"
    if measured.get("exit", 1) < 0:
        return None if said["status"] == "crashed" else f"{said['status']}, measured a crash"
    error = str(measured["first_error"])
    signature = str(said["signature"])
    same = signature == normalise(error)
    if error.startswith(SILENT):
        same = signature.startswith("silent failure of ")
    elif error.endswith(CUT_OFF):
        same = signature.startswith(normalise(error.removesuffix(CUT_OFF)))
    if said["status"] != "failed" or not same:
        return f"{said['status']} ({said['signature']}), measured {error}"
    return None
