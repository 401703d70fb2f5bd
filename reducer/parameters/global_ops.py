"""Globals: one shape for the definition, the initial value, and all that is loaded and stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from iree.compiler import ir

from reducer.parameters import constants
from reducer.parameters.builder import Builder
from reducer.passes import bindings

_DEFINITION = "util.global"
_ACCESSES = ("util.global.load", "util.global.store")
OPS = (_DEFINITION, *_ACCESSES)


class _Global:
    """A global as if it were a value: what a builder asks of one."""

    def __init__(self, op: Any) -> None:
        self.op = op

    @property
    def owner(self) -> Any:
        """The op itself."""
        return self.op

    @property
    def type(self) -> Any:
        """The type of what it holds."""
        return ir.TypeAttr(self.op.attributes["type"]).value

    def set_type(self, new: Any) -> None:
        """Let it hold another type. The initial value is somebody else's business."""
        self.op.attributes["type"] = ir.TypeAttr.get(new)

    def get_name(self, _names: Any) -> str:
        """Its symbol."""
        return f"@{_symbol(self.op, 'sym_name')}"


class Globals:
    """The globals of a module, by symbol; of several of one name (in nested modules) none is known."""

    def __init__(self) -> None:
        self._known: dict[str, _Global | None] = {}
        self._accesses: list[tuple[str, Any]] = []

    def add(self, op: Any) -> None:
        """Note a definition, a load or a store."""
        if op.name == _DEFINITION:
            name = _symbol(op, "sym_name")
            self._known[name] = None if name in self._known else _Global(op)
        else:
            value = op.results[0] if len(op.results) else op.operands[0]
            self._accesses.append((_symbol(op, "global"), value))

    def accesses(self) -> Iterator[Any]:
        """What is loaded or stored, in order."""
        for _, value in self._accesses:
            yield value

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Each global with what is loaded from it or stored to it; with itself too."""
        for known in self._known.values():
            if known is not None:
                yield known, known
        for name, value in self._accesses:
            known = self._known.get(name)
            if known is not None:
                yield known, value


def _symbol(op: Any, key: str) -> str:
    return str(op.attributes[key]).strip('@"')


def model(builder: Builder, known: Globals) -> None:
    """Connect the globals with their loads and stores; what belongs to none that is known keeps its shape."""
    connected = set[Any]()
    for one, value in known.pairs():
        connected.add(value)
        if one is value:
            _define(builder, one)
        else:
            builder.equal(builder.dims(one), builder.dims(value))
    builder.pin_values([value for value in known.accesses() if value not in connected])


def _define(builder: Builder, one: _Global) -> None:
    builder.slot(one)
    if "initial_value" not in one.op.attributes:
        return
    if bindings.is_readable(one.op):
        constants.initial(builder, one, one.op, "initial_value")
    else:
        builder.pin_values([one])
