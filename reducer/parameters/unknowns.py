"""Variables without a value (dynamic sizes), and what they could be if they had one. Pure: knows nothing of MLIR.

Owns the equalities and equations that say something of an unknown variable, and so say nothing of the known ones until
it has a value. Those that are connected get their values together: the first are tried as they are wished for, the
others follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from reducer.parameters.equations import Equation, Invalid, evaluate, solve_for

_Fact = tuple[int, int] | Equation
_MORE = (0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)


class Unknowns:
    """Built by `link` and `hold`; then asked for `groups`, and to `settle` some of them."""

    def __init__(self) -> None:
        self._links: list[tuple[int, int]] = []
        self._equations: list[Equation] = []

    def link(self, a: int, b: int) -> None:
        """These two must agree."""
        self._links.append((a, b))

    def hold(self, equation: Equation) -> None:
        """This must be so. With `rounded`, the total may also be more than is needed."""
        self._equations.append(equation)

    def groups(self, unknown: Sequence[int]) -> list[list[int]]:
        """The unknown variables, those together that are connected; in the order of their first members."""
        around = self._around(set(unknown))
        groups, seen = [], set[int]()
        for start in unknown:
            if start in seen:
                continue
            seen.add(start)
            group, stack = [], [start]
            while stack:
                member = stack.pop()
                group.append(member)
                near = {v for fact in around.get(member, ()) for v in _variables(fact) if v in around} - seen
                seen |= near
                stack += near
            groups.append(sorted(group))
        return groups

    def settle(self, values: list[int | None], wanted: Mapping[int, int]) -> None:
        """Give the unknown variables in `wanted` (whole groups) values.

        The smallest, each at least 1, in which the first of a group are at least what is wanted. Raises Invalid if
        there are none.
        """
        if not wanted:
            return
        around = self._around(set(wanted))
        for group in self.groups(sorted(wanted)):
            for more in _MORE:
                found = _Trial(values, around)
                if found.succeeds(group, [wanted[v] + more for v in group]):
                    break
            else:
                raise Invalid("no static sizes fit together")
            for variable in group:
                values[variable] = found[variable]

    def _around(self, unknown: set[int]) -> dict[int, list[_Fact]]:
        """What is said of each of the unknown variables."""
        around: dict[int, list[_Fact]] = {v: [] for v in unknown}
        facts: Iterable[_Fact] = (*self._links, *self._equations)
        for fact in facts:
            for variable in set(_variables(fact)) & unknown:
                around[variable].append(fact)
        return around



def _variables(fact: _Fact) -> Iterable[int]:
    return fact.variables() if isinstance(fact, Equation) else fact


class _Trial:
    """One attempt to give a group values."""

    def __init__(self, values: Sequence[int | None], around: Mapping[int, list[_Fact]]) -> None:
        self._values = values
        self._around = around
        self._new: dict[int, int] = {}

    def root(self, variable: int) -> int:
        return variable

    def _get(self, variable: int) -> int | None:
        return self._new.get(variable, self._values[variable])

    def __getitem__(self, variable: int) -> int:
        value = self._get(variable)
        assert value is not None
        return value

    def succeeds(self, group: Sequence[int], wished: Sequence[int]) -> bool:
        """Whether the group can have values, those that nothing determines as wished."""
        facts = list(dict.fromkeys(fact for v in group for fact in self._around[v]))
        try:
            self._follow(facts)
            for variable, value in zip(group, wished, strict=True):
                if self._get(variable) is None:
                    self._new[variable] = value
                    self._follow(self._around[variable])
        except Invalid:
            return False
        return all(self[v] >= 1 for v in group) and all(map(self._holds, facts))

    def _follow(self, facts: Iterable[_Fact]) -> None:
        """Give every variable a value that is the only unknown one of a fact. Raises Invalid if none fits."""
        left = list(facts)[::-1]
        while left:
            fact = left.pop()
            unknown = [v for v in _variables(fact) if self._get(v) is None]
            if len(unknown) != 1:
                continue
            (variable,) = unknown
            if isinstance(fact, Equation):
                self._new[variable] = solve_for(fact, variable, self)
            else:
                self._new[variable] = self[fact[0] if fact[1] == variable else fact[1]]
            left += self._around[variable]

    def _holds(self, fact: _Fact) -> bool:
        if any(self._get(v) is None for v in _variables(fact)):
            return True
        if not isinstance(fact, Equation):
            return self[fact[0]] == self[fact[1]]
        needed = evaluate(fact, self)
        return self[fact.total] == needed or (fact.rounded is not None and self[fact.total] > needed)
