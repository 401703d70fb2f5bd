"""What IREE prints between passes, in the words of an old and of a new release."""

from __future__ import annotations

import pytest

from reducer.bisecting.dumps import Dump, Region, pads, pipeline, read_dumps, regions

MODULE = """\
#map = affine_map<(d0) -> (d0)>
module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  hal.executable private @main_dispatch_0 {
    hal.executable.variant public @embedded target(#x) {
      builtin.module {
        func.func @main_dispatch_0() {
          return
        }
      }
    }
  }
}
"""
NEW = f"""\
seed.mlir:3:1: warning: this is not IR
// -----// IR Dump Before ConcretizePass: iree-concretize ('func.func' operation: @main_dispatch_0) //----- //
{MODULE}
// -----// IR Dump After ConcretizePass Failed: iree-concretize ('func.func' operation: @main_dispatch_0) //----- //
{MODULE}
seed.mlir:6:13: error: failed to run translation
// -----// IR Dump After mlir::detail::AdaptorPass Failed: adaptor ('builtin.module' operation) //----- //
{MODULE}
// -----// IR Dump After CanonicalizerPass: canonicalize{{cse=false    max-iterations=10}} //----- //
module {{
}}

{{-#
  dialect_resources: {{
  }}
#-}}
Please report this.
// -----// IR Dump After TranslatePass Failed: translate{{target=llvm-cpu registry=unknown}} //----- //
module {{
}}
"""
OLD = f"""\
// -----// IR Dump After IPOPass (iree-util-ipo) ('builtin.module' operation) //----- //
{MODULE}
// -----// IR Dump After SerializePass Failed (serialize) ('hal.executable' operation: @main_dispatch_0) //----- //
{MODULE}
"""


def test_the_dumps_of_a_new_release() -> None:
    dumps = read_dumps(NEW)
    assert [(d.before, d.failed, d.name, d.argument, d.op, d.symbol) for d in dumps] == [
        (True, False, "ConcretizePass", "iree-concretize", "func.func", "main_dispatch_0"),
        (False, True, "ConcretizePass", "iree-concretize", "func.func", "main_dispatch_0"),
        (False, True, "AdaptorPass", "adaptor", "builtin.module", ""),
        (False, False, "CanonicalizerPass", "canonicalize{cse=false max-iterations=10}", "", ""),
        (False, True, "TranslatePass", "translate", "", ""),
    ]
    assert [d.ir for d in dumps[:3]] == [MODULE] * 3
    assert dumps[3].ir == "module {\n}\n\n{-#\n  dialect_resources: {\n  }\n#-}\n"


def test_the_dumps_of_an_old_release() -> None:
    assert read_dumps(OLD) == (
        Dump(False, False, "IPOPass", "iree-util-ipo", "builtin.module", "", MODULE),
        Dump(False, True, "SerializePass", "serialize", "hal.executable", "main_dispatch_0", MODULE),
    )


def test_no_dumps() -> None:
    assert read_dumps("seed.mlir:1:1: error: no\n") == ()


@pytest.mark.parametrize(
    ("op", "symbol", "expected"),
    [
        ("func.func", "main_dispatch_0",
         "builtin.module(hal.executable(hal.executable.variant(builtin.module(func.func(p)))))"),
        ("hal.executable", "main_dispatch_0", "builtin.module(hal.executable(p))"),
        ("builtin.module", "", "builtin.module(p)"),
        ("", "", "builtin.module(p)"),
        ("func.func", "elsewhere", None),
    ],
)  # fmt: skip
def test_a_pipeline_nests_as_the_ir_does(op: str, symbol: str, expected: str | None) -> None:
    assert pipeline(Dump(True, False, "P", "p", op, symbol, MODULE)) == expected


def test_the_pipeline_of_a_function_without_a_module() -> None:
    ir = "util.func public @main() {\n  util.return\n}\n"
    assert pipeline(Dump(True, False, "P", "p", "util.func", "main", ir)) == "builtin.module(util.func(p))"


FORMING = """\
util.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  %0 = flow.dispatch.region -> (tensor<6xf32>) {
    %padded = tensor.pad %arg0 low[1] high[1] {
    ^bb0(%i: index):
      tensor.yield %cst : f32
    } : tensor<4xf32> to tensor<6xf32>
    flow.return %padded : tensor<6xf32>
  }
  %1 = flow.dispatch.region -> (tensor<4xf32>) {
    %2 = linalg.conv_1d ins(%0, %k : tensor<6xf32>, tensor<3xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    flow.return %2 : tensor<4xf32>
  }
  util.return %1 : tensor<4xf32>
}
"""


def test_regions_say_what_is_in_which_dispatch() -> None:
    assert regions(FORMING) == (Region(pads=True, convolves=False), Region(pads=False, convolves=True))
    assert pads(FORMING)
    assert not pads(FORMING.replace("tensor.pad", "tensor.cast"))
    assert regions(FORMING.replace("flow.dispatch.region", "scf.execute_region")) == ()
