from __future__ import annotations

import os
import signal
import stat
import tempfile
import time
from pathlib import Path

import pytest

from oracles.experiment import Observation, Status
from reducer.errors import InputError
from reducer.toolchain.oneshot import HEAD_BYTES, TAIL_BYTES, compile_once, run_limited, run_script
from reducer.toolchain.releases import Toolchain

CPU = ("--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=generic")
IDENTITY = "util.func public @f(%0: tensor<4xf32>) -> tensor<4xf32> {\n  util.return %0 : tensor<4xf32>\n}\n"
ALLOCATION = """\
func.func @f(%n: index) -> memref<?xf32> {
  %0 = memref.alloca(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}
"""


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go, to see that none is left."""
    place = tmp_path / "scratch"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def compile_text(
    toolchain: Toolchain,
    tmp_path: Path,
    text: str,
    phase: str = "end",
    *,
    timeout_s: float = 60,
    want_passes: bool = False,
) -> Observation:
    program = tmp_path / "program.mlir"
    program.write_text(text, "utf-8")
    return compile_once(
        toolchain, program, CPU, phase, timeout_s=timeout_s, memory_bytes=None, want_ir=phase == "flow",
        want_passes=want_passes,
    )  # fmt: skip


def fake(tmp_path: Path, body: str) -> Toolchain:
    """A toolchain whose compiler is a shell script."""
    script = tmp_path / "iree-compile"
    script.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return Toolchain("3.13.0", Path("python"), script, "path")


def test_success_with_ir(installed: Toolchain, tmp_path: Path, scratch: Path) -> None:
    seen = compile_text(installed, tmp_path, IDENTITY, "flow")
    assert (seen.status, seen.exit_code, seen.signal, seen.errors) == (Status.OK, 0, None, ())
    assert "util.func public @f" in seen.ir
    assert seen.command == ("iree-compile", *CPU, "--compile-to=flow", "-o", "/dev/null")
    assert 0 < seen.seconds < 60
    assert list(scratch.iterdir()) == []


def test_to_the_end(installed: Toolchain, tmp_path: Path) -> None:
    seen = compile_text(installed, tmp_path, IDENTITY)
    assert (seen.status, seen.ir) == (Status.OK, "")
    assert seen.command == ("iree-compile", *CPU, "-o", "/dev/null")


def test_a_name_that_begins_like_a_flag(
    installed: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-x.mlir").write_text(IDENTITY, "utf-8")
    done = compile_once(installed, Path("-x.mlir"), CPU, "end", timeout_s=60, memory_bytes=None)
    assert (done.status, done.stderr) == (Status.OK, "")


@pytest.mark.parametrize(
    "text",
    [
        "not MLIR at all",
        "func.func @f() -> i32 { return }\n",
        "func.func @f() { no.such_op }\n",
    ],
)
def test_a_program_that_is_not_accepted(installed: Toolchain, tmp_path: Path, text: str) -> None:
    seen = compile_text(installed, tmp_path, text, want_passes=True)
    assert (seen.status, seen.parsed, seen.exit_code, seen.failing_passes) == (Status.FAILED, False, 1, ())
    assert seen.errors[0].location is not None


def test_failing_passes_are_printed_in_one_thread_and_no_flag_is_given_twice(tmp_path: Path) -> None:
    """With several threads, 3.3.0 deadlocks now and then over printing IR on failure."""
    toolchain = fake(tmp_path, f'echo "$@" >>{tmp_path}/asked; echo "error: no"; exit 1')
    (tmp_path / "program.mlir").touch()
    for flags in ((), ("--mlir-disable-threading",)):
        compile_once(
            toolchain, tmp_path / "program.mlir", flags, "end", timeout_s=60, memory_bytes=None, want_passes=True
        )
    printing = [line.split() for line in (tmp_path / "asked").read_text().splitlines() if "after-failure" in line]
    assert [words.count("--mlir-disable-threading") for words in printing] == [1, 1]


@pytest.mark.parametrize("want_passes", [False, True])
def test_a_program_that_fails_later_was_accepted(installed: Toolchain, tmp_path: Path, want_passes: bool) -> None:
    seen = compile_text(installed, tmp_path, ALLOCATION, want_passes=want_passes)
    assert (seen.status, seen.parsed, seen.exit_code) == (Status.FAILED, True, 1)
    assert any("conversion to vm.module failed" in error.message for error in seen.errors)
    assert bool(seen.failing_passes) == want_passes


def test_a_flag_that_is_rejected_is_no_fault_of_the_program(installed: Toolchain, tmp_path: Path) -> None:
    program = tmp_path / "program.mlir"
    program.write_text(IDENTITY, "utf-8")
    seen = compile_once(installed, program, ("--iree-no-such-flag",), "end", timeout_s=60, memory_bytes=None)
    assert (seen.status, seen.exit_code) == (Status.FAILED, 1)
    assert "Unknown command line argument '--iree-no-such-flag'" in seen.stderr


def test_a_crash(tmp_path: Path) -> None:
    seen = compile_text(fake(tmp_path, "echo last words >&2; kill -SEGV $$"), tmp_path, IDENTITY)
    assert (seen.status, seen.signal, seen.exit_code) == (Status.CRASHED, signal.SIGSEGV, None)
    assert seen.stderr == "last words\n"


def test_a_crash_leaves_no_core_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    monkeypatch.chdir(empty)
    compile_text(fake(tmp_path, "kill -SEGV $$"), tmp_path, IDENTITY)
    assert list(empty.iterdir()) == []


def test_time_runs_out_for_the_whole_family(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    started = time.monotonic()
    seen = compile_text(fake(tmp_path, f"sleep 60 & echo $! > {pids}; wait"), tmp_path, IDENTITY, timeout_s=0.5)
    assert (seen.status, seen.exit_code, seen.signal) == (Status.TIMED_OUT, None, None)
    assert 0.5 <= seen.seconds <= time.monotonic() - started < 10
    assert gone(int(pids.read_text("utf-8")))


def test_what_a_finished_process_started_ends_with_it(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    seen = compile_text(fake(tmp_path, f"sleep 60 & echo $! > {pids}"), tmp_path, IDENTITY)
    assert (seen.status, seen.seconds < 10) == (Status.OK, True)
    assert gone(int(pids.read_text("utf-8")))


def gone(pid: int) -> bool:
    """Whether a process has ended, or is ended and only waits for its parent to ask."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_somebody_who_escapes_and_keeps_the_pipe_open_is_not_waited_for(tmp_path: Path) -> None:
    seen = compile_text(fake(tmp_path, "setsid sleep 5 & exit 0"), tmp_path, IDENTITY)
    assert seen.status is Status.OK
    assert seen.seconds < 4


def test_megabytes_of_output_are_bounded_and_keep_both_ends(tmp_path: Path) -> None:
    body = "echo first >&2; yes 'a line of no interest' | head -c 9000000 >&2; echo last >&2; exit 1"
    seen = compile_text(fake(tmp_path, body), tmp_path, IDENTITY)
    assert seen.status is Status.FAILED
    assert seen.stderr.startswith("first\n")
    assert seen.stderr.endswith("last\n")
    assert len(seen.stderr) < HEAD_BYTES + 2 * TAIL_BYTES + 100


def test_output_without_end_ends_with_the_time(tmp_path: Path) -> None:
    assert compile_text(fake(tmp_path, "yes"), tmp_path, IDENTITY, timeout_s=0.5).status is Status.TIMED_OUT


def test_output_that_is_not_text(tmp_path: Path) -> None:
    assert compile_text(fake(tmp_path, r"printf '\377\000x' >&2"), tmp_path, IDENTITY).stderr == "\ufffd\0x"


@pytest.mark.parametrize(("words", "status"), [("LLVM ERROR: out of memory", 1), ("std::bad_alloc", 134)])
def test_memory_by_the_last_words(tmp_path: Path, words: str, status: int) -> None:
    seen = compile_text(fake(tmp_path, f"echo 'terminate: {words}' >&2; exit {status}"), tmp_path, IDENTITY)
    assert seen.status is Status.OUT_OF_MEMORY


def test_the_memory_limit_holds(installed: Toolchain, tmp_path: Path) -> None:
    ended = run_limited(["/bin/sh", "-c", "ulimit -v"], timeout_s=10, memory_bytes=512 * 1024 * 1024)
    assert ended.output == f"{512 * 1024}\n"
    program = tmp_path / "program.mlir"
    program.write_text(IDENTITY, "utf-8")
    seen = compile_once(installed, program, CPU, "end", timeout_s=60, memory_bytes=64 * 1024 * 1024)
    assert seen.status is Status.OUT_OF_MEMORY


def test_standard_input_is_empty(tmp_path: Path) -> None:
    assert compile_text(fake(tmp_path, "cat >&2"), tmp_path, IDENTITY, timeout_s=10).stderr == ""


@pytest.mark.parametrize(
    ("body", "status", "exit_code", "number"),
    [
        ('grep -q util.func "$1"', Status.OK, 0, None),
        ("exit 3", Status.FAILED, 3, None),
        ("kill -ABRT $$", Status.CRASHED, None, signal.SIGABRT),
        ("sleep 60", Status.TIMED_OUT, None, None),
    ],
)
def test_a_script(tmp_path: Path, body: str, status: Status, exit_code: int | None, number: int | None) -> None:
    program = tmp_path / "program.mlir"
    program.write_text(IDENTITY, "utf-8")
    own = fake(tmp_path, body)
    argv = [str(own.iree_compile)]
    seen = run_script(own, argv, program, 1.0)
    assert (seen.status, seen.exit_code, seen.signal, seen.command) == (status, exit_code, number, tuple(argv))


@pytest.mark.parametrize("away", ["setsid", "timeout 60", "setsid setsid"])
@pytest.mark.parametrize(("last", "status"), [("exit 0", Status.OK), ("sleep 60", Status.TIMED_OUT)])
def test_what_a_script_sends_into_another_group_ends_with_it(
    tmp_path: Path, away: str, last: str, status: Status
) -> None:
    pids = tmp_path / "pids"
    body = f"{away} sh -c 'echo $$ > {pids}; sleep 50; :' &\nuntil [ -s {pids} ]; do sleep 0.1; done\n{last}"
    own = fake(tmp_path, body)
    seen = run_script(own, [str(own.iree_compile)], tmp_path / "program.mlir", 2.0)
    assert seen.status is status
    assert gone(int(pids.read_text("utf-8")))


def test_a_script_finds_the_tools_of_the_release_first(installed: Toolchain, tmp_path: Path) -> None:
    said = tmp_path / "said"
    body = f'{{ command -v iree-compile; command -v iree-run-module; }} > {said}'
    (tmp_path / "scripts").mkdir()
    script = fake(tmp_path / "scripts", body).iree_compile
    assert run_script(installed, [str(script)], tmp_path / "program.mlir", 10.0).status is Status.OK
    assert said.read_text("utf-8").splitlines() == [str(installed.iree_compile), str(installed.iree_run_module)]


@pytest.mark.parametrize("command", ["/no/such/script", "no-such-script-on-path", os.devnull])
def test_a_script_that_cannot_be_run(tmp_path: Path, command: str) -> None:
    with pytest.raises(InputError, match=f"the script cannot be run: {command} is not an executable file"):
        run_script(fake(tmp_path, ""), [command], tmp_path / "program.mlir", 1.0)
