"""The module as plain Python objects, read once: the bindings are slow to ask, and a loop asks again and again.

Owns the reading of attributes, whatever the release. Works on a copy in which named `linalg` ops are generic ones, so
the module that it is given stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from iree.compiler import ir
from iree.compiler.passmanager import PassManager

from reducer.passes import bindings
from reducer.reference.failures import CannotEvaluateError

GENERALIZE = "builtin.module(any(linalg-generalize-named-ops))"
_NUMBERS = re.compile(r"-?\d+")
_RESULT_LISTS = ("operandSegmentSizes", "operand_segment_sizes")
DYNAMIC = -(2**63)
EFFECTS = ("cf.assert", "func.call", "util.call", "util.global.store")


@dataclass(eq=False)
class Block:
    """A block: the numbers and types of its arguments, and its ops."""

    arguments: list[int]
    types: list[str]
    nodes: list[Node] = field(default_factory=list)


@dataclass(eq=False)
class Node:
    """An op: its operands and results by number, its types by their text.

    effects: whether it, or an op in it, may do more than give results; used: whether it must be computed.
    frees: the values that nothing reads after it.
    Holds attributes, which live as long as the context, and no op, which would have to be let go before its module.
    """

    attributes: dict[str, Any]
    name: str
    operands: list[int]
    results: list[int]
    operand_types: list[str]
    result_types: list[str]
    successors: list[int] = field(default_factory=list)
    regions: list[list[Block]] = field(default_factory=list)
    effects: bool = False
    used: bool = True
    frees: tuple[int, ...] = ()
    cache: dict[str, Any] = field(default_factory=dict)

    def text(self, key: str) -> str | None:
        """An attribute's text, None if there is none."""
        if key not in self.cache:
            attribute = self.attributes.get(key)
            self.cache[key] = None if attribute is None else str(attribute)
        found: str | None = self.cache[key]
        return found

    def numbers(self, key: str) -> list[int]:
        """The whole numbers of an attribute: `array<i64: 1, 2>`, `[1, 2]`, `1 : i64`; none where it is missing."""
        cached = self.cache.get(("numbers", key))  # type: ignore[call-overload]
        if cached is None:
            text = self.text(key) or ""
            text = text.partition(":")[2] if text.startswith("array<") else re.sub(r":\s*\w+", "", text)
            cached = [int(n) for n in _NUMBERS.findall(text)]
            self.cache[("numbers", key)] = cached  # type: ignore[index]
        return list(cached)

    def nested_numbers(self, key: str) -> list[list[int]]:
        """The whole numbers of a list of lists, `[[0, 1], [2]]`."""
        text = re.sub(r":\s*\w+", "", self.text(key) or "")
        return [[int(n) for n in _NUMBERS.findall(part)] for part in re.findall(r"\[([^\[\]]*)\]", text)]

    def segments(self) -> list[list[int]]:
        """The operands in their groups."""
        key = next((k for k in _RESULT_LISTS if self.text(k) is not None), None)
        if key is None:
            raise CannotEvaluateError(self.name, "its operands have no groups")
        groups, at = [], 0
        for count in self.numbers(key):
            groups.append(self.operands[at : at + count])
            at += count
        return groups

    def symbol(self, *keys: str) -> str:
        """The name in a symbol attribute."""
        for key in keys:
            text = self.text(key)
            if text is not None:
                return text.strip('@"')
        raise CannotEvaluateError(self.name, f"no {keys[0]}")


@dataclass(eq=False)
class Program:
    """What a module holds.

    functions: those with a body; symbols: all of them; initializers: run first; text: the module's, if it has
    resources.
    """

    functions: dict[str, Node]
    symbols: dict[str, Node]
    initializers: list[Node] = field(default_factory=list)
    text: str = ""


def load(module: Any) -> Program:
    """Read a module. What modules inside it hold is left out."""
    copy = module.operation.clone(ip=False)
    try:
        with module.context, ir.Location.unknown(), bindings.plain_ops():
            PassManager.parse(GENERALIZE, module.context).run(copy.operation)
            reader = _Reader()
            root = reader.node(copy.operation)
    except ir.MLIRError as error:
        raise CannotEvaluateError("linalg", str(error).splitlines()[0]) from error
    program = Program({}, {})
    for node in root.regions[0][0].nodes if root.regions[0] else []:
        if node.name == "util.initializer":
            program.initializers.append(node)
        if node.text("sym_name") is None:
            continue
        name = node.symbol("sym_name")
        program.symbols[name] = node
        if node.text("function_type") is not None and node.regions and node.regions[0]:
            program.functions[name] = node
    program.text = _resources(module)
    return program


def _resources(module: Any) -> str:
    """The module's text, if the values of constants are to be found at its end."""
    text = str(module.operation.get_asm(large_elements_limit=1))
    return str(module.operation.get_asm()) if "dense_resource<" in text else ""


def reads(node: Node) -> list[int]:
    """What an op, with all that is inside it, takes."""
    found = list(node.operands)
    for region in node.regions:
        for block in region:
            for inner in block.nodes:
                found += reads(inner)
    return found


def _free(block: Block) -> None:
    """Note in each op which of the block's values it is the last to read."""
    own = {*block.arguments, *(r for node in block.nodes for r in node.results)}
    for node in reversed(block.nodes):
        last = own & {*reads(node), *node.results}
        node.frees = tuple(last)
        own -= last


class _Reader:
    def __init__(self) -> None:
        self._numbers: dict[Any, int] = {}
        self._types: dict[Any, str] = {}

    def _number(self, value: Any) -> int:
        return self._numbers.setdefault(value, len(self._numbers))

    def _type(self, value: Any) -> str:
        type_ = value.type
        if type_ not in self._types:
            self._types[type_] = str(type_)
        return self._types[type_]

    def node(self, op: Any) -> Node:
        operands, results = list(op.operands), list(op.results)
        node = Node(
            dict(bindings.attributes(op)), op.name,
            [self._number(v) for v in operands], [self._number(v) for v in results],
            [self._type(v) for v in operands], [self._type(v) for v in results],
        )  # fmt: skip
        for region in op.regions:
            blocks: list[Block] = []
            found = list(region.blocks)
            for raw in found:
                arguments = list(raw.arguments)
                block = Block([self._number(a) for a in arguments], [self._type(a) for a in arguments])
                block.nodes = [self.node(view.operation) for view in raw.operations]
                if len(found) > 1:
                    last = list(raw.operations)[-1].operation
                    block.nodes[-1].successors = [found.index(s) for s in last.successors]
                elif not op.name.startswith("linalg."):  # those bodies are run in parts, and not in order
                    _free(block)
                blocks.append(block)
            node.regions.append(blocks)
        inner = (inside for region in node.regions for block in region for inside in block.nodes)
        node.effects = op.name in EFFECTS or any(inside.effects for inside in inner)
        node.used = not results or node.effects or any(bindings.has_uses(r) for r in results)
        return node
