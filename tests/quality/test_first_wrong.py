"""One wrong value in the middle of a long chain of ops that are right."""

from __future__ import annotations

from tests.quality.conftest import Reduce

CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"


def chain(length: int) -> str:
    """So many element-wise ops, a padded depthwise convolution, so many matrix products and element-wise ops."""
    image, rows = "tensor<2x1x3x1xf32>", "tensor<4x2xf32>"
    lines = [
        f"func.func @main(%x: {image}, %v: f32, %k: tensor<1x2x1xf32>, %m: tensor<2x2xf32>) -> {rows} {{",
        "  %zero = arith.constant 0.0 : f32",
        "  %one = arith.constant 1.0 : f32",
    ]
    value = "%x"
    for i in range(length):
        lines += _elementwise(value, f"p{i}", image, "abcd", "arith.addf" if i % 2 else "arith.subf")
        value = f"%p{i}"
    lines.append(f"""\
  %pad = tensor.pad {value} low[0, 0, 0, 0] high[0, 1, 0, 0] {{
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %v : f32
  }} : {image} to tensor<2x2x3x1xf32>
  %e = tensor.empty() : tensor<2x2x2x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x2x1xf32>) -> tensor<2x2x2x1xf32>
  %conv = linalg.depthwise_conv_2d_nhwc_hwc ins(%pad, %k : tensor<2x2x3x1xf32>, tensor<1x2x1xf32>)
    outs(%f : tensor<2x2x2x1xf32>) -> tensor<2x2x2x1xf32>
  %rows = tensor.collapse_shape %conv [[0, 1], [2, 3]] : tensor<2x2x2x1xf32> into {rows}""")
    value = "%rows"
    for i in range(length):
        lines.append(f"""\
  %me{i} = tensor.empty() : {rows}
  %mf{i} = linalg.fill ins(%zero : f32) outs(%me{i} : {rows}) -> {rows}
  %mm{i} = linalg.matmul ins({value}, %m : {rows}, tensor<2x2xf32>) outs(%mf{i} : {rows}) -> {rows}""")
        lines += _elementwise(f"%mm{i}", f"q{i}", rows, "ab", "arith.minimumf")
        value = f"%q{i}"
    return "\n".join([*lines, f"  return {value} : {rows}", "}", ""])


def _elementwise(value: str, name: str, type_: str, dims: str, op: str) -> list[str]:
    all_dims = ", ".join(dims)
    identity = f"affine_map<({all_dims}) -> ({all_dims})>"
    kinds = ", ".join(['"parallel"'] * len(dims))
    return f"""\
  %e{name} = tensor.empty() : {type_}
  %{name} = linalg.generic {{indexing_maps = [{identity}, {identity}], iterator_types = [{kinds}]}}
      ins({value} : {type_}) outs(%e{name} : {type_}) {{
  ^bb0(%u: f32, %o: f32):
    %r = {op} %u, %one : f32
    linalg.yield %r : f32
  }} -> {type_}""".splitlines()


def test_the_first_wrong_value_is_found_whatever_comes_after_it(reduce: Reduce) -> None:
    result = reduce(
        "wrong-result", chain(20), "3.13.0", flags=(CONSUMER,),
        inputs=("2x1x3x1xf32=1,2,3,4,5,6", "f32=7", "1x2x1xf32=10,1", "2x2xf32=1,0,0,1"),
    )  # fmt: skip
    assert result.before.ops == 230
    assert result.program == """\
func.func @main(%arg0: f32, %arg1: tensor<1x2x1xf32>, %arg2: tensor<2x1x3x1xf32>, %arg3: tensor<2x2x2x1xf32>) -> \
tensor<2x2x2x1xf32> {
  %padded = tensor.pad %arg2 low[0, 0, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%arg4: index, %arg5: index, %arg6: index, %arg7: index):
    tensor.yield %arg0 : f32
  } : tensor<2x1x3x1xf32> to tensor<2x2x3x1xf32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%padded, %arg1 : tensor<2x2x3x1xf32>, tensor<1x2x1xf32>) \
outs(%arg3 : tensor<2x2x2x1xf32>) -> tensor<2x2x2x1xf32>
  return %0 : tensor<2x2x2x1xf32>
}
"""
    assert result.tests <= 100
