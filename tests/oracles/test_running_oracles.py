"""The oracles of runs, on canned observations: what each takes, what it names, what it holds on to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.experiment import Experiment, FunctionRun, Observation, ResultSeen, Run, Status
from oracles.registry import make
from oracles.verdict import Outcome, Verdict
from tests.oracles.canned import always

RIGHT = ResultSeen("same", total=2, how="bit for bit")
WRONG = ResultSeen("value", (1,), "2.0", "3.0", 1, 2, "bit for bit")
RAN = FunctionRun(
    "main", "defined", ended="returned", inputs=("2xf32=1 2",), expected=("2xf32=1 2",), got=("2xf32=1 3",),
    results=(WRONG,),
)  # fmt: skip


def seen(*runs: FunctionRun) -> Observation:
    return Observation(Status.OK, runs=runs)


def judge(name: str, *runs: FunctionRun) -> Verdict:
    return make(name).judge("", always(seen(*runs)))


ENDED = {
    "run-failure": replace(RAN, ended="failed", said="RESOURCE_EXHAUSTED; 4096 bytes", results=()),
    "run-crash": replace(RAN, ended="crashed", said="signal 11 (SIGSEGV)", results=()),
    "run-hang": replace(RAN, ended="timed out", said="no result after 5 s", results=()),
    "wrong-result": RAN,
}
SIGNATURES = {
    "run-failure": "failed: RESOURCE_EXHAUSTED; N bytes",
    "run-crash": "crashed: signal N (SIGSEGV)",
    "run-hang": "timed out",
    "wrong-result": "wrong value",
}


@pytest.mark.parametrize("fault", ENDED)
@pytest.mark.parametrize("oracle", ENDED)
def test_each_takes_its_own_fault_and_points_to_the_oracle_of_another(oracle: str, fault: str) -> None:
    verdict = judge(oracle, ENDED[fault])
    assert verdict.interesting == (oracle == fault)
    assert verdict.signature == SIGNATURES[fault]
    if oracle != fault:
        assert verdict.advice == f"try --oracle {fault}"


@pytest.mark.parametrize("oracle", ENDED)
def test_what_is_held_is_the_signature_whatever_the_numbers(oracle: str) -> None:
    held = make(oracle).hold(judge(oracle, ENDED[oracle]))
    asked: list[Experiment] = []

    def observe(experiment: Experiment) -> Observation:
        asked.append(experiment)
        return seen(replace(ENDED[oracle], said=ENDED[oracle].said.replace("4096", "64")))

    assert held.judge("", observe).interesting
    assert [e.plain for e in asked] == [False]  # the baseline is asked for once, at the start


@pytest.mark.parametrize(
    ("kind", "signature"),
    [("value", "wrong value"), ("nan", "wrong NaN"), ("shape", "wrong shape"), ("type", "wrong type")],
)
def test_a_wrong_result_is_held_to_how_it_differs(kind: str, signature: str) -> None:
    oracle = make("wrong-result")
    verdict = judge("wrong-result", replace(RAN, results=(replace(WRONG, kind=kind),)))
    assert (verdict.interesting, verdict.signature) == (True, signature)
    held = oracle.hold(verdict)
    assert held.judge("", always(seen(RAN))).interesting == (kind == "value")


def test_where_the_right_result_was_finite_it_stays_finite() -> None:
    oracle = make("wrong-result")
    odd = replace(RAN, expected=("2xf32=nan 2",))
    held = oracle.hold(judge("wrong-result", RAN))
    assert not held.judge("", always(seen(odd))).interesting
    assert held.judge("", always(seen(odd, RAN))).outcome is Outcome.NOT_INTERESTING
    assert oracle.hold(judge("wrong-result", odd)).judge("", always(seen(odd))).interesting


def test_the_baseline_says_whether_the_flags_are_needed() -> None:
    def observe(experiment: Experiment) -> Observation:
        return seen(replace(RAN, results=(RIGHT,)) if experiment.plain else RAN)

    assert make("wrong-result").judge("", observe).reason.endswith("; not without the flags")
    assert judge("wrong-result", RAN).reason.endswith("; without the flags too")


@pytest.mark.parametrize("oracle", ENDED)
@pytest.mark.parametrize(
    ("run", "outcome", "said"),
    [
        (replace(RAN, reference="undefined", why="division by zero"), Outcome.INVALID, "division by zero"),
        (replace(RAN, reference="unknown", why="cannot evaluate x.y"), Outcome.UNRESOLVED, "cannot evaluate x.y"),
        (replace(RAN, results=(RIGHT,)), Outcome.NOT_INTERESTING, "every result is right (bit for bit)"),
        (replace(RAN, results=(replace(RIGHT, kind="unknown"),)), Outcome.UNRESOLVED, "how far result 0 may be off"),
    ],
)
def test_what_is_no_fault_is_said(oracle: str, run: FunctionRun, outcome: Outcome, said: str) -> None:
    verdict = judge(oracle, run)
    assert verdict.outcome is outcome
    assert said in verdict.reason


@pytest.mark.parametrize("oracle", ENDED)
def test_an_undefined_program_is_invalid_however_it_ends(oracle: str) -> None:
    run = replace(ENDED[oracle], reference="undefined", why="reads what nothing wrote")
    assert judge(oracle, run).outcome is Outcome.INVALID


@pytest.mark.parametrize("oracle", ENDED)
def test_what_does_not_compile_is_another_oracles(oracle: str) -> None:
    verdict = make(oracle).judge("", always(Observation(Status.FAILED, exit_code=1)))
    assert verdict.outcome is Outcome.NOT_INTERESTING
    assert "does not compile" in verdict.advice


def test_the_experiment_carries_the_reference_and_the_tolerances() -> None:
    asked: list[Experiment] = []
    oracle = replace(make("wrong-result"), run=Run("vmvx", 1e-3, 0.5))  # type: ignore[type-var]

    def observe(experiment: Experiment) -> Observation:
        asked.append(experiment)
        return seen(replace(RAN, results=(RIGHT,)))

    oracle.judge("", observe)
    assert [(e.phase, e.run) for e in asked] == [("end", Run("vmvx", 1e-3, 0.5))]
