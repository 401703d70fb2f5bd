from __future__ import annotations

import pytest

from reducer.errors import FlagError, InputError
from reducer.header import (
    Directive,
    Header,
    directive_line,
    parse_header,
    program_digest,
    run_line,
    without_header,
)


def run_flags(line: str) -> tuple[str, ...] | None:
    return parse_header(f"// RUN: {line}\nfunc.func @f() {{ return }}\n").run_flags


@pytest.mark.parametrize(
    ("line", "flags"),
    [
        ("iree-compile %s --iree-opt-level=O2", ("--iree-opt-level=O2",)),
        ("iree-compile --iree-opt-level=O2 %s -o %t.vmfb", ("--iree-opt-level=O2",)),
        ("iree-compile %s -iree-opt-level O2 | FileCheck %s", ("--iree-opt-level=O2",)),
        ("iree-compile --iree-opt-level=O2 < %s 2>&1 | FileCheck %s --check-prefix=X", ("--iree-opt-level=O2",)),
        ("not --crash iree-compile --compile-to=flow %s >%t 2>/dev/null", ()),
        ("(true) && ./bin/iree-compile --iree-opt-level=O1 %s; rm -rf x", ("--iree-opt-level=O1",)),
        ("iree-compile %s '--iree-hal-target-device=local[0]'", ("--iree-hal-target-device=local[0]",)),
        (
            'iree-compile %s --iree-preprocessing-pass-pipeline="builtin.module(util.func(iree-foo{size=4}))"',
            ("--iree-preprocessing-pass-pipeline=builtin.module(util.func(iree-foo{size=4}))",),
        ),
        ("iree-opt %s --iree-codegen-foo | FileCheck %s", None),
    ],
)
def test_run_line(line: str, flags: tuple[str, ...] | None) -> None:
    assert run_flags(line) == flags


def test_run_line_goes_on_after_a_backslash() -> None:
    text = "// RUN: iree-compile %s \\\n// RUN:   --iree-opt-level=O2 \\\n//   --iree-input-type=auto\n\n// A note.\n"
    assert parse_header(text).run_flags == ("--iree-opt-level=O2", "--iree-input-type=auto")


def test_the_first_run_line_with_iree_compile_counts() -> None:
    text = "// RUN: iree-opt %s --a\n// RUN: iree-compile %s --iree-a\n// RUN: iree-compile %s --iree-b\n"
    assert parse_header(text).run_flags == ("--iree-a",)


def test_only_leading_comments_are_read() -> None:
    text = "\n// A note: oracle=x\n\nmodule {}\n// RUN: iree-compile %s --iree-a\n// reduce: oracle=crash\n"
    assert parse_header(text) == Header()


def test_byte_order_mark_and_carriage_returns() -> None:
    text = "\ufeff// RUN: iree-compile %s --iree-a\r\n// reduce: oracle=crash\r\nfunc.func @f() { return }\r\n"
    assert parse_header(text) == Header(("--iree-a",), (Directive(oracle="crash"),))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("iree-compile %s 'unclosed", "No closing quotation"),
        ("iree-compile %s @responses", "'@responses' is neither a flag"),
        ("iree-compile %s other.txt", "'other.txt' is neither a flag"),
    ],
)
def test_run_line_that_cannot_be_read(line: str, message: str) -> None:
    with pytest.raises(InputError, match=f"line 1: RUN: .*{message}"):
        run_flags(line)


def test_directive() -> None:
    line = '// reduce: oracle=hang iree=3.3.0 target=cuda:sm_80 match="a \\"b\\" c" flag=--iree-x expect=3 timeout=2.5'
    assert parse_header(line + " signature=abc flags=\"--iree-a --iree-b='1 2'\"").directives == (
        Directive(
            oracle="hang",
            iree="3.3.0",
            target="cuda:sm_80",
            match='a "b" c',
            flag="--iree-x",
            expect=3,
            timeout=2.5,
            signature="abc",
            flags=("--iree-a", "--iree-b=1 2"),
        ),
    )


@pytest.mark.parametrize(
    "directive",
    [
        Directive(),
        Directive(oracle="crash", iree="newest"),
        Directive(match="a \"b\" 'c' \\w+ \\n \\\\ \n\t end \\"),
        Directive(match="", signature="'"),
        Directive(match="=x=", flag="--iree-a=b c", expect=0, timeout=12.5, flags=()),
        Directive(flags=("--iree-a=x y", "--iree-b='\"", "--mlir-print-op-generic")),
        Directive(oracle="wrong-result", inputs=("2x2xf32=1 2 3 -4", "f32=0.5", "7", "2xi32=[1][2]", "random:3")),
        Directive(inputs=("zeros",), reference="release:3.12.0", rtol=1e-05, atol=0.0, flags=("--iree-a",)),
        Directive(reference="flags:none", rtol=1.0, atol=2.5e-300),
        Directive(rtol=1.23456789e-05, atol=0.1234567890123, timeout=1234567.0 / 8),
        Directive(timeout=30.0, rtol=3.0),
        Directive(timeout=3_600_000.0, atol=1e30),
    ],
)
def test_directive_round_trip(directive: Directive) -> None:
    assert parse_header(directive_line(directive)).directives == (directive,)


def test_numbers_are_written_as_one_writes_them() -> None:
    line = directive_line(Directive(timeout=30.0, rtol=1e-5, atol=0.001))
    assert line == "// reduce: timeout=30 rtol=1e-05 atol=0.001"


@pytest.mark.parametrize("phase", ["end", "flow"])
def test_run_line_round_trip(phase: str) -> None:
    flags = ("--iree-a", "--iree-b=x y", "--iree-c='\"%s%%", "--iree-d=\\'".replace("\\", ""), "--iree-e=(a){b}")
    assert parse_header(run_line(flags, phase)).run_flags == flags


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("orcale=crash", "unknown key 'orcale'; did you mean oracle?"),
        ("wat=1", "unknown key 'wat'; known are oracle, iree"),
        ("oracle=a oracle=b", "oracle is given twice"),
        ("oracle=crash translation", "cannot read 'translation'"),
        ('match="unclosed', "cannot read 'match=\"unclosed'"),
        ("expect=-1", "expect=-1: not a count"),
        ("expect=many", "expect=many: not a count"),
        ("timeout=soon", "timeout=soon: not a number of seconds"),
        ("inputs=@secret.npy", "inputs=@secret.npy: a file may not name another file; give it with --input"),
        ('inputs="2xf32=1 2; @secret.npy"', "inputs=@secret.npy: a file may not name another file"),
        ('inputs="2xf32=1 2;;  @secret.npy"', "inputs=@secret.npy: a file may not name another file"),
        ("rtol=x", "rtol=x: not a number from 0 on"),
        ("rtol=-1", "rtol=-1: not a number from 0 on"),
        ("atol=nan", "atol=nan: not a number from 0 on"),
        ('atol=""', "atol=: not a number from 0 on"),
        ("iree=/tmp/evil/bin/python", "iree=/tmp/evil/bin/python: a file may name a version"),
        ("iree=./venv", "iree=./venv: a file may name a version"),
        ("flags=lib.so", "'lib.so' is neither a flag"),
        ('flags="\'"', "No closing quotation"),
        ("script=/bin/rm", "unknown key 'script'"),
    ],
)
def test_directive_that_cannot_be_read(line: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_header(f"// a\n// reduce: {line}\n")
    assert str(caught.value).startswith(f"line 2: reduce: {message}")


@pytest.mark.parametrize(
    "line",
    [
        "// RUN: iree-compile %s --iree-hal-dump-executable-files-to=x",
        "// RUN: iree-compile %s --iree-opt-level=O1 --iree-hal-dump-executable-files-to x",
        "// reduce: flags=--iree-hal-dump-executable-files-to=x",
        "// reduce: flag=-iree-hal-dump-executable-files-to=x",
    ],
)
def test_refused_flags_are_named_unless_the_files_flags_are_not_wanted(line: str) -> None:
    with pytest.raises(FlagError, match="asks for --iree-hal-dump-executable-files-to, which could write"):
        parse_header(line)
    parse_header(line, take_flags=False)


@pytest.mark.parametrize(
    ("written", "inputs"),
    [
        ('"2xf32=1 2; f32=-3"', ("2xf32=1 2", "f32=-3")),
        ("2xf32=1,2;zeros", ("2xf32=1,2", "zeros")),
        ("f32=1;", ("f32=1",)),
        ('""', ()),
    ],
)
def test_inputs_have_semicolons_between_them(written: str, inputs: tuple[str, ...]) -> None:
    assert parse_header(f"// reduce: inputs={written}\n").directives == (Directive(inputs=inputs),)


@pytest.mark.parametrize("written", ["1e-5", "0.00001", ".00001", "1.E-5", "1e-05"])
def test_tolerance(written: str) -> None:
    assert parse_header(f"// reduce: rtol={written} atol=0\n").directives == (Directive(rtol=1e-5, atol=0.0),)


def test_what_a_run_is_asked_belongs_to_its_oracle() -> None:
    run = Directive(oracle="wrong-result", inputs=("f32=1",), reference="vmvx", rtol=0.1, atol=0.2, iree="3.13.0")
    header = Header(None, (run,))
    assert header.for_oracle("wrong-result") == run
    assert header.for_oracle("crash") == Directive(oracle="crash", iree="3.13.0")


def test_the_line_of_the_oracle_counts() -> None:
    crash = Directive(oracle="crash", iree="3.3.0", target="vmvx", flags=("--iree-a",), match="x", expect=2, timeout=1)
    hang = Directive(oracle="hang", iree="3.4.0")
    header = Header(None, (crash, hang))
    assert header.for_oracle(None) == crash
    assert header.for_oracle("hang") == hang
    assert header.for_oracle("diagnostic") == Directive(
        oracle="diagnostic", iree="3.3.0", target="vmvx", flags=("--iree-a",)
    )
    any_oracle = Directive(match="y")
    assert Header(None, (crash, any_oracle)).for_oracle("diagnostic") == Directive(oracle="diagnostic", match="y")
    assert Header().for_oracle("crash") is None


def test_without_header_keeps_everything_else() -> None:
    text = "// RUN: iree-compile %s \\\n//  --iree-a\n// A note.\n// reduce: oracle=crash\n\nmodule {\n  // RUN: x\n}\n"
    assert without_header(text) == "// A note.\n\nmodule {\n  // RUN: x\n}\n"


def test_a_program_is_the_same_whatever_stands_above_it() -> None:
    program = "func.func @f() {\n  return // done\n}\n"
    assert program_digest(f"// reduce: oracle=crash\n// It dies.\n\n{program}\n") == program_digest(program)
    assert program_digest(program.replace("done", "ended")) != program_digest(program)
