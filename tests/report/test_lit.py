from __future__ import annotations

from dataclasses import replace

import pytest

from oracles.experiment import FunctionRun
from reducer.errors import FlagError
from reducer.header import Directive, parse_header
from reducer.report.lit import write_repro
from reducer.report.repro import Repro

PROGRAM = "util.func public @f() {\n  util.return\n}\n"
REPRO = Repro(
    program=PROGRAM,
    file_name="f.reduced.mlir",
    release="3.3.0",
    flags=("--iree-hal-target-backends=cuda", "--iree-cuda-target=sm_80", "--iree-opt-level=O1"),
    phase="end",
    directive=Directive(
        oracle="translation-error",
        iree="3.3.0",
        target="cuda:sm_80",
        match='"x" said \\w+',
        flags=("--iree-opt-level=O1",),
    ),
    seen="LLVM Translation failed\n for operation",
)


def test_says_what_was_seen_then_how_to_see_it_again_then_the_program() -> None:
    assert write_repro(REPRO) == (
        "// IREE 3.3.0: LLVM Translation failed for operation\n"
        "// RUN: iree-compile %s --iree-hal-target-backends=cuda --iree-cuda-target=sm_80 --iree-opt-level=O1 "
        "-o /dev/null\n"
        "// reduce: oracle=translation-error iree=3.3.0 target=cuda:sm_80 "
        'match="\\"x\\" said \\\\w+" flags=--iree-opt-level=O1\n'
        "\n" + PROGRAM
    )


def test_what_a_script_judges_has_no_line_that_compiles_it() -> None:
    directive = Directive(oracle="script", iree="3.3.0", target="cuda:sm_80", flags=())
    text = write_repro(replace(REPRO, directive=directive, seen="script: the script exits with 0"))
    assert text == (
        "// IREE 3.3.0: script: the script exits with 0\n"
        "// Judged by a script of the user's: give `reduce check` the same --script (and --exit-interesting).\n"
        "// reduce: oracle=script iree=3.3.0 target=cuda:sm_80 flags=\"\"\n"
        "\n" + PROGRAM
    )


def test_reads_back_what_was_written() -> None:
    header = parse_header(write_repro(REPRO))
    assert header.run_flags == REPRO.flags
    assert header.for_oracle("translation-error") == REPRO.directive


def test_flow_phase_is_in_the_run_line_and_not_in_the_flags() -> None:
    text = write_repro(replace(REPRO, phase="flow"))
    assert "--compile-to=flow -o -\n" in text
    assert parse_header(text).run_flags == REPRO.flags


RUN = FunctionRun(
    "main", "defined", inputs=("2xf32=1 -2", "f32=3"), expected=("2xf32=4 1", ""), got=("2xf32=4 2", "f32=1")
)


def test_the_run_line_of_a_run_compiles_to_a_file_and_runs_that() -> None:
    directive = Directive(
        oracle="wrong-result", iree="3.13.0", target="vmvx", inputs=RUN.inputs, rtol=1e-5, atol=0.0, flags=()
    )
    flags = ("--iree-hal-target-backends=vmvx",)
    repro = Repro(PROGRAM, "f.reduced.mlir", "3.13.0", flags, "end", directive, "wrong-result: no", RUN)
    text = write_repro(repro)
    assert text == (
        "// IREE 3.13.0: wrong-result: no\n"
        "// RUN: iree-compile %s --iree-hal-target-backends=vmvx -o %t.vmfb && "
        "iree-run-module --module=%t.vmfb --device=local-sync --function=main '--input=2xf32=1 -2' --input=f32=3 "
        "'--expected_output=2xf32=4 1' '--expected_output=(ignored)'\n"
        '// reduce: oracle=wrong-result iree=3.13.0 target=vmvx inputs="2xf32=1 -2; f32=3" rtol=1e-05 atol=0 flags=""\n'
        "\n" + PROGRAM
    )
    header = parse_header(text)
    assert header.run_flags == flags
    assert header.for_oracle("wrong-result") == directive


def test_the_run_line_of_a_run_doubles_percent_signs() -> None:
    text = write_repro(replace(REPRO, run=replace(RUN, function="a%b", inputs=(), expected=())))
    assert " --function=a%%b\n" in text
    assert parse_header(text).run_flags == REPRO.flags


def test_old_directives_give_way_and_other_comments_stay() -> None:
    program = f"// RUN: iree-compile %s \\\n// RUN:   --iree-x\n// reduce: oracle=crash\n// A note.\n{PROGRAM}"
    text = write_repro(replace(REPRO, program=program))
    assert text.count("RUN:") == 1
    assert text.count("reduce:") == 1
    assert text.endswith("\n// A note.\n" + PROGRAM)


def test_no_flags_of_the_users_own_read_back_as_none_needed() -> None:
    repro = replace(REPRO, directive=replace(REPRO.directive, flags=()))
    directive = parse_header(write_repro(repro)).for_oracle("translation-error")
    assert directive is not None
    assert directive.flags == ()


def test_flags_that_a_file_may_not_ask_for_are_left_to_the_reader() -> None:
    library = "--iree-codegen-transform-dialect-library=library.mlir"
    text = write_repro(replace(REPRO, flags=(*REPRO.flags, library)))
    assert "// A file may not ask for --iree-codegen-transform-dialect-library" in text
    assert library in text
    with pytest.raises(FlagError, match="--iree-codegen-transform-dialect-library"):
        parse_header(text)
    assert parse_header(text, take_flags=False).directives[0].oracle == "translation-error"
