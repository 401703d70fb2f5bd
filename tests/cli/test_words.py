"""Words of the command line as values: sizes, times, pasted commands, what typer makes of options."""

from __future__ import annotations

import pytest
import typer

from reducer.cli import options
from reducer.cli.arguments import parse
from reducer.cli.pasted import Pasted, parse_pasted
from reducer.cli.quantities import count, parse_memory_bytes, parse_seconds, show_memory, show_seconds
from reducer.cli.requests import CaseRequest, CheckRequest, ListRequest, ReduceRequest
from reducer.errors import FlagError, InputError, ReducerError

OPTIONS = """
--oracle no-op-flag --iree 3.3.0 --target vmvx --flag --foo --expect 2 --match x --signature class --script s
--exit-interesting nonzero -o out.mlir -j 4 --timeout 1m --memory 8G --limit-time 2h --limit-tests 9 --seed 5
--resume -v --json j.json m.mlir
"""


@pytest.mark.parametrize(
    ("text", "size"),
    [("4096", 4096), ("8G", 8 << 30), ("512M", 512 << 20), ("512MiB", 512 << 20), ("1.5g", 3 << 29), ("2 TB", 2 << 40)],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_memory_bytes(text, "--memory") == size


@pytest.mark.parametrize("text", ["", "0", "G", "8X", "-1G", "8G8", "1e9"])
def test_no_sizes(text: str) -> None:
    with pytest.raises(InputError, match=r"--memory .* is not a size; write for instance 8G"):
        parse_memory_bytes(text, "--memory")


@pytest.mark.parametrize(
    ("text", "seconds"), [("30", 30), ("2.5s", 2.5), ("500ms", 0.5), ("10m", 600), ("10min", 600), ("2h", 7200)]
)
def test_times(text: str, seconds: float) -> None:
    assert parse_seconds(text, "--timeout") == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["", "0", "soon", "-3", "inf", "1d", "nan"])
def test_no_times(text: str) -> None:
    with pytest.raises(InputError, match=r"--timeout .* is not a time; write for instance 30"):
        parse_seconds(text, "--timeout")


def test_quantities_for_people() -> None:
    assert [show_seconds(s) for s in (4.21, 99.9, 150, 7510)] == ["4.2 s", "99.9 s", "2:30 min", "2:05 h"]
    assert [show_memory(s) for s in (5 << 20, 3 << 29, 8 << 30, 1000)] == ["5M", "1536M", "8G", "1000"]
    assert [count(n, "op") for n in (0, 1, 1574)] == ["0 ops", "1 op", "1,574 ops"]


@pytest.mark.parametrize(
    ("words", "pasted"),
    [
        ("--foo --bar=1", Pasted(("--foo", "--bar=1"), None)),
        ("iree-compile m.mlir --foo", Pasted(("--foo",), "m.mlir")),
        ("/usr/bin/iree-compile --foo m.mlir -o out.vmfb", Pasted(("--foo",), "m.mlir")),
        ("--foo m.mlir -o=out.mlir", Pasted(("--foo",), "m.mlir")),
        ("-o out.mlir --foo", Pasted(("--foo",), None)),
        ("--iree-hal-target-backends llvm-cpu m.mlirbc", Pasted(("--iree-hal-target-backends=llvm-cpu",), "m.mlirbc")),
        ("- --foo", Pasted(("--foo",), "-")),
        ("--foo --compile-to=flow", Pasted(("--foo",), None)),
        ("-iree-foo=1", Pasted(("--iree-foo=1",), None)),
        ("", Pasted((), None)),
    ],
)
def test_pasted(words: str, pasted: Pasted) -> None:
    assert parse_pasted(words.split(), None) == pasted


def test_pasted_beside_the_program() -> None:
    assert parse_pasted(["iree-compile", "odd", "--foo", "-o", "odd"], "odd") == Pasted(("--foo",), "odd")
    with pytest.raises(InputError, match=r"more than one program: m\.mlir and n\.mlir"):
        parse_pasted(["n.mlir"], "m.mlir")
    with pytest.raises(InputError, match=r"more than one program: m\.mlir and n\.mlir"):
        parse_pasted(["m.mlir", "n.mlir"], None)
    with pytest.raises(FlagError, match="'O2' is neither a flag"):
        parse_pasted(["O2"], "m.mlir")


def test_what_stands_after_two_dashes_is_not_ours() -> None:
    request = parse(["m.mlir", "--oracle", "crash", "-j", "3", "--", "--oracle", "--help", "--"])
    assert request == ReduceRequest(CaseRequest("m.mlir", ("--oracle", "--help", "--"), "crash"), jobs=3)


def test_every_option_of_a_reduction() -> None:
    assert parse(OPTIONS.split()) == ReduceRequest(
        CaseRequest(
            program="m.mlir", oracle="no-op-flag", iree="3.3.0", target="vmvx", flag="--foo", expect=2, match="x",
            signature="class", script="s", exit_interesting="nonzero", timeout_s=60, memory_bytes=8 << 30,
        ),
        output="out.mlir", jobs=4, limit_time_s=7200, limit_tests=9, seed=5, resume=True, verbosity=1, json="j.json",
    )  # fmt: skip


def test_the_first_word_decides() -> None:
    check = parse(["check", "m.mlir"])
    assert check == CheckRequest(CaseRequest("m.mlir"))
    assert parse(["list", "oracles"]) == ListRequest("oracles")
    for words in (["./check"], ["-q", "check"]):
        request = parse(words)
        assert isinstance(request, ReduceRequest)
        assert request.case.program == words[-1]


@pytest.mark.parametrize("words", [["--seed", "x", "m.mlir"], ["-q", "check", "m.mlir"], ["list"], ["--expect", "-1"]])
def test_usage_errors_are_ours(words: list[str]) -> None:
    with pytest.raises(ReducerError, match="see `reduce"):
        parse(words)


@pytest.mark.parametrize("raised", [KeyboardInterrupt, typer.Abort])
def test_an_interrupt_while_the_words_are_read_is_one(
    raised: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not a request for help, which would end with 0."""

    def interrupted(text: str, option: str) -> float:
        raise raised

    monkeypatch.setattr(options, "parse_seconds", interrupted)
    with pytest.raises(KeyboardInterrupt):
        parse(["--oracle", "crash", "--timeout", "3", "m.mlir"])
