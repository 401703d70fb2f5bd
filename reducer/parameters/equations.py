"""The equations between whole-number variables, and how one is solved. Pure: knows nothing of MLIR, nor of graphs.

An equation is `total = constant + sum of coefficient * product of (variable - shift)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol


class Invalid(Exception):  # noqa: N818 (the name is the seam)
    """These values cannot be: there is no such program. The text says why."""


@dataclass(frozen=True)
class Term:
    """`coefficient * product of (variable - shift)`; factors: (variable, shift)."""

    factors: tuple[tuple[int, int], ...]
    coefficient: int = 1


@dataclass(frozen=True)
class Equation:
    """See the module.

    prefer: variables to solve for, best first.
    rounded: the variable (if any) that takes the largest value that fits when it is solved for; what is left over is
    lost. slack: the variable (if any) that is a term of its own and says how much more `total` has than is needed. If
        `rounded` is solved for, it says instead how much less than the largest fitting value that is to be, down to 1.
    """

    total: int
    terms: tuple[Term, ...]
    constant: int = 0
    prefer: tuple[int, ...] = ()
    rounded: int | None = None
    slack: int | None = None

    def variables(self) -> Iterator[int]:
        """Every variable of the equation, repetitions included."""
        yield self.total
        for term in self.terms:
            for variable, _ in term.factors:
                yield variable


class Values(Protocol):
    """The value of every variable, and which variables are one."""

    def root(self, variable: int) -> int:
        """Who stands for the variable's class."""

    def __getitem__(self, variable: int) -> int:
        """The variable's value."""


def _product(term: Term, values: Values, without: int | None = None) -> int:
    product = term.coefficient
    for variable, shift in term.factors:
        if values.root(variable) != without:
            product *= values[variable] - shift
    return product


def evaluate(equation: Equation, values: Values) -> int:
    """What the total is to be."""
    return equation.constant + sum(_product(t, values) for t in equation.terms)


def fits(equation: Equation, values: Values) -> bool:
    """Whether the equation holds but for what rounding loses: only where it has no slack to account for that."""
    if equation.rounded is None or equation.slack is not None:
        return False
    try:
        return solve_for(equation, values.root(equation.rounded), values) == values[equation.rounded]
    except Invalid:
        return False


def solve_for(equation: Equation, target: int, values: Values) -> int:
    """The value of class `target` by the equation. Raises Invalid if there is none."""
    target = values.root(target)
    if values.root(equation.total) == target:
        return evaluate(equation, values)
    rounding = equation.rounded is not None and values.root(equation.rounded) == target
    deficit = equation.slack if rounding else None
    rest, factor, shift = values[equation.total] - equation.constant, 0, 0
    for term in equation.terms:
        own = [s for v, s in term.factors if values.root(v) == target]
        if own:
            factor, shift = _product(term, values, without=target), own[0]
        elif deficit is None or [v for v, _ in term.factors] != [deficit]:
            rest -= _product(term, values)
    if factor == 0 or (rest % factor and not rounding):
        raise Invalid(f"{rest} is no multiple of {factor}")
    largest = rest // factor + shift
    if deficit is None:
        return largest
    return max(largest - values[deficit], min(largest, 1))
