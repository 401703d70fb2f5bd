"""The script of a program that is run: with stand-ins for both tools, and with the real ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.experiment import FunctionRun
from reducer.report.shell import RunGoesWrong, write_script
from tests.report.conftest import RunScript, repro

CPU = ("--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=generic")
PROGRAM = """\
func.func @double(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
RUN = FunctionRun("double", "defined", inputs=("2xf32=1 -2",), expected=("2xf32=2 -4",))
ENDINGS = {
    "right": "echo '[SUCCESS] all function outputs matched their expected values.'\nexit 0\n",
    "wrong": 'case "$*" in *--expected_output=*) echo "[FAILED] result[0]: element at index 1 (-3)"; exit 1;; esac\n',
    "fails": "echo 'iree/runtime/src/iree/x.c:1: INVALID_ARGUMENT; no' >&2\nexit 1\n",
    "crashes": "kill -SEGV $$\n",
    "hangs": "exec sleep 30\n",
}
SHOWN_BY = {"wrong-result": "wrong", "run-failure": "fails", "run-crash": "crashes", "run-hang": "hangs"}


def check(oracle: str, run: FunctionRun = RUN, timeout_s: float = 0.5) -> RunGoesWrong:
    return RunGoesWrong(run, oracle, timeout_s)


@pytest.fixture
def compiler(fake_compiler: str) -> str:
    """A compiler that says yes to everything."""
    append(fake_compiler, "exit 0\n")
    return fake_compiler


def append(script: str, text: str) -> None:
    with open(script, "a", encoding="utf-8") as file:
        file.write(text)


@pytest.mark.parametrize("oracle", SHOWN_BY)
@pytest.mark.parametrize("ending", [name for name in ENDINGS if name != "hangs"])
def test_a_run_shows_the_fault_of_its_own_oracle_alone(
    run_script: RunScript, compiler: str, fake_runner: str, oracle: str, ending: str
) -> None:
    append(fake_runner, ENDINGS[ending])
    done = run_script(repro(PROGRAM, CPU), check(oracle), compiler, fake_runner)
    verdict = done.stdout.splitlines()[-1]
    shown = SHOWN_BY[oracle] == ending
    assert done.returncode == (0 if shown else 1), done.stdout + done.stderr
    assert verdict.startswith("the fault shows: " if shown else "the fault does not show (it would be: ")


def test_a_run_without_end(run_script: RunScript, compiler: str, fake_runner: str) -> None:
    append(fake_runner, ENDINGS["hangs"])
    done = run_script(repro(PROGRAM, CPU), check("run-hang"), compiler, fake_runner)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "the fault shows: the run does not end")


@pytest.mark.parametrize(
    ("oracle", "expected"), [("wrong-result", ["<--expected_output=2xf32=2 -4>"]), ("run-crash", []), ("run-hang", [])]
)
def test_what_the_runner_is_given(
    run_script: RunScript, compiler: str, fake_runner: str, oracle: str, expected: list[str]
) -> None:
    done = run_script(repro(PROGRAM, CPU), check(oracle), compiler, fake_runner)
    module, *rest, _ = done.stdout.splitlines()
    assert module.startswith("<--module=/")
    assert module.endswith("/module.vmfb>")
    assert rest == ["<--device=local-sync>", "<--function=double>", "<--input=2xf32=1 -2>", *expected]


def test_a_result_too_large_to_write_is_not_compared(run_script: RunScript, compiler: str, fake_runner: str) -> None:
    run = replace(RUN, expected=("", "f32=1"))
    done = run_script(repro(PROGRAM, CPU), check("wrong-result", run), compiler, fake_runner)
    assert done.stdout.splitlines()[-3:-1] == ["<--expected_output=(ignored)>", "<--expected_output=f32=1>"]


def test_a_name_that_needs_quoting(run_script: RunScript, compiler: str, fake_runner: str) -> None:
    run = replace(RUN, function="it's $(id) `id`")
    done = run_script(repro(PROGRAM, CPU), check("run-crash", run), compiler, fake_runner)
    assert "<--function=it's $(id) `id`>" in done.stdout.splitlines()


def test_the_compiler_is_given_the_flags_and_a_file(
    run_script: RunScript, fake_compiler: str, fake_runner: str
) -> None:
    append(fake_compiler, 'echo "$@" >&2; exit 1\n')
    done = run_script(repro(PROGRAM, CPU), check("wrong-result"), fake_compiler, fake_runner)
    (arguments,) = done.stdout.splitlines()
    assert f" {' '.join(CPU)} -o /" in arguments
    assert arguments.endswith("/module.vmfb")
    assert (done.returncode, done.stderr) == (2, "it does not compile\n")


def test_a_runner_that_is_not_there(run_script: RunScript, compiler: str) -> None:
    done = run_script(repro(PROGRAM, CPU), check("wrong-result"), compiler, "/no/such/iree-run-module")
    assert done.returncode == 2
    assert done.stderr == "there is no /no/such/iree-run-module; set IREE_RUN_MODULE\n"


@pytest.mark.parametrize(("expected", "status"), [("2xf32=2 -4", 1), ("2xf32=2 -3", 0), ("2xf32=2 nan", 0)])
def test_the_real_tools_compare(run_script: RunScript, expected: str, status: int) -> None:
    run = replace(RUN, expected=(expected,))
    done = run_script(repro(PROGRAM, CPU), check("wrong-result", run))
    assert done.returncode == status, done.stdout + done.stderr


def test_the_real_tools_fail_on_an_input_that_does_not_fit(run_script: RunScript) -> None:
    run = replace(RUN, inputs=("3xf32=1 2 3",))
    done = run_script(repro(PROGRAM, CPU), check("run-failure", run))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "the fault shows: the run fails")
    assert run_script(repro(PROGRAM, CPU), check("run-failure")).returncode == 1
    assert run_script(repro(PROGRAM, CPU), check("run-crash")).returncode == 1
    assert run_script(repro(PROGRAM, CPU), check("run-hang", timeout_s=60.0)).returncode == 1


def test_says_how_to_get_the_runner() -> None:
    text = write_script(repro(PROGRAM, CPU, release="3.13.0"), check("wrong-result"))
    assert "pip install iree-base-compiler==3.13.0 iree-base-runtime==3.13.0" in text
    assert "IREE_RUN_MODULE" in text.split("set -u")[0]
