"""Numbers made small: the vector of a program's parameters, brought as near to the simplest as the fault allows.

Boldest first: everything at its simplest, then class by class (all sizes, all low pads …), halves of what is refused.
Then Hypothesis shrinks what is left, several numbers at once if it must, started from there by a backend of its own
whose first test case replays the values. Last, a sweep over single parameters shows that the result is 1-minimal, and
keeps what it tried. Knows nothing of programs.
"""

from __future__ import annotations

import contextlib
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, PrimitiveProvider

from reducer.wire import Parameter

if TYPE_CHECKING:
    from hypothesis.internal.conjecture.data import ConjectureData
    from hypothesis.internal.intervalsets import IntervalSet

Values = tuple[int, ...]
_BACKEND = "reducer-replay"
_MAX_EXAMPLES = 8


@dataclass(frozen=True)
class Attempt:
    """A single parameter that could not be simplified. values: the whole vector that was refused."""

    parameter: Parameter
    before: int
    after: int
    values: Values

    @property
    def name(self) -> str:
        """The parameter's name."""
        return self.parameter.name

    def __str__(self) -> str:
        return f"{self.name}: {self._shown(self.before)} → {self._shown(self.after)}"

    def _shown(self, value: int) -> str:
        labels = self.parameter.labels
        return labels[value] if 0 <= value < len(labels) else str(value)


@dataclass(frozen=True)
class Minimised:
    """The answer.

    values: the nearest to the simplest that is interesting; tried: for each parameter that is not at its simplest, what
    was refused last; calls: how often `test` was asked; minimal: whether the sweep got to its end (it does not if the
    limit is reached).
    """

    values: Values
    tried: tuple[Attempt, ...]
    calls: int
    minimal: bool


_EVERY_VALUE = 40
"""Up to this distance from its simplest value, the sweep tries every value of a parameter ..."""
_SMALL_VALUES = 12
"""... and beyond it, this many of the smallest."""


class _Stop(BaseException):
    """Carries control out of Hypothesis, past everything that it catches."""


class _InterestingError(Exception):
    """What Hypothesis is to find."""


def minimise(
    parameters: Sequence[Parameter],
    test: Callable[[Values], bool],
    *,
    seed: int,
    limit: int | None,
    on_better: Callable[[Values], None] | None = None,
) -> Minimised:
    """Bring the values as near to the simplest as `test` (whether a vector is interesting) allows.

    The parameters' own values are taken to be interesting and are not asked for. No vector is asked for twice.
    `on_better` is told of every vector that becomes the best. What `test` raises comes out as it is, whatever its
    class; the best is what `on_better` heard last. The same seed and the same answers give the same questions. limit:
    of calls of `test`; the best so far is returned when it is reached.
    """
    search = _Search(tuple(parameters), test, limit, on_better)
    tried: tuple[Attempt, ...] = ()
    minimal = False
    try:
        search.bold()
        _shrink(search, seed)
        tried = search.sweep()
        minimal = True
    except _Stop:
        if search.raised is not None:
            raise search.raised from None
    return Minimised(search.best, tried, search.calls, minimal)


class _Search:
    """The vector, what is known about others, and the moves that need no Hypothesis."""

    def __init__(
        self,
        parameters: tuple[Parameter, ...],
        test: Callable[[Values], bool],
        limit: int | None,
        on_better: Callable[[Values], None] | None,
    ) -> None:
        self.parameters = parameters
        self.best: Values = tuple(p.value for p in parameters)
        self.calls = 0
        self.raised: BaseException | None = None
        self._test = test
        self._limit = limit
        self._on_better = on_better
        self._known: dict[Values, bool] = {self.best: True}

    def ask(self, values: Values) -> bool:
        """Whether the vector is interesting. Raises _Stop when the limit is reached or `test` raises."""
        if values not in self._known:
            if self.raised is not None or (self._limit is not None and self.calls >= self._limit):
                raise _Stop
            self.calls += 1
            try:
                self._known[values] = bool(self._test(values))
                if self._known[values] and self.rank(values) < self.rank(self.best):
                    self.best = values
                    if self._on_better is not None:
                        self._on_better(values)
            except BaseException as error:  # whatever it is, `minimise` raises it again outside Hypothesis
                self.raised = error
                raise _Stop from error
        return self._known[values]

    def distance(self, values: Values) -> Values:
        """How far each value is from its simplest."""
        return tuple(abs(v - p.simplest) for v, p in zip(values, self.parameters, strict=True))

    def rank(self, values: Values) -> tuple[int, Values]:
        """Smaller is better: fewer parameters away from their simplest, then the distances, first parameters first."""
        distance = self.distance(values)
        return sum(d > 0 for d in distance), distance

    def active(self) -> list[int]:
        """The parameters that are not at their simplest."""
        return [i for i, d in enumerate(self.distance(self.best)) if d]

    def simplified(self, positions: Sequence[int]) -> Values:
        """The best with the parameters at these positions at their simplest."""
        chosen = set(positions)
        return tuple(
            p.simplest if i in chosen else v for i, (v, p) in enumerate(zip(self.best, self.parameters, strict=True))
        )

    def bold(self) -> None:
        """Take whole groups to their simplest: everything, every class, halves of a class that is refused."""
        if not self.active() or self.ask(self.simplified(self.active())):
            return
        before = None
        while before != self.best:
            before = self.best
            for group in self._classes():
                self._halve(group)

    def _classes(self) -> Iterator[list[int]]:
        """The active parameters by class; the classes in the order of their first parameters."""
        classes: dict[str, list[int]] = {}
        for i in self.active():
            classes.setdefault(kind_of(self.parameters[i].name), []).append(i)
        yield from classes.values()

    def _halve(self, group: list[int]) -> None:
        if self.ask(self.simplified(group)) or len(group) == 1:
            return
        middle = len(group) // 2
        self._halve(group[:middle])
        self._halve(group[middle:])

    def sweep(self) -> tuple[Attempt, ...]:
        """Try every parameter alone at each simpler value (a large one: at those in _probes), until none is accepted.

        Faults are not monotonic: a size of 32 may show what 31 does not, and 3 may show it again.
        """
        while True:
            before = self.best
            tried = [attempt for i in range(len(self.parameters)) for attempt in self._alone(i)]
            if self.best == before:
                return tuple(tried)

    def _alone(self, position: int) -> list[Attempt]:
        """What was refused of this parameter: its simplest value, and one step towards it."""
        parameter, now = self.parameters[position], self.best[position]
        sign = 1 if now > parameter.simplest else -1
        distance = abs(now - parameter.simplest)
        refused: list[Attempt] = []
        for away in _probes(distance):
            after = parameter.simplest + sign * away
            values = (*self.best[:position], after, *self.best[position + 1 :])
            if self.ask(values):
                return []
            if away in (0, distance - 1):
                refused.append(Attempt(parameter, now, after, values))
        return refused


def _probes(distance: int) -> list[int]:
    """The smaller distances to try: all, or the small ones, those near powers of two, and one step less."""
    if distance <= _EVERY_VALUE:
        return list(range(distance))
    powers = [2**k + d for k in range(distance.bit_length()) for d in (-1, 0, 1)]
    return sorted({*range(_SMALL_VALUES), *(p for p in powers if 0 <= p < distance), distance - 1})


def kind_of(name: str) -> str:
    """The class of a parameter by its name: `pad#0 high[1]` is one of `pad high`; what names a value is left out."""
    words = re.sub(r"#\d+|\[\d+\]", "", name).split(" ")
    return " ".join(w for w in words if not w.startswith(("%", "=", "…")) and "/%" not in w)


def _shrink(search: _Search, seed: int) -> None:
    """Let Hypothesis shrink the parameters that are not at their simplest; the others stay there."""
    positions = search.active()
    if not positions:
        return
    start = search.best
    signs = [1 if start[i] > search.parameters[i].simplest else -1 for i in positions]
    distances = [search.distance(start)[i] for i in positions]

    def vector(drawn: Sequence[int]) -> Values:
        values = list(start)
        for i, sign, distance in zip(positions, signs, drawn, strict=True):
            values[i] = search.parameters[i].simplest + sign * distance
        return tuple(values)

    def check(drawn: tuple[int, ...]) -> None:
        if search.ask(vector(drawn)):
            raise _InterestingError

    _run(check, distances, seed)


class _Replay(PrimitiveProvider):
    """A backend that draws given whole numbers in its first test case, and the simplest ones in any other."""

    lifetime = "test_function"
    numbers: tuple[int, ...] = ()

    def __init__(self, data: ConjectureData | None, /) -> None:
        super().__init__(data)
        self._left = list(self.numbers)

    def draw_integer(
        self,
        min_value: int | None = None,
        max_value: int | None = None,
        *,
        weights: dict[int, float] | None = None,
        shrink_towards: int = 0,
    ) -> int:
        """The next number to replay."""
        return self._left.pop(0) if self._left else max(shrink_towards, min_value or 0)

    def draw_boolean(self, p: float = 0.5) -> bool:
        """Never drawn."""
        raise NotImplementedError("a vector of whole numbers has no booleans")

    def draw_float(
        self,
        *,
        min_value: float = -math.inf,
        max_value: float = math.inf,
        allow_nan: bool = True,
        smallest_nonzero_magnitude: float,
    ) -> float:
        """Never drawn."""
        raise NotImplementedError("a vector of whole numbers has no floats")

    def draw_string(self, intervals: IntervalSet, *, min_size: int = 0, max_size: int = 0) -> str:
        """Never drawn."""
        raise NotImplementedError("a vector of whole numbers has no strings")

    def draw_bytes(self, min_size: int = 0, max_size: int = 0) -> bytes:
        """Never drawn."""
        raise NotImplementedError("a vector of whole numbers has no bytes")


def _run(check: Callable[[tuple[int, ...]], None], distances: Sequence[int], seed: int) -> None:
    """Shrink the distances with Hypothesis, as long as `check` raises _InterestingError."""
    AVAILABLE_PROVIDERS[_BACKEND] = type("Replay", (_Replay,), {"numbers": tuple(distances)})
    try:
        options = settings(
            backend=_BACKEND,
            database=None,
            deadline=None,
            derandomize=False,
            max_examples=_MAX_EXAMPLES,
            phases=(Phase.generate, Phase.shrink),
            print_blob=False,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
        )
        strategy = st.tuples(*(st.integers(0, d) for d in distances))
        with contextlib.suppress(_InterestingError):
            seeded(seed)(options(given(strategy)(check)))()
    finally:
        del AVAILABLE_PROVIDERS[_BACKEND]
