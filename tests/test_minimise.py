"""Minimising vectors of numbers against plain functions: exact minima, and how many questions they took."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reducer.minimise import Minimised, Values, kind_of, minimise
from reducer.wire import Parameter

Test = Callable[[Values], bool]


def number(name: str, value: int, simplest: int = 0, low: int = 0) -> Parameter:
    return Parameter(name, value, low, max(value, simplest), simplest)


SIZES = [
    number(name, value, 1, 1)
    for name, value in (
        ("dim %arg0[1]", 8),
        ("dim %arg0[2]", 128),
        ("dim %arg0[3]", 128),
        ("dim %0[1] = %1[1] = …", 16),
        ("dim %arg1[2]", 3),
        ("dim %arg1[3]", 3),
    )
]
PADS = [number(f"pad#0 {side}[{axis}]", 1) for side in ("low", "high") for axis in (2, 3)]
STEPS = [number("conv_2d#0 stride[0]", 2, 1, 1), number("conv_2d#0 dilation[1]", 2, 1, 1)]
SEED = [*SIZES, *PADS, *STEPS]
SIMPLEST = (1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1)


class Asked:
    """An oracle that notes what it was asked."""

    def __init__(self, test: Test) -> None:
        self.calls: list[Values] = []
        self._test = test

    def __call__(self, values: Values) -> bool:
        self.calls.append(values)
        return self._test(values)


def run(test: Test, parameters: list[Parameter] = SEED, limit: int | None = None) -> tuple[Minimised, list[Values]]:
    asked = Asked(test)
    result = minimise(parameters, asked, seed=0, limit=limit)
    assert len(set(asked.calls)) == len(asked.calls) == result.calls, "asked twice"
    assert tuple(p.value for p in parameters) not in asked.calls
    return result, asked.calls


@pytest.mark.parametrize(
    ("test", "minimum", "most"),
    [
        (lambda v: True, SIMPLEST, 1),
        (lambda v: sum(v[6:10]) >= 2, (1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1), 20),
        (lambda v: v[6] + v[8] and v[7] + v[9], (1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1), 20),
        (lambda v: v[1] >= 5, (1, 5, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1), 30),
        (lambda v: v[1] >= 17 and v[9] and v[4] >= 2, (1, 17, 1, 1, 2, 1, 0, 0, 0, 1, 1, 1), 59),
        (lambda v: v[1] + v[2] >= 50, (1, 1, 49, 1, 1, 1, 0, 0, 0, 0, 1, 1), 40),
        (lambda v: v[1] % 2 == 0 and v[1] == v[2], (1, 2, 2, 1, 1, 1, 0, 0, 0, 0, 1, 1), 30),
        (lambda v: v[10] == 2, (1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 2, 1), 20),
        (
            lambda v: v[1] + v[6] + v[8] > v[11] * (v[4] - 1) and v[8] and v[4] >= 2,
            (1, 1, 1, 1, 2, 1, 0, 0, 1, 0, 1, 1),
            40,
        ),
    ],
)
def test_exact_minimum_in_few_questions(test: Test, minimum: Values, most: int) -> None:
    result, calls = run(test)
    assert result.values == minimum
    assert result.minimal
    assert len(calls) <= most


def test_what_was_refused_last_is_told_for_every_parameter_that_is_left() -> None:
    result, _ = run(lambda v: v[1] >= 5 and v[9] == 1)
    assert [str(a) for a in result.tried] == ["dim %arg0[2]: 5 → 1", "dim %arg0[2]: 5 → 4", "pad#0 high[3]: 1 → 0"]
    assert [a.values for a in result.tried][1:] == [
        (1, 4, 1, 1, 1, 1, 0, 0, 0, 1, 1, 1),
        (1, 5, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1),
    ]
    assert [(a.name, a.before, a.after) for a in result.tried][-1] == ("pad#0 high[3]", 1, 0)


def test_nothing_can_move() -> None:
    result, calls = run(lambda v: False)
    assert result.values == tuple(p.value for p in SEED)
    assert result.minimal
    assert {a.name for a in result.tried} == {p.name for p in SEED}
    assert len(calls) <= 130  # every smaller value of the small numbers, some two dozen of each large one


@pytest.mark.parametrize(("value", "again", "minimum"), [(32, 3, 3), (40, 23, 23), (1000, 65, 65), (1000, 9, 9)])
def test_a_fault_that_comes_back_at_a_smaller_value_is_found(value: int, again: int, minimum: int) -> None:
    """Faults are not monotonic: no search that halves its way down meets these."""
    result, _ = run(lambda v: v[0] in (value, again), [number("dim %arg0[0]", value, 1, 1)])
    assert result.values == (minimum,)
    assert result.minimal


def test_choices_are_shown_by_their_labels_and_shrink_to_the_first() -> None:
    kinds = Parameter("conv#0 kind", 2, 0, 2, 0, ("conv_1d", "conv_2d", "conv_2d_nchw_fchw"))
    result, _ = run(lambda v: v[0] >= 1, [kinds])
    assert result.values == (1,)
    assert [str(a) for a in result.tried] == ["conv#0 kind: conv_2d → conv_1d"]


def test_values_below_the_simplest_rise() -> None:
    result, _ = run(lambda v: v[0] <= -2, [Parameter("pad#0 low[0]", -9, -9, 0, 0)])
    assert result.values == (-2,)


def test_no_parameters() -> None:
    assert run(lambda v: True, []) == (Minimised((), (), 0, True), [])


def test_same_seed_and_answers_same_questions() -> None:
    def test(v: Values) -> bool:
        return v[1] * v[2] >= 500 and v[3] >= 3

    assert run(test)[1] == run(test)[1]


@pytest.mark.parametrize("limit", [0, 1, 7, 15])
def test_limit_returns_the_best_so_far(limit: int) -> None:
    result, calls = run(lambda v: v[1] >= 5, limit=limit)
    assert len(calls) == limit
    assert not result.minimal
    assert result.values[1] >= 5


class Interrupted(BaseException):
    """As a session raises it."""


@pytest.mark.parametrize("error", [Interrupted, KeyboardInterrupt, RuntimeError, SystemExit, AssertionError])
@pytest.mark.parametrize("after", [1, 3, 12, 16])
def test_what_the_oracle_raises_comes_out_and_the_best_is_known(error: type[BaseException], after: int) -> None:
    better: list[Values] = []
    calls = 0

    def test(v: Values) -> bool:
        nonlocal calls
        calls += 1
        if calls == after:
            raise error("stop")
        return v[1] >= 5

    with pytest.raises(error, match="stop"):
        minimise(SEED, test, seed=0, limit=None, on_better=better.append)
    assert calls == after
    assert all(v[1] >= 5 for v in better)
    assert (better != []) == (after > 4), "the fourth question is the first that is interesting"


def test_callback_hears_every_improvement_last_the_result() -> None:
    better: list[Values] = []
    result = minimise(SEED, lambda v: v[1] >= 5, seed=0, limit=None, on_better=better.append)
    assert better[-1] == result.values
    assert len(set(better)) == len(better)


def test_many_parameters_of_which_one_matters() -> None:
    many = [number(f"dim %arg{i}[0]", 64, 1, 1) for i in range(200)]
    result, calls = run(lambda v: v[77] >= 3, many)
    assert result.values == tuple(3 if i == 77 else 1 for i in range(200))
    assert len(calls) <= 40


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("dim %arg0[2] = %padded[2] = …", "dim"),
        ("dim main/%arg0[2]", "dim"),
        ("pad#0 high[1]", "pad high"),
        ("conv_2d#1 stride[0]", "conv_2d stride"),
        ("%cst value", "value"),
        ("element type bf16 of %arg0", "element type bf16 of"),
    ],
)
def test_class_of_a_name(name: str, kind: str) -> None:
    assert kind_of(name) == kind
