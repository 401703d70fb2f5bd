from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from reducer.errors import FlagError
from reducer.toolchain.flags import split_flag
from reducer.toolchain.oneshot import run_limited
from reducer.toolchain.releases import KNOWN_RELEASES, Toolchain
from reducer.toolchain.targets import TARGETS, target_flags
from reducer.toolchain.untrusted import reason_to_refuse, refuse_flags

PIPELINE = "--iree-preprocessing-pass-pipeline"

ALLOWED = [
    "--iree-opt-level=O3",
    "-iree-opt-level=O3",
    "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops",
    "--iree-input-type=stablehlo",
    "--iree-llvmcpu-target-cpu-features=+avx2,-sse4.2",
    "--iree-llvmcpu-target-triple=x86_64-linux-gnu",
    "--iree-global-opt-enable-qdq-to-integer-math",
    "--iree-llvmgpu-use-direct-load",
    "--iree-hal-target-device=local[0]",
    "--iree-llvmcpu-link-embedded=true",
    "--mlir-print-ir-after-all",
    "--mlir-disable-threading",
    "--compile-to=flow",
    "--iree-codegen-enable-default-tuning-specs=false",
    f"{PIPELINE}=builtin.module(util.func(iree-preprocessing-pad-linalg-ops{{pad-size=16}}))",
]

REFUSED = [
    "--dump-compilation-phases-to=x",
    "--iree-codegen-dump-tuning-specs-to=x",
    "--iree-codegen-transform-dialect-library=lib.mlir",
    "--iree-codegen-tuning-spec-path=x",
    "--iree-cuda-use-ptxas",
    "--iree-cuda-use-ptxas-from=x",
    "--iree-dispatch-creation-dispatch-use-transform-dialect=x",
    "--iree-flow-dump-dispatch-graph",
    "--iree-hal-dump-executable-files-to=x",
    "--iree-hal-executable-object-search-path=x",
    "--iree-hal-preprocess-executables-with=x",
    "--iree-hal-substitute-executable-source=a=b",
    "--iree-hip-bc-dir=x",
    "--iree-link-bitcode=x.bc",
    "--iree-llvmcpu-embedded-linker-path=x",
    "--iree-llvmcpu-keep-linker-artifacts",
    "--iree-llvmcpu-link-embedded=false",
    "--iree-llvmcpu-link-embedded=0",
    "--iree-llvmcpu-link-static",
    "--iree-llvmcpu-static-library-output-path=x",
    "--iree-llvmcpu-system-linker-path=x",
    "--iree-load-plugin=x.so",
    "--iree-metal-compile-to-metallib",
    "--iree-opt-export-parameters=x",
    "--iree-opt-import-parameters=x",
    "--iree-opt-splat-parameters=x",
    "--iree-parameter-import=x",
    "--iree-plugin=x",
    "--iree-preprocessing-pdl-spec-filename=x",
    "--iree-preprocessing-transform-spec-filename=x",
    "--iree-scheduling-dump-statistics-file=x",
    "--iree-util-hoist-into-globals-print-constexpr-dotgraph-to=x",
    "--iree-vm-bytecode-source-listing=x",
    "--mlir-pass-pipeline-crash-reproducer=x",
    "--mlir-print-ir-tree-dir=x",
    "-mlir-print-ir-tree-dir=x",
    "-o=x",
    "-o",
    "--load=x",
    "--load-pass-plugin=x",
    "--info-output-file=x",
    "--stats-file=x",
    "--time-trace",
    "--save-temps",
    "--exec-on-ir-change=x",
    "--log-actions-to=x",
    "--view-cfg",
    "--debug-only=x",
    "@responses",
    "model.mlir",
    "--iree-opt-level=../x",
    "--iree-input-type=/etc/passwd",
    "--iree-input-type=~root",
    "--iree-input-type=a;b",
    f"{PIPELINE}=builtin.module(iree-flow-dump-dispatch-graph-pass)",
    f"{PIPELINE}=builtin.module(snapshot-op-locations{{filename=x}})",
    f"{PIPELINE}=builtin.module(iree-preprocessing-apply-pdl-patterns{{patterns-file=x}})",
    f"{PIPELINE}=builtin.module(iree-hal-preprocess-executables-with-tool{{command=x}})",
    f"{PIPELINE}=builtin.module(transform-preload-library{{transform-library-paths=x}})",
]


@pytest.mark.parametrize("flag", ALLOWED)
def test_allowed(flag: str) -> None:
    assert reason_to_refuse(flag) == ""
    refuse_flags((flag,), "the file")


@pytest.mark.parametrize("flag", REFUSED)
def test_refused(flag: str) -> None:
    assert reason_to_refuse(flag) != ""
    with pytest.raises(FlagError, match=f"the file asks for {re.escape(split_flag(flag)[0])}, which "):
        refuse_flags((flag,), "the file")


@pytest.mark.parametrize("release", KNOWN_RELEASES)
def test_the_flags_of_every_target_are_allowed(release: str) -> None:
    flags = [flag for target in TARGETS for name in target.examples for flag in target_flags(name, release)]
    assert [flag for flag in flags if reason_to_refuse(flag)] == []


# Help texts that speak of paths, commands and files, and are harmless: paths through the compiler, command buffers.
REVIEWED = {
    "--iree-codegen-llvmgpu-igemm-pad-convolution",
    "--iree-dispatch-creation-data-tiling",
    "--iree-dispatch-creation-experimental-data-tiling",
    "--iree-dispatch-creation-hoist-encodings-for-constexpr",
    "--iree-dispatch-creation-pad-factor",
    "--iree-global-opt-data-tiling",
    "--iree-hal-benchmark-dispatch-repeat-count",
    "--iree-hal-force-indirect-command-buffers",
    "--iree-hal-indirect-command-buffers",
    "--iree-hal-memoization",
    "--iree-llvmcpu-debug-patch-func-ops",
    "--iree-llvmcpu-enable-llvm-ukernels",
    "--iree-llvmgpu-debug-patch-func-ops",
    "--iree-llvmgpu-prefetch-num-stages",
    "--iree-opt-data-tiling",
    "--iree-vm-emit-polyglot-zip",
}
_SPEAKS_OF_FILES = re.compile(
    r"\bfiles?\b|filename|\bpaths?\b|director(y|ies)\b|\bplugins?\b|\bcommand\b|\btool\b", re.I
)


@pytest.mark.parametrize("release", ["3.3.0", "3.13.0"])
def test_no_option_that_speaks_of_files_or_programs_is_allowed(
    toolchain: Callable[[str], Toolchain], release: str
) -> None:
    compiler = str(toolchain(release).iree_compile)
    ended = run_limited((compiler, "--help-hidden"), timeout_s=60, memory_bytes=None)
    options = re.findall(r"^ *(--?[A-Za-z][\w.-]*)(?:[= ]<[^>]*>)? +- (.*)$", ended.output, re.M)
    assert len(options) > 1000
    suspects = {name for name, text in options if _SPEAKS_OF_FILES.search(text) and not reason_to_refuse(name)}
    assert suspects <= REVIEWED, sorted(suspects - REVIEWED)
