"""The arguments and results of one function while they change.

Owns what has to agree with them: the entry block, the return, the function's type, and the attributes that hold one
entry an argument or result. The calls are the edit's business.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from iree.compiler import ir

from reducer.passes import bindings
from reducer.passes.program import Function, Node
from reducer.passes.types import function_type

_TIED = "tied_operands"


class Signature:
    """A function's signature, changed in memory and written back once.

    As soon as the results are touched, the return is taken out of the body until `write_return`.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        last = [b.nodes[-1] for b in function.node.regions[0] if b.nodes]
        self.return_ops = [n for n in last if not n.erased and _is_return(n)]
        self.original_arguments = len(function.entry.arguments)
        self.original_results = len(self.return_ops[0].operands) if self.return_ops else 0
        self._argument_origins: list[int | None] = list(range(self.original_arguments))
        self._results: list[tuple[ir.Value, int | None]] | None = None
        self._returned: set[ir.Value] = set()
        self._result_origins: list[int | None] = list(range(self.original_results))

    @property
    def may_change_results(self) -> bool:
        """Whether there is one block with one return."""
        return self.function.single_block and len(self.return_ops) == 1

    def open_results(self) -> list[tuple[ir.Value, int | None]]:
        """Take the return out of the body; its operands, each with its number before."""
        if self._results is None:
            node = self.return_ops[0]
            self._set([(v, i) for i, v in enumerate(node.op.operands)])
            node.erased = True
            bindings.erase(node.op)
        assert self._results is not None
        return self._results

    def _set(self, results: list[tuple[ir.Value, int | None]]) -> None:
        self._results = results
        self._returned = {v for v, _ in results}

    def returns(self, value: ir.Value) -> bool:
        """Whether the value is in the list of results that is under change."""
        return value in self._returned

    def replace(self, old: ir.Value, new: ir.Value) -> None:
        """Return `new` where `old` was returned."""
        if old in self._returned:
            self._set([(new if v == old else v, i) for v, i in self.open_results()])

    def add_result(self, value: ir.Value) -> None:
        """Return one more value."""
        self.open_results().append((value, None))
        self._returned.add(value)

    def keep_results(self, keep: Callable[[ir.Value], bool]) -> None:
        """Stop returning the values of which `keep` says no."""
        self._set([(v, i) for v, i in self.open_results() if keep(v)])

    def drop_results(self, numbers: Container[int]) -> None:
        """Stop returning the results with these numbers, as they were at first."""
        self._set([(v, i) for v, i in self.open_results() if i is None or i not in numbers])

    def add_argument(self, type_: ir.Type, context: ir.Context) -> ir.Value:
        """One more argument."""
        block = self.function.entry
        value = block.block.add_argument(type_, ir.Location.unknown(context))
        block.arguments.append(value)
        self._argument_origins.append(None)
        return value

    def drop_arguments(self, numbers: Sequence[int]) -> None:
        """Drop unused arguments, by their numbers now."""
        block = self.function.entry
        for number in sorted(numbers, reverse=True):
            block.block.erase_argument(number)
            del self._argument_origins[number]
        block.arguments = list(block.block.arguments)

    def write_return(self, context: ir.Context) -> None:
        """Put the return back."""
        if self._results is None:
            return
        old = self.return_ops[0]
        new = bindings.create(old.name, context, None, operands=[v for v, _ in self._results])
        bindings.append(self.function.entry.block, new)
        old.op, old.operands, old.erased = new, list(new.operands), False
        self._result_origins = [i for _, i in self._results]
        self._results = None
        self._returned = set()

    def write_type(self, context: ir.Context) -> None:
        """Make the function's type and attributes agree with its body."""
        op = self.function.node.op
        inputs = [a.type for a in self.function.entry.arguments]
        if self.return_ops:
            results = [v.type for v in self.return_ops[0].op.operands]
        else:
            results = list(ir.FunctionType(ir.TypeAttr(op.attributes["function_type"]).value).results)
        op.attributes["function_type"] = function_type(inputs, results, context)
        changed = {
            "arg_attrs": _pick(op, "arg_attrs", self._argument_origins, context),
            "res_attrs": _pick(op, "res_attrs", self._result_origins, context),
            _TIED: _retie(op, self._argument_origins, self._result_origins),
        }
        for key, attribute in changed.items():
            if attribute is not None:
                op.attributes[key] = attribute
            elif key in op.attributes:
                del op.attributes[key]
        self._argument_origins = list(range(len(inputs)))
        self._result_origins = list(range(len(results)))


def call_attributes(
    call: ir.Operation, arguments: Sequence[int], results: Sequence[int]
) -> dict[str, ir.Attribute | None]:
    """The attributes of a call that passes only these arguments and takes only these results."""
    context = call.context
    return {
        "arg_attrs": _pick(call, "arg_attrs", arguments, context),
        "res_attrs": _pick(call, "res_attrs", results, context),
        _TIED: _retie(call, arguments, results),
    }


def _is_return(node: Node) -> bool:
    return node.name.endswith(".return") and not len(node.op.successors)


def _pick(op: ir.Operation, key: str, origins: Sequence[int | None], context: ir.Context) -> ir.Attribute | None:
    """The attribute dictionaries of the arguments (results) that remain; None if they are all empty."""
    if key not in op.attributes:
        return None
    old = list(ir.ArrayAttr(op.attributes[key]))
    empty = ir.DictAttr.get({}, context)
    new = [empty if i is None or i >= len(old) else old[i] for i in origins]
    return ir.ArrayAttr.get(new, context) if any(len(ir.DictAttr(a)) for a in new) else None


def _retie(op: ir.Operation, arguments: Sequence[int | None], results: Sequence[int | None]) -> ir.Attribute | None:
    """Which argument each result shares its storage with, after both were renumbered; None if none does."""
    if _TIED not in op.attributes:
        return None
    old = [ir.IntegerAttr(a) for a in ir.ArrayAttr(op.attributes[_TIED])]
    place = {origin: i for i, origin in enumerate(arguments) if origin is not None}
    ties = [-1 if i is None or i >= len(old) else place.get(old[i].value, -1) for i in results]
    if all(t < 0 for t in ties):
        return None
    return ir.ArrayAttr.get([ir.IntegerAttr.get(old[0].type, t) for t in ties], op.context)
