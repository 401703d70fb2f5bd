from __future__ import annotations

import pytest

from oracles.experiment import Diagnostic, Observation, Status
from oracles.signature import COMPILATION, CRASH, SERIALIZATION, TRANSLATION, Level, faults, normalise, short_frame
from tests.oracles import canned


@pytest.mark.parametrize(
    "same",
    [
        (
            "function 'a_dispatch_0_conv_16x128x3_f32' uses 540800 bytes of shared memory; over the limit of 1 b",
            "function 'main_dispatch_12_x' uses 864691128455 bytes of shared memory; over the limit of 65536 b",
        ),
        ("'tensor.pad' op faild to tile operation", "'tensor.pad' op failed to tile operation"),
        (
            "failed to legalize operation 'torch.prim.ListConstruct'",
            "failed to legalize operation 'torch.prim.ListConstruct': %48 = \"torch.prim.ListConstruct\"(%27)",
        ),
        (
            "unresolved materialization from ('memref<?xf32, strided<[1], offset: ?>>') to ('vector<1xf32>')",
            "unresolved materialization from ('memref<4x?xf16>') to ('memref<1x2x?xf16, #hal.d<storage>>')",
        ),
        (
            "'memref.collapse_shape' op expected collapsed type to be 'memref<1x?xf32, #gpu.address_space<workgroup>>'",
            "'memref.collapse_shape' op expected collapsed type to be 'memref<7x?xbf16>'",
        ),
        ("op expects @main to take %arg0 of 3 x", "op expects @f_dispatch_1 to take %0#1 of 44 x"),
    ],
)
def test_survives(same: tuple[str, str]) -> None:
    assert normalise(same[0]) == normalise(same[1])


def test_keeps_apart() -> None:
    said = [
        "LLVM Translation failed for operation: builtin.unrealized_conversion_cast",
        "LLVM Translation failed for operation: memref.load",
        "missing `LLVMTranslationDialectInterface` registration for dialect for op: x.y",
        "failed to legalize operation 'memref.load'",
        "failed to legalize operation 'memref.load' that was explicitly marked illegal",
        "failed to legalize operation 'memref.store'",
        "'memref.alloca' op expected no unbounded stack allocations",
        "'memref.alloca' op all stack allocations need to be hoisted to the entry block of the function",
        "failed to legalize unresolved materialization from ('i32') to ('i64') that remained live",
        "failed to legalize unresolved target materialization from ('i32') to ('i64') that remained live",
    ]
    assert len({normalise(words) for words in said}) == len(said)


@pytest.mark.parametrize(
    ("name", "kind", "signatures"),
    [
        ("pad_conv.2.9.0.llvm-cpu.producer", TRANSLATION, ["silent failure of ConcretizePadResultShapePass"]),
        ("pad_conv.3.13.0.llvm-cpu.producer", TRANSLATION, ["silent failure of ConcretizePadResultShapePass"]),
        (
            "pad_conv.3.3.0.cuda.producer",
            SERIALIZATION,
            ["LLVM Translation failed for operation: builtin.unrealized_conversion_cast"],
        ),
        ("pad_conv.3.3.0.vulkan.both", TRANSLATION, ["failed to legalize operation 'arith.constant'"]),
        (
            "p5026.3.13.0.llvm-cpu.consumer",
            TRANSLATION,
            [
                "'tensor.pad' op failed to tile operation",
                "'tensor.pad' op failed to generate tiling loops",
                "'func.func' op tile and fuse greedily failed",
            ],
        ),
        (
            "013-onnx-wrap-pad.3.13.0.llvm-cpu.none",
            COMPILATION,
            ["failed to legalize operation 'torch.prim.ListConstruct'"],
        ),
        ("p8064.3.3.0.llvm-cpu.consumer", COMPILATION, ["failed to legalize operation 'hal.interface.constant.load'"]),
    ],
)
def test_faults(name: str, kind: str, signatures: list[str]) -> None:
    found = faults(canned.failed(name), "message")
    assert [fault.signature for fault in found] == signatures
    assert {fault.kind for fault in found} == {kind}


def test_each_failing_executable_has_its_own_fault() -> None:
    """p5081: the first executable fails silently, the second with words; neither takes the other's pass."""
    found = faults(canned.failed("p5081.3.6.0.llvm-cpu.pad_handling"), "message")
    assert [(f.signature, f.failing_pass) for f in found[:2]] == [
        ("silent failure of ConcretizePadResultShapePass", "ConcretizePadResultShapePass"),
        ("'tensor.pad' op failed to tile operation", "TileAndDistributeToWorkgroupsUsingForallOpPass"),
    ]
    assert [(p.line, p.column) for f in found[:2] for p in f.locations] == [(11, 11), (19, 11)]


def test_message_with_its_executables_place() -> None:
    """The error itself has no place; that of its executable stands in."""
    (fault,) = faults(canned.failed("pad_conv.3.3.0.vulkan.both"), "message")
    assert [(p.line, p.column) for p in fault.locations] == [(15, 8)]


@pytest.mark.parametrize(
    ("level", "signature"),
    [
        (
            "exact",
            "'func.func' op uses N bytes of shared memory; exceeded the limit of N bytes [GPUCheckResourceUsagePass]",
        ),
        ("message", "'func.func' op uses N bytes of shared memory; exceeded the limit of N bytes"),
        ("class", "an executable fails to translate"),
    ],
)
def test_levels(level: Level, signature: str) -> None:
    assert faults(canned.failed("pad_conv.2.9.0.cuda.both"), level)[0].signature == signature


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        (
            "column_pad_conv.3.13.0.llvm-cpu.symbols",
            "crash: signal 11 in ub::UBDialect::parseAttribute < detail::constant_op_binder::match < Operation::fold",
        ),
        (
            "column_pad_conv.3.13.0.llvm-cpu.plain2",
            "crash: signal 11 in libIREECompiler.so+0x53fba21 < libIREECompiler.so+0xf6d4d"
            " < libIREECompiler.so+0xefac1",
        ),
        ("p8119.3.13.0.llvm-cpu.symbols", "crash: signal 11"),
        ("p8119.3.13.0.llvm-cpu.plain", "crash: signal 11"),
        (
            "pad_conv.3.4.0.rocm.producer",
            "crash: signal 11 in SplitPtrStructs::visitICmpInst < AMDGPULowerBufferFatPointers::run"
            " < HAL::translateModuleToObj",
        ),
    ],
)
def test_crashes(name: str, signature: str) -> None:
    (fault,) = faults(canned.crashed(name), "message")
    assert (fault.kind, fault.signature) == (CRASH, signature)


def test_crash_levels() -> None:
    seen = canned.crashed("column_pad_conv.3.13.0.llvm-cpu.symbols")
    assert faults(seen, "class")[0].signature == "crash: signal 11"
    assert faults(seen, "exact")[0].signature.count(" < ") == 7
    assert faults(seen, "message")[0].failing_pass == "EliminateEmptyTensorsPass"


def test_fatal_error_speaks_for_the_crash() -> None:
    seen = Observation(
        Status.CRASHED,
        signal=6,
        diagnostics=(Diagnostic("error", "LLVM ERROR: Cannot select: t5: i32 = foo"),),
        frames=("llvm::report_fatal_error(x)", "llvm::Foo::bar()"),
    )
    assert faults(seen, "message")[0].signature == "crash: LLVM ERROR: Cannot select: t5: TYPE = foo"


@pytest.mark.parametrize("status", [Status.OK, Status.TIMED_OUT, Status.OUT_OF_MEMORY])
def test_no_fault(status: Status) -> None:
    assert faults(Observation(status), "message") == ()


@pytest.mark.parametrize(
    ("frame", "short"),
    [
        ("mlir::Operation::fold(llvm::SmallVectorImpl<mlir::OpFoldResult>&)", "Operation::fold"),
        (
            "void mlir::OpBuilder::createOrFold<mlir::tensor::DimOp, mlir::Value&>(mlir::Location)",
            "OpBuilder::createOrFold",
        ),
        ("mlir::iree_compiler::(anonymous namespace)::FooPass::runOnOperation()", "FooPass::runOnOperation"),
        ("mlir::iree_compiler::runIreecMain(int, char**)::$_2::operator()(x*) const", "runIreecMain::$_2::operator"),
        ("libIREECompiler.so+0x12", "libIREECompiler.so+0x12"),
        ("ireeCompilerInvocationPipeline", "ireeCompilerInvocationPipeline"),
    ],
)
def test_short_frame(frame: str, short: str) -> None:
    assert short_frame(frame) == short
