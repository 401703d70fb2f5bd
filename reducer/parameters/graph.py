"""Whole-number variables, which of them are equal, and the equations between them. Pure: knows nothing of MLIR.

Sizes, pad amounts, strides and the like are variables. Equal ones are merged into a class; an equation
`total = constant + sum of coefficient * product of (variable - shift)` is solved for one of its variables, the first
of its preferences that is still free and does not come to depend on itself. An equation for which nothing is left to
solve becomes a check. What is neither pinned nor solved for is free: those are the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reducer.parameters.equations import Equation, Invalid, Term, evaluate, fits, solve_for
from reducer.parameters.unknowns import Unknowns

__all__ = ["Classes", "Equation", "Graph", "Invalid", "Term"]


class Classes:
    """Union-find over 0, 1, 2 …; the smallest member stands for its class."""

    def __init__(self) -> None:
        self._parent: list[int] = []

    def add(self) -> int:
        """Add one member, alone in its class; returns it."""
        self._parent.append(len(self._parent))
        return len(self._parent) - 1

    def find(self, member: int) -> int:
        """Who stands for the class."""
        parent = self._parent
        while parent[member] != member:
            parent[member] = parent[parent[member]]
            member = parent[member]
        return member

    def merge(self, a: int, b: int) -> None:
        """Make one class of two."""
        a, b = self.find(a), self.find(b)
        self._parent[max(a, b)] = min(a, b)

    def __len__(self) -> int:
        return len(self._parent)


@dataclass
class _Info:
    value: int | None
    low: int
    name: str


class Graph:
    """Built by `variable`, `merge`, `pin` and `add`; then `close`d once; then asked what is free, and to `solve`."""

    def __init__(self) -> None:
        self.classes = Classes()
        self._infos: list[_Info] = []
        self._pins: list[int] = []
        self._equations: list[Equation] = []
        self._pinned: set[int] = set()
        self._solved: dict[int, Equation] = {}
        self._order: list[int] = []
        self._checks: list[Equation] = []
        self.spare: dict[int, int] = {}
        self.unknowns = Unknowns()
        self.describe: Callable[[int], str] = lambda _: ""

    def variable(self, value: int | None, low: int, name: str = "") -> int:
        """A new variable. value: now, None if unknown; low: no solution lies below; name: for messages."""
        self._infos.append(_Info(value, low, name))
        return self.classes.add()

    def value(self, variable: int) -> int | None:
        """What the variable is in the program as it stands."""
        return self._infos[self.classes.find(variable)].value

    def _name(self, variable: int) -> str:
        return self._infos[variable].name or self.describe(variable)

    def merge(self, a: int, b: int) -> None:
        """These two must agree. Two that do not now are pinned; one that is unknown is noted."""
        a, b = self.classes.find(a), self.classes.find(b)
        if a == b:
            return
        if self._infos[a].value is None or self._infos[b].value is None:
            self.unknowns.link(a, b)
            return
        if self._infos[a].value != self._infos[b].value:
            self._pins += [a, b]
            return
        low = min(self._infos[a].low, self._infos[b].low)
        self.classes.merge(a, b)
        self._infos[min(a, b)].low = low

    def pin(self, *variables: int) -> None:
        """These keep their values."""
        self._pins += variables

    def add(self, equation: Equation) -> bool:
        """Hold the equation, or (returns False) pin its variables if it does not hold now."""
        if any(self.value(v) is None for v in equation.variables()):
            self.unknowns.hold(equation)
            return False
        now = self._now()
        if evaluate(equation, now) != now[equation.total] and not fits(equation, now):
            self.pin(*equation.variables())
            return False
        self._equations.append(equation)
        return True

    def _now(self) -> _Now:
        return _Now(self)

    def close(self) -> None:
        """Decide what each equation is solved for. Nothing may be added afterwards."""
        find = self.classes.find
        self._pinned = {find(v) for v in self._pins}
        feeding: set[int] = set()
        for equation in self._equations:
            target = self._choose(equation, feeding)
            if target is None:
                self._checks.append(equation)
                continue
            self._solved[target] = equation
            feeding |= {find(v) for v in equation.variables()} - {target}
            if equation.slack is not None and equation.rounded is not None and target == find(equation.rounded):
                slack = self._infos[find(equation.slack)]
                now = _Now(self)
                slack.value = 0
                slack.value = solve_for(equation, equation.rounded, now) - now[equation.rounded]
                self.spare[equation.slack] = slack.value + max(now[equation.rounded] - 1, 0)
        self._order = self._sorted()

    def _choose(self, equation: Equation, feeding: set[int]) -> int | None:
        find = self.classes.find
        roots = [find(v) for v in equation.variables()]
        for variable in equation.prefer:
            root = find(variable)
            if root in self._pinned or root in self._solved or roots.count(root) != 1:
                continue
            if root in feeding and self._depends(roots, root):
                continue
            return root
        return None

    def _depends(self, roots: list[int], target: int) -> bool:
        """Whether one of `roots` (but for `target`) is computed from `target`."""
        find = self.classes.find
        stack, seen = [r for r in roots if r != target], set()
        while stack:
            root = stack.pop()
            if root == target:
                return True
            if root not in seen and root in self._solved:
                seen.add(root)
                stack += [find(v) for v in self._solved[root].variables() if find(v) != root]
        return False

    def _sorted(self) -> list[int]:
        """The solved classes, each after those that it is computed from."""
        find = self.classes.find
        order: list[int] = []
        done: set[int] = set()
        for start in self._solved:
            stack = [(start, False)]
            while stack:
                root, ready = stack.pop()
                if ready:
                    order.append(root)
                elif root not in done and root in self._solved:
                    done.add(root)
                    stack.append((root, True))
                    stack += [(find(v), False) for v in self._solved[root].variables() if find(v) != root]
        return order

    def is_free(self, variable: int) -> bool:
        """Whether the variable's class can be chosen."""
        root = self.classes.find(variable)
        return self._infos[root].value is not None and root not in self._pinned and root not in self._solved

    def is_pinned(self, variable: int) -> bool:
        """Whether the variable's class must keep its value."""
        return self.classes.find(variable) in self._pinned

    def low(self, variable: int) -> int:
        """The smallest value of the variable's class."""
        return self._infos[self.classes.find(variable)].low

    def solve(self, chosen: Mapping[int, int], known: Mapping[int, int] | None = None) -> list[int | None]:
        """The values of all variables, given those of some free classes (the others keep theirs). Raises Invalid.

        known: unknown variables that become known, and the size from which on to try what they could be.
        """
        find = self.classes.find
        values = _Values(self, {find(v): n for v, n in chosen.items()})
        for root in self._order:
            equation = self._solved[root]
            values.chosen[root] = solve_for(equation, root, values)
        for root, value in values.chosen.items():
            if value < self._infos[root].low:
                raise Invalid(f"{self._name(root)} would be {value}")
        for equation in self._checks:
            if evaluate(equation, values) != values[equation.total] and not fits(equation, values):
                raise Invalid(f"{self._name(equation.total)} would be {values[equation.total]}, which does not fit")
        found = [values.get(v) for v in range(len(self.classes))]
        self.unknowns.settle(found, known or {})
        return found

    def unknown_groups(self) -> list[list[int]]:
        """The unknown variables that can become known, those together that depend on one another."""
        pinned = {v for v in self._pins if self.value(v) is None}
        unknown = [v for v in range(len(self.classes)) if self._infos[v].value is None]
        return [group for group in self.unknowns.groups(unknown) if pinned.isdisjoint(group)]


class _Now:
    """The values as they stand, by variable."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __getitem__(self, variable: int) -> int:
        value = self._graph.value(variable)
        assert value is not None
        return value

    def root(self, variable: int) -> int:
        return self._graph.classes.find(variable)


class _Values(_Now):
    """The values as they stand, but for those chosen, by class."""

    def __init__(self, graph: Graph, chosen: dict[int, int]) -> None:
        super().__init__(graph)
        self.chosen = chosen

    def get(self, variable: int) -> int | None:
        return self.chosen.get(self.root(variable), self._graph.value(variable))

    def __getitem__(self, variable: int) -> int:
        value = self.get(variable)
        assert value is not None
        return value


