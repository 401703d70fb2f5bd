"""A snapshot of a module that passes look for sites in.

Owns the walk, who defines and who calls what, and how ops and values are named to people. It never changes the module.
Ops in regions that are not printed (those of named linalg ops) are no part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from iree.compiler import ir

from reducer.passes import bindings
from reducer.passes.types import TypeTexts

_SHORT_FORMS = {"linalg.map": "linalg.map {", "linalg.reduce": "linalg.reduce {", "stablehlo.reduce": " applies "}
_PRINTED_LINALG = frozenset({"linalg.generic", "linalg.map", "linalg.reduce"})
_SYMBOL = re.compile(r'@([\w$.-]+|"(?:[^"\\]|\\.)*")')
_MULTIPLE = re.compile(r"#\d+$")


@dataclass(eq=False)
class Node:
    """An op of the snapshot. `op` must not be touched once `erased`.

    blocks: one list a region, of blocks; index: its place in the pre-order walk.
    """

    op: ir.Operation
    name: str
    parent: Node | None
    block: Block | None
    index: int
    results: list[ir.Value]
    operands: list[ir.Value]
    regions: list[list[Block]] = field(default_factory=list)
    erased: bool = False

    @property
    def is_terminator(self) -> bool:
        """Whether the op ends a block of something else than a module."""
        block = self.block
        return (
            block is not None
            and block.nodes[-1] is self
            and not self.results
            and block.owner.name != "builtin.module"
            and block.owner.parent is not None
        )


@dataclass(eq=False)
class Block:
    """A block of the snapshot."""

    block: ir.Block
    owner: Node
    arguments: list[ir.Value]
    nodes: list[Node] = field(default_factory=list)


@dataclass(eq=False)
class Function:
    """A function with a body: any op with a symbol name, a function type and a region."""

    node: Node
    name: str
    entry: Block

    @property
    def single_block(self) -> bool:
        """Whether the body is one block."""
        return len(self.node.regions[0]) == 1


class Program:
    """The ops of a module in pre-order, without the module itself."""

    def __init__(self, module: ir.Module) -> None:
        self.module = module
        self.context: ir.Context = module.context
        self.text_of_type = TypeTexts()
        self.nodes: list[Node] = []
        self.root = Node(module.operation, "builtin.module", None, None, -1, [], [])
        self._enter(self.root)
        self.definer: dict[ir.Value, Node] = {r: n for n in self.nodes for r in n.results}

    def _enter(self, node: Node) -> None:
        for region in node.op.regions:
            blocks: list[Block] = []
            node.regions.append(blocks)
            for raw in region.blocks:
                block = Block(raw, node, list(raw.arguments))
                blocks.append(block)
                for view in raw.operations:
                    op = view.operation
                    child = Node(op, op.name, node, block, len(self.nodes), list(op.results), list(op.operands))
                    block.nodes.append(child)
                    self.nodes.append(child)
                    if len(op.regions) and not hides_regions(op, child.name):
                        self._enter(child)

    @cached_property
    def functions(self) -> list[Function]:
        """The functions with a body, in order."""
        found = []
        for node in self.nodes:
            if node.regions and node.regions[0] and self.is_top_level(node):
                table = node.op.attributes
                if "sym_name" in table and "function_type" in table:
                    found.append(Function(node, ir.StringAttr(table["sym_name"]).value, node.regions[0][0]))
        return found

    @cached_property
    def symbols(self) -> dict[str, Node]:
        """The symbols that stand in modules (functions, globals …), by name."""
        found = {}
        for node in self.nodes:
            if self.is_top_level(node) and "sym_name" in node.op.attributes:
                found[ir.StringAttr(node.op.attributes["sym_name"]).value] = node
        return found

    @cached_property
    def references(self) -> dict[str, list[Node]]:
        """The ops that mention each symbol by name, other than the symbol's own definition."""
        found: dict[str, list[Node]] = {name: [] for name in self.symbols}
        names: dict[ir.Attribute, tuple[str, ...]] = {}
        for node in [self.root, *self.nodes]:
            for key, attribute in bindings.attributes(node.op):
                if attribute not in names:
                    names[attribute] = _symbols_in(key, attribute)
                for name in names[attribute]:
                    if name in found and self.symbols[name] is not node:
                        found[name].append(node)
        return found

    @staticmethod
    def is_top_level(node: Node) -> bool:
        """Whether the op stands directly in a module, and is none itself."""
        parent = node.parent
        return parent is not None and parent.name == "builtin.module" and node.name != "builtin.module"

    def function_of(self, node: Node) -> Function | None:
        """The function that the op stands in."""
        at: Node | None = node.parent
        while at is not None:
            if at in self._function_by_node:
                return self._function_by_node[at]
            at = at.parent
        return None

    @cached_property
    def _function_by_node(self) -> dict[Node, Function]:
        return {f.node: f for f in self.functions}

    def callers(self, function: Function) -> list[Node]:
        """The ops elsewhere that mention the function; none in a program of one symbol."""
        if len(self.symbols) < 2:
            return []
        return [n for n in self.references[function.name] if not is_inside(n, function.node)]

    def look_up_all(self) -> None:
        """Read off what is otherwise looked up when asked for, because the module is about to change."""
        for function in self.functions:
            self.callers(function)

    @cached_property
    def _asm(self) -> ir.AsmState:
        return ir.AsmState(self.module.operation)

    def name(self, value: ir.Value) -> str:
        """`%3`, as printed. Only before the first change."""
        return str(value.get_name(self._asm))

    def label(self, node: Node) -> str:
        """An op for people: `%3 = tensor.pad`, `func.func @main`, `linalg.yield`."""
        text = node.name
        table = node.op.attributes
        for key in ("sym_name", "callee"):
            if key in table:
                text += " @" + str(table[key]).strip('"@')
                break
        if node.results:
            first = _MULTIPLE.sub("", self.name(node.results[0]))
            several = f":{len(node.results)}" if len(node.results) > 1 else ""
            text = f"{first}{several} = {text}"
        return text

    def type_text(self, value: ir.Value) -> str:
        """The text of a value's type."""
        return self.text_of_type(value.type)

    def bodies(self) -> Iterator[Node]:
        """The ops inside functions, terminators left out."""
        for node in self.nodes:
            if not node.is_terminator and self.function_of(node) is not None:
                yield node


def hides_regions(op: ir.Operation, name: str) -> bool:
    """Whether the op's regions are left out when it is printed, because its name or short form says what they do."""
    if name in _SHORT_FORMS:
        return _SHORT_FORMS[name] in str(op).split("\n", 1)[0]
    return name.startswith("linalg.") and name not in _PRINTED_LINALG


def ancestors(node: Node) -> Iterator[Node]:
    """The ops around an op, innermost first."""
    at = node.parent
    while at is not None:
        yield at
        at = at.parent


def is_inside(node: Node, ancestor: Node) -> bool:
    """Whether the op is `ancestor` or stands in it."""
    return node is ancestor or any(a is ancestor for a in ancestors(node))


def descendants(node: Node) -> Iterator[Node]:
    """The op and everything printed inside it."""
    yield node
    for region in node.regions:
        for block in region:
            for child in block.nodes:
                yield from descendants(child)


def distinct(values: Sequence[ir.Value]) -> list[ir.Value]:
    """The values without repetition, in order."""
    return list(dict.fromkeys(values))


def _symbols_in(key: str, attribute: ir.Attribute) -> tuple[str, ...]:
    if key == "sym_name" or type(attribute).__name__.startswith("Dense"):
        return ()
    return tuple(dict.fromkeys(m.strip('"') for m in _SYMBOL.findall(str(attribute))))
