"""One application of a pass: the changes to a module, and the tidying up after them.

Owns erasing and rebuilding ops without ever leaving a dangling use, and what every pass wants afterwards: ops and
function arguments that became unused *through this application* go. What was unused before stays, for its being unused
may be the fault.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from iree.compiler import ir

from reducer.passes import bindings
from reducer.passes.program import Function, Node, Program, descendants
from reducer.passes.signature import Signature, call_attributes


class Edit:
    """The changes of one application. Nothing may be changed past it; `finish` must be called at the end."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.context = program.context
        program.look_up_all()
        self._dead_before = {n for n in program.nodes if is_dead(n)}
        self._unused_before = {a for f in program.functions for a in f.entry.arguments if not bindings.has_uses(a)}
        self._signatures: dict[Node, Signature] = {}
        self._changed: dict[Node, Function] = {}
        self._values: dict[str, ir.Attribute] = {}

    def signature(self, function: Function) -> Signature:
        """The function's arguments and results, for changing."""
        node = function.node
        if node not in self._signatures:
            self._signatures[node] = Signature(function)
            self._changed[node] = function
        return self._signatures[node]

    def changed(self, function: Function) -> None:
        """Note that the types of what the function takes or returns may have changed."""
        self._changed[function.node] = function

    def is_used(self, value: ir.Value) -> bool:
        """Whether anything uses the value, a result list under change included."""
        return bindings.has_uses(value) or any(s.returns(value) for s in self._signatures.values())

    def replace(self, old: ir.Value, new: ir.Value) -> None:
        """Let everything that used `old` use `new`."""
        old.replace_all_uses_with(new)
        for signature in self._signatures.values():
            signature.replace(old, new)

    def erase(self, node: Node) -> None:
        """Erase an op whose results are unused, and everything in it."""
        for inner in descendants(node):
            inner.erased = True
            self._changed.pop(inner, None)
            self._signatures.pop(inner, None)
        bindings.erase(node.op)

    def erase_if_unused(self, node: Node) -> bool:
        """Erase the op unless it is gone, a terminator, or one of its results is used."""
        if node.erased or node.is_terminator or any(self.is_used(r) for r in node.results):
            return False
        self.erase(node)
        return True

    def constant(self, op: str, value: str, type_: ir.Type, before: Node) -> ir.Value:
        """A new constant in front of an op."""
        if value and value not in self._values:
            self._values[value] = ir.Attribute.parse(value, self.context)
        attributes = {"value": self._values[value]} if value else {}
        made = bindings.create(op, self.context, before.op, results=[type_], attributes=attributes)
        return made.results[0]

    def rebuild(
        self,
        node: Node,
        *,
        operands: Sequence[ir.Value] | None = None,
        keep_results: Sequence[int] | None = None,
        attributes: Mapping[str, ir.Attribute | None] | None = None,
    ) -> None:
        """Put the op anew in its place: other operands, fewer results, other attributes (None: gone).

        The results that are not kept must be unused. An op whose attributes cannot be read stays as it is.
        """
        if not bindings.is_readable(node.op):
            return
        op = node.op
        kept = list(range(len(node.results)) if keep_results is None else keep_results)
        table: dict[str, ir.Attribute | None] = {**dict(bindings.attributes(op)), **(attributes or {})}
        new = bindings.create(
            node.name,
            self.context,
            op,
            results=[node.results[i].type for i in kept],
            operands=list(op.operands) if operands is None else operands,
            attributes={k: a for k, a in table.items() if a is not None},
            successors=list(op.successors),
            regions=len(op.regions),
        )
        for old_region, new_region in zip(list(op.regions), list(new.regions), strict=True):
            for block in list(old_region.blocks):
                block.append_to(new_region)
        for place, i in enumerate(kept):
            self.replace(node.results[i], new.results[place])
        bindings.erase(op)
        node.op, node.operands, node.results = new, list(new.operands), list(new.results)
        for result in node.results:
            self.program.definer[result] = node
        for blocks, region in zip(node.regions, new.regions, strict=False):
            for block, raw in zip(blocks, region.blocks, strict=True):
                block.block, block.arguments = raw, list(raw.arguments)

    def change_calls(
        self, function: Function, arguments: Sequence[int] | None = None, results: Sequence[int] | None = None
    ) -> None:
        """Let the function's calls pass only these arguments and take only these results (None: all they have now)."""
        for call in self.program.callers(function):
            if call.erased:
                continue
            operands = list(call.op.operands)
            passed = range(len(operands)) if arguments is None else arguments
            taken = range(len(call.results)) if results is None else results
            self.rebuild(
                call,
                operands=[operands[i] for i in passed],
                keep_results=taken,
                attributes=call_attributes(call.op, passed, taken),
            )

    def has_plain_calls(self, function: Function) -> bool:
        """Whether nothing but calls mentions the function, so that its arguments and results can change."""
        return all(
            n.erased or ("callee" in n.op.attributes and len(n.operands) == len(function.entry.arguments))
            for n in self.program.callers(function)
        )

    def finish(self) -> None:
        """Write the changed signatures, then erase what has become unused."""
        for signature in self._signatures.values():
            signature.write_return(self.context)
        while True:
            self._sweep()
            if not self._drop_arguments():
                break
        for function in self._changed.values():
            signature = self._signatures.get(function.node) or Signature(function)
            signature.write_type(self.context)

    def _sweep(self) -> None:
        again = True
        while again:
            again = False
            for node in reversed(self.program.nodes):
                if not node.erased and node not in self._dead_before and is_dead(node):
                    self.erase(node)
                    again = True

    def _drop_arguments(self) -> bool:
        dropped = False
        for function in self.program.functions:
            if function.node.erased:
                continue
            arguments = function.entry.arguments
            unused = [i for i, a in enumerate(arguments) if a not in self._unused_before and not bindings.has_uses(a)]
            if unused and self.has_plain_calls(function):
                self.drop_arguments(function, unused)
                dropped = True
        return dropped

    def drop_arguments(self, function: Function, unused: Sequence[int]) -> None:
        """Drop unused arguments, at the calls too."""
        kept = [i for i in range(len(function.entry.arguments)) if i not in set(unused)]
        self.change_calls(function, arguments=kept)
        self.signature(function).drop_arguments(unused)


def is_dead(node: Node) -> bool:
    """Whether the op has results and none is used, and it could go (no symbol, no successors)."""
    return (
        bool(node.results)
        and not any(bindings.has_uses(r) for r in node.results)
        and not len(node.op.successors)
        and "sym_name" not in node.op.attributes
    )
