"""What expected.json says an oracle must answer: the measurements, put in the words of the oracles.

expected.json is the table of measurements itself (tests/oracles/): the pad of seeds/pad_conv.mlir and its convolution,
by release, flag set and target. Its facts of the flow phase are of llvm-cpu.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oracles.no_op_flag import ONLY_MEMCPY, UNCHANGED
from tests.oracles.canned import FLAG_SETS, expected_rows

PAD_CONV = Path(__file__).parents[2] / "seeds" / "pad_conv.mlir"
SILENT = "failed to run translation of source executable to target executable"
ROWS: dict[tuple[str, str], dict[str, Any]] = {(r["release"], r["flags"]): r for r in expected_rows()}


@dataclass(frozen=True)
class Row:
    """One row: a release and a set of flags."""

    release: str
    name: str

    @property
    def flags(self) -> tuple[str, ...]:
        return tuple(sorted(FLAG_SETS[self.name]))

    @property
    def facts(self) -> dict[str, Any]:
        return ROWS[self.release, self.name]

    def given(self, flag: str) -> Row:
        """The row with this flag besides."""
        return self._with(FLAG_SETS[self.name] | {flag})

    def without(self, flag: str) -> Row:
        """The row without this flag."""
        return self._with(FLAG_SETS[self.name] - {flag})

    def _with(self, flags: frozenset[str]) -> Row:
        return Row(self.release, next(name for name, these in FLAG_SETS.items() if these == flags))

    def timed_out(self, target: str) -> bool:
        return str(self.facts["targets"][target]["status"]).startswith("timeout")

    def error(self, target: str) -> str:
        """What a failing translation says first: "" if it does not fail so; SILENT if nothing but that it failed."""
        return str(self.facts["targets"][target].get("first_error", ""))

    def signal(self, target: str) -> int:
        """The signal by which the compiler ends, or 0."""
        return max(0, -int(self.facts["targets"][target].get("exit", 0)))

    def no_op(self, flag: str) -> str:
        """In which way a flag does nothing here, as `no-op-flag` says it; "" if it does something."""
        given, without = self.given(flag).facts, self.without(flag).facts
        if given["pad_in_conv_dispatch"] or given["dispatches"] != without["dispatches"]:
            return ""
        if given["executables"] == without["executables"]:
            return UNCHANGED
        moved = [executable or ["tensor.pad"] for executable in without["executables"]]
        return ONLY_MEMCPY if without["slow_memcpy"] and moved == given["executables"] else ""


def rows(release: str | None = None) -> list[Row]:
    """The rows of a release, or all, in the order of the table."""
    return [Row(version, name) for version, name in ROWS if release in (None, version)]
