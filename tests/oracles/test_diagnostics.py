from __future__ import annotations

import time

import pytest

from oracles.diagnostics import parse_stderr
from oracles.experiment import Diagnostic, Location
from tests.oracles import canned

TRANSLATION = ("TranslateTargetExecutableVariantsPass", "TranslateAllExecutablesPass")
ADAPTED = ("LLVMCPULowerExecutableTargetPass", "OpPipelineAdaptorPass", *TRANSLATION)


@pytest.mark.parametrize(
    ("name", "passes"),
    [
        (
            "pad_conv.2.9.0.llvm-cpu.producer",
            (
                "ConcretizePadResultShapePass",
                "LLVMCPULowerExecutableTargetPass",
                "TranslateTargetExecutableVariantsPass",
                "TranslateExecutablesPass",
            ),
        ),
        ("pad_conv.3.13.0.llvm-cpu.producer", ("ConcretizePadResultShapePass", *ADAPTED)),
        ("pad_conv.3.3.0.cuda.producer", ("SerializeTargetExecutablesPass", "SerializeAllExecutablesPass")),
        ("strided_unit_conv.3.13.0.llvm-cpu.none", ("FoldUnitExtentDimsPass",)),
        (
            "p5081.3.6.0.llvm-cpu.pad_handling",
            (
                "ConcretizePadResultShapePass",
                "LLVMCPULowerExecutableTargetPass",
                *TRANSLATION,
                "TileAndDistributeToWorkgroupsUsingForallOpPass",
                "LLVMCPULowerExecutableTargetPass",
                *TRANSLATION,
            ),
        ),
    ],
)
def test_failing_passes(name: str, passes: tuple[str, ...]) -> None:
    assert canned.parsed(name).failing_passes == passes


def test_diagnostics_with_and_without_places() -> None:
    said = canned.parsed("pad_conv.3.3.0.cuda.producer")
    first, *others = said.diagnostics
    assert (first.severity, first.message, first.location) == (
        "error",
        "LLVM Translation failed for operation: builtin.unrealized_conversion_cast",
        None,
    )
    assert first.notes[0].startswith('see current operation: %31 = "builtin.unrealized_conversion_cast"(%30)')
    assert [d.message for d in others] == [
        "failed to translate the MLIR LLVM dialect to the native llvm::Module",
        "failed to serialize executable for target backend cuda",
        "failed to serialize executables",
    ]
    assert said.parsed


def test_place_and_caller() -> None:
    (first, *_) = canned.parsed("pad_conv.3.7.0.vulkan.both").diagnostics
    assert first == Diagnostic(
        "error",
        "function 'conv_2d_nchw_fchw_dispatch_0_conv_16x128x128x8x3x3_f32' uses 540800 bytes of shared memory; "
        "exceeded the limit of 65536 bytes",
        Location(15, 8),
        ("called from",),
    )


@pytest.mark.parametrize("release", ["2.9.0", "3.13.0"])
@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("bad1", Location(2, 8)),
        ("bad2", Location(2, 8)),
        ("bad3", Location(2, 3)),
        ("bad4", Location(1, 1)),
        ("bad5", None),
    ],
)
def test_rejected_input(release: str, name: str, place: Location | None) -> None:
    said = canned.parsed(f"{name}.{release}.llvm-cpu.none")
    assert not said.parsed
    assert said.diagnostics[0].location == place


@pytest.mark.parametrize(
    "name",
    [
        "pad_conv.3.13.0.llvm-cpu.producer",
        "p8064.3.3.0.llvm-cpu.consumer",
        "empty.2.9.0.llvm-cpu.none",
        "empty.3.13.0.llvm-cpu.none",
        "column_pad_conv.3.13.0.llvm-cpu.plain1",
        "013-onnx-wrap-pad.2.9.0.llvm-cpu.none",
    ],
)
def test_accepted_input(name: str) -> None:
    assert canned.parsed(name).parsed


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("pad_conv.2.9.0.llvm-cpu.unknown_flag", "Unknown command line argument '--iree-foo=3'."),
        ("pad_conv.3.13.0.llvm-cpu.unknown_flag", "Unknown command line argument '--iree-foo=3'."),
        ("pad_conv.3.13.0.llvm-cpu.bad_value", "for the --iree-opt-level option: 'O9' value not a valid optimization"),
    ],
)
def test_rejected_command_line(name: str, words: str) -> None:
    said = canned.parsed(name)
    assert said.usage.startswith(words)
    assert said.parsed


@pytest.mark.parametrize("name", ["column_pad_conv.3.13.0.llvm-cpu.symbols", "pad_conv.3.4.0.rocm.producer"])
def test_frames_with_symbols(name: str) -> None:
    frames = canned.parsed(name).frames
    assert frames[0] in (
        "mlir::ub::UBDialect::parseAttribute(mlir::DialectAsmParser&, mlir::Type) const",
        "(anonymous namespace)::SplitPtrStructs::visitICmpInst(llvm::ICmpInst&)",
    )
    assert not any("0x0000" in frame or "/venv/" in frame for frame in frames)


def test_frames_without_symbols_do_not_move() -> None:
    """Two runs have other addresses; the frames, distances within the compiler's library, are the same."""
    one, two = (canned.stderr(f"column_pad_conv.3.13.0.llvm-cpu.plain{n}") for n in (1, 2))
    assert one != two
    frames = parse_stderr(one, "x.mlir").frames
    assert frames == parse_stderr(two, "x.mlir").frames
    assert frames[:2] == ("libIREECompiler.so+0x53fba21", "libIREECompiler.so+0xf6d4d")


def test_exported_symbols_without_symbolizer() -> None:
    frames = canned.parsed("016-onnx-reshape-empty-sigfpe.2.9.0.llvm-cpu.plain").frames
    assert frames[0] == "libIREECompiler.so+0xe7061b"
    assert "mlir::ConversionPattern::matchAndRewrite(mlir::Operation*, mlir::PatternRewriter&) const" in frames


@pytest.mark.parametrize("kind", ["symbols", "plain"])
def test_a_jump_into_nowhere_has_no_frames(kind: str) -> None:
    assert canned.parsed(f"p8119.3.13.0.llvm-cpu.{kind}").frames == ()


def test_glibc_backtrace() -> None:
    text = (
        "Stack dump without symbol names:\n"
        "/lib/libIREECompiler.so(_ZN4llvm3sys15PrintStackTraceE+0x28)[0x7f0000000028]\n"
        "/lib/libc.so.6(+0x3c050)[0x7f0000003c05]\n"
        "/lib/libIREECompiler.so(+0x1234)[0x7f0000001234]\n"
    )
    assert parse_stderr(text, "x.mlir").frames == ("libIREECompiler.so+0x1234",)


@pytest.mark.parametrize(
    ("text", "severity", "message"),
    [
        ("error: no place at all\n", "error", "no place at all"),
        ("<unknown>:0: error: nowhere\n", "error", "nowhere"),
        ("LLVM ERROR: Cannot select: t5\n", "error", "LLVM ERROR: Cannot select: t5"),
        ("x.mlir:3:4: warning: odd\n  %0 = op\n  ^\n", "warning", "odd"),
        ("x.mlir:3:4: remark: two\nlines\n  %0 = op\n   ^~~\n", "remark", "two\nlines"),
        ("iree-compile: a.cpp:3: f(): Assertion `x > 0' failed.\n", "error", "a.cpp:3: f(): Assertion `x > 0' failed."),
        ("error opening input file: failed to generate bytecode\n", "error", "failed to generate bytecode"),
    ],
)
def test_forms(text: str, severity: str, message: str) -> None:
    (found,) = parse_stderr(text, "x.mlir").diagnostics
    assert (found.severity, found.message) == (severity, message)


def test_places_in_other_files_are_no_places_in_the_program() -> None:
    (found,) = parse_stderr("model.py:12:3: error: from elsewhere\n", "dir/x.mlir").diagnostics
    assert found.location is None


def test_ir_that_looks_like_a_diagnostic() -> None:
    text = '// -----// IR Dump After FooPass Failed: foo //----- //\n  %0 = op {a = "x: error: y"} : i32\n'
    said = parse_stderr(text, "x.mlir")
    assert said.diagnostics == ()
    assert said.failing_passes == ("FooPass",)


def test_empty() -> None:
    said = parse_stderr("", "x.mlir")
    assert (said.diagnostics, said.failing_passes, said.frames, said.parsed, said.usage) == ((), (), (), True, "")


def test_megabytes_of_ir() -> None:
    dump = (
        "  %0 = linalg.generic {indexing_maps = [#map, #map1]} ins(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>\n" * 80_000
    )
    head = "x.mlir:1:2: error: it failed\n// -----// IR Dump After FooPass Failed (foo) //----- //\n"
    started = time.process_time()
    said = parse_stderr((head + dump) * 2, "x.mlir")
    assert time.process_time() - started < 3.0
    assert (len(said.diagnostics), said.failing_passes) == (2, ("FooPass", "FooPass"))
