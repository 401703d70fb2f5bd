"""What is known of a module's numbers while its ops are looked at one by one.

Owns the variables behind the axes of every shaped value, the knobs that become parameters, and the updates that carry
new numbers into the ops. Knows no op: the modules beside it do, each a table from op name to function `model(builder,
op)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from iree.compiler import ir

from reducer.parameters.graph import Classes, Equation, Graph, Invalid, Term
from reducer.parameters.kinds import Kind
from reducer.parameters.shapes import Shape, parse_shape
from reducer.parameters.trials import Trials
from reducer.passes.bindings import erase

CONSTANTS = ("arith.constant", "stablehlo.constant")


@dataclass
class Slot:
    """A shaped value: its type now and the variable of each axis."""

    value: Any
    shape: Shape
    axes: tuple[int, ...]


@dataclass
class Amount:
    """A variable that is no size: where it is shown, and what it is to become.

    order: which parameters come first.
    """

    variable: int
    name: str
    simplest: int
    order: int


@dataclass
class Choice:
    """A parameter with labels, simplest first. choose: what the label means, put into the plan."""

    name: str
    labels: tuple[str, ...]
    value: int
    choose: Callable[[Plan, int], None]
    order: int


@dataclass(frozen=True)
class Trade:
    """A parameter that makes one number larger by what it takes from a size, and is simpler the more that is."""

    name: str
    giver: int
    taker: int


@dataclass
class Plan:
    """The program to be, as far as it is no size.

    drop: variables whose axis goes; known: dynamic sizes that become static, and the size from which on to try what
    they could be; elements: element types and what they become; negating: those of them whose casts, where they
    become none, negate instead; literals: new values of constants, by name.
    """

    drop: set[int] = field(default_factory=set)
    known: dict[int, int] = field(default_factory=dict)
    elements: dict[int, str] = field(default_factory=dict)
    negating: set[int] = field(default_factory=set)
    literals: dict[str, str] = field(default_factory=dict)


class Solution:
    """The program to be, in full: what an update asks."""

    def __init__(self, builder: Builder, sizes: list[int | None], plan: Plan) -> None:
        self._builder = builder
        self._sizes = sizes
        self.plan = plan
        self._dropped = {builder.axes.find(v) for v in plan.drop}

    def number(self, variable: int) -> int:
        """The variable's value. It must be known."""
        value = self._sizes[variable]
        assert value is not None
        return value

    def size(self, variable: int) -> int | None:
        """The variable's value, None for a dynamic size."""
        return self._sizes[variable]

    def dropped(self, variable: int) -> bool:
        """Whether the axis with this variable goes."""
        return self.dropping and self._builder.axes.find(variable) in self._dropped

    @property
    def dropping(self) -> bool:
        """Whether any axis goes."""
        return bool(self._dropped)

    def element(self, value: Any, text: str) -> str:
        """What the value's element type, `text` now, becomes."""
        if not self.plan.elements or value not in self._builder.components:
            return text
        return self.plan.elements.get(self._builder.components[value], text)

    def kept(self, axes: Sequence[int]) -> list[int]:
        """The positions of the axes that stay."""
        return [i for i, v in enumerate(axes) if not self.dropped(v)]

    def type_of(self, slot: Slot) -> str:
        """The text of the value's new type."""
        dims = [self._sizes[v] for v in slot.axes if not self.dropped(v)]
        return slot.shape.text(dims, self.element(slot.value, slot.shape.element))


Update = Callable[[Solution], None]


class Builder:
    """See the module."""

    def __init__(self, names: Any) -> None:
        self.graph = Graph()
        self.axes = Classes()
        self.slots: dict[Any, Slot | None] = {}
        self.amounts: list[Amount] = []
        self.choices: list[Choice] = []
        self.trades: list[Trade] = []
        self.updates: list[Update] = []
        self.checks: list[Update] = []
        self.undroppable: list[int] = []
        self._constants: dict[Any, int | None] = {}
        self._names = names
        self._counts: dict[str, int] = {}
        self.where: dict[int, tuple[Slot, int]] = {}
        self.functions = 0
        self.kinds: list[tuple[Kind, dict[str, list[int]], str]] = []
        self._removable: dict[int, bool] = {}
        self.components: dict[Any, int] = {}
        self.dead: list[Any] = []
        self.trials = Trials()
        self.graph.describe = self._describe

    def bury(self, op: Any) -> None:
        """Erase an op that nothing uses any more, but only when every other edit is done.

        Older bindings take a new op at the address of an erased one for the old, as long as any Python object of the
        old is left: so no op may be made, nor even looked at, between the first erasure and `release`.
        """
        self.dead.append(op)

    def release(self) -> None:
        """Erase what is dead and let go of every op; the builder is of no use afterwards."""
        while self.dead:
            erase(self.dead.pop())
        self.__dict__.clear()

    def ordinal(self, op: Any) -> str:
        """A name for the op that survives assignment: `pad#0`, the second convolution `conv_2d#1`."""
        short = op.name.rpartition(".")[2]
        count = self._counts.get(short, 0)
        self._counts[short] = count + 1
        return f"{short}#{count}"

    def name_of(self, value: Any) -> str:
        """The value's name in the canonical text, behind its function's if there are several."""
        name = str(value.get_name(self._names))
        return f"{_function_name(value)}/{name}" if self.functions > 1 else name

    def title(self, members: Sequence[int]) -> str:
        """Where a class of axes is to be seen: its first two members."""
        shown = [f"{self.name_of(self.where[v][0].value)}[{self.where[v][1]}]" for v in members[:2]]
        return " = ".join([*shown, "…"] if len(members) > 2 else shown)

    def axis_classes(self) -> dict[int, list[int]]:
        """The axes that can go only together, by class."""
        classes: dict[int, list[int]] = {}
        for variable in self.where:
            classes.setdefault(self.axes.find(variable), []).append(variable)
        return classes

    def removable(self, variable: int) -> bool:
        """Whether nothing speaks against the axis (and those that go with it) going. Only after everything is known."""
        if not self._removable:
            kept = {self.axes.find(v) for v in self.undroppable}
            for root, members in self.axis_classes().items():
                sizes = {self.graph.value(v) for v in members}
                self._removable[root] = root not in kept and sizes in ({1}, {0})
        return self._removable[self.axes.find(variable)]

    def _describe(self, variable: int) -> str:
        return f"dim {self.title([variable])}" if variable in self.where else ""

    def _variable(self, value: int | None, low: int, name: str) -> int:
        self.axes.add()
        return self.graph.variable(value, low, name)

    def slot(self, value: Any) -> Slot | None:
        """The shaped value's slot; None if it is not shaped."""
        if value in self.slots:
            return self.slots[value]
        shape = parse_shape(str(value.type))
        slot = None
        if shape is not None:
            axes = tuple(self._variable(d, 0 if d == 0 else 1, "") for d in shape.dims)
            slot = Slot(value, shape, axes)
            self.where.update((v, (slot, i)) for i, v in enumerate(axes))
        self.slots[value] = slot
        return slot

    def dims(self, value: Any) -> tuple[int, ...]:
        """The variables of the value's axes; none if it is not shaped."""
        slot = self.slot(value)
        return slot.axes if slot else ()

    def shaped(self, values: Any) -> list[Slot]:
        """The slots of those values that are shaped."""
        return [s for s in (self.slot(v) for v in values) if s is not None]

    def amount(self, value: int, name: str, *, low: int, simplest: int, order: int) -> int:
        """A number in an attribute: a variable that is a parameter of its own unless something else determines it."""
        variable = self.number(value, low=low, name=name)
        self.offer(variable, name, simplest=simplest, order=order)
        return variable

    def number(self, value: int, *, low: int, name: str = "") -> int:
        """A number in an attribute, no parameter yet."""
        return self._variable(value, min(low, value), name)

    def offer(self, variable: int, name: str, *, simplest: int, order: int) -> None:
        """Make a parameter of a number, unless something else determines it."""
        self.amounts.append(Amount(variable, name, simplest, order))

    def fixed(self, value: int) -> int:
        """A number that never changes."""
        variable = self._variable(value, value, str(value))
        self.graph.pin(variable)
        return variable

    def leftover(self, value: int) -> int:
        """A number that stands nowhere: what rounding loses. It is no parameter, and never less than 0."""
        return self._variable(value, 0, "what is left over")

    def constant(self, value: Any) -> int | None:
        """The variable of an index value that is an `arith.constant`; None for any other value."""
        if value not in self._constants:
            op = _defining(value)
            known = op is not None and op.name == "arith.constant" and str(value.type) == "index"
            self._constants[value] = self._index_constant(op, value) if known else None
        return self._constants[value]

    def _index_constant(self, op: Any, value: Any) -> int:
        number = int(str(op.attributes["value"]).partition(" : ")[0])
        name = f"{self.name_of(value)} value"
        variable = self.amount(number, name, low=0, simplest=min(number, 0) if number < 0 else 0, order=8)

        def update(solution: Solution) -> None:
            if solution.number(variable) != number:
                op.attributes["value"] = ir.Attribute.parse(f"{solution.number(variable)} : index")

        self.updates.append(update)
        return variable

    def equal(self, a: Sequence[int], b: Sequence[int]) -> None:
        """Axis by axis the two are the same. Values of different rank are pinned."""
        if len(a) != len(b):
            self.pin(*a, *b)
            return
        for x, y in zip(a, b, strict=True):
            self.graph.merge(x, y)
            self.axes.merge(x, y)

    def all_equal(self, slots: Sequence[Slot]) -> None:
        """All these values have one shape."""
        for slot in slots[1:]:
            self.equal(slots[0].axes, slot.axes)

    def tie(self, *variables: int) -> None:
        """These axes can go only together."""
        for variable in variables[1:]:
            self.axes.merge(variables[0], variable)

    def keep(self, *variables: int) -> None:
        """These axes must stay."""
        self.undroppable += variables

    def pin(self, *variables: int) -> None:
        """These axes stay and keep their sizes."""
        self.graph.pin(*variables)
        self.keep(*variables)

    def pin_values(self, values: Any) -> None:
        """These values keep their shapes."""
        for slot in self.shaped(values):
            self.pin(*slot.axes)

    def known(self, *variables: int) -> bool:
        """Whether all have a value (a static size)."""
        return all(self.graph.value(v) is not None for v in variables)

    def require(self, total: int, terms: Sequence[Term], constant: int, prefer: Sequence[int]) -> None:
        """Hold an equation that has neither rounding nor slack."""
        self.graph.add(Equation(total, tuple(terms), constant, tuple(prefer)))


def _defining(value: Any) -> Any:
    """The op that the value is a result of; None for a block argument."""
    owner = value.owner
    return None if isinstance(owner, ir.Block) else owner.operation


def _function_name(value: Any) -> str:
    owner = value.owner
    op = owner.owner.operation if isinstance(owner, ir.Block) else owner.operation
    while op is not None and "sym_name" not in op.attributes:
        op = op.parent
    return str(op.attributes["sym_name"]).strip('"') if op is not None else ""


__all__ = ["CONSTANTS", "Builder", "Choice", "Invalid", "Plan", "Slot", "Solution", "Trade", "Update"]
