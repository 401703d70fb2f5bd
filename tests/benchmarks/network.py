"""Generated networks: one fault in the middle of much that is fine.

A block is what convolutional networks are made of: pad, convolution, bias, relu and a residual add, its weights as
constants. The block in the middle has, besides, a 1-D convolution on a padded row, which the consumer flag breaks on
llvm-cpu from 3.7.0 on (seeds/silent_consumer_flag.mlir); 2-D convolutions like those of the blocks compile under the
same flag.
"""

from __future__ import annotations

CHANNELS, SIDE = 4, 12
IMAGE = f"tensor<1x{CHANNELS}x{SIDE}x{SIDE}xf32>"
PADDED = f"tensor<1x{CHANNELS}x{SIDE + 2}x{SIDE + 2}xf32>"
WEIGHT = f"tensor<{CHANNELS}x{CHANNELS}x3x3xf32>"
BIAS = f"tensor<{CHANNELS}xf32>"
ROW = SIDE * SIDE * CHANNELS

IDENTITY = "affine_map<(n, c, h, w) -> (n, c, h, w)>"
CHANNEL = "affine_map<(n, c, h, w) -> (c)>"
PARALLEL = '["parallel", "parallel", "parallel", "parallel"]'

OPS_PER_BLOCK = 16  # as printed, region bodies and terminators included
OPS_AROUND = 11


def network(ops: int, *, faulty: bool = True) -> str:
    """A program of about `ops` printed operations (within one block of it), the fault in the middle block."""
    blocks = max(1, round((ops - OPS_AROUND) / OPS_PER_BLOCK))
    lines = [f"func.func @network(%x0: {IMAGE}) -> {IMAGE} {{", "  %zero = arith.constant 0.0 : f32"]
    value = "%x0"
    for i in range(blocks):
        lines += _block(i, value)
        value = f"%y{i}"
        if faulty and i == blocks // 2:
            lines += _fault(value)
            value = "%mended"
    return "\n".join([*lines, f"  return {value} : {IMAGE}", "}", ""])


def _block(i: int, x: str) -> list[str]:
    return f"""\
  %w{i} = arith.constant dense<0.0{i + 1}> : {WEIGHT}
  %b{i} = arith.constant dense<0.1{i + 1}> : {BIAS}
  %p{i} = tensor.pad {x} low[0, 0, 1, 1] high[0, 0, 1, 1] {{
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  }} : {IMAGE} to {PADDED}
  %e{i} = tensor.empty() : {IMAGE}
  %f{i} = linalg.fill ins(%zero : f32) outs(%e{i} : {IMAGE}) -> {IMAGE}
  %c{i} = linalg.conv_2d_nchw_fchw ins(%p{i}, %w{i} : {PADDED}, {WEIGHT}) outs(%f{i} : {IMAGE}) -> {IMAGE}
  %s{i} = linalg.generic {{indexing_maps = [{IDENTITY}, {CHANNEL}, {IDENTITY}], iterator_types = {PARALLEL}}}
      ins(%c{i}, %b{i} : {IMAGE}, {BIAS}) outs(%e{i} : {IMAGE}) {{
  ^bb0(%u: f32, %v: f32, %o: f32):
    %t = arith.addf %u, %v : f32
    linalg.yield %t : f32
  }} -> {IMAGE}
  %r{i} = linalg.generic {{indexing_maps = [{IDENTITY}, {IDENTITY}], iterator_types = {PARALLEL}}}
      ins(%s{i} : {IMAGE}) outs(%e{i} : {IMAGE}) {{
  ^bb0(%u: f32, %o: f32):
    %t = arith.maximumf %u, %zero : f32
    linalg.yield %t : f32
  }} -> {IMAGE}
  %y{i} = linalg.generic {{indexing_maps = [{IDENTITY}, {IDENTITY}, {IDENTITY}], iterator_types = {PARALLEL}}}
      ins(%r{i}, {x} : {IMAGE}, {IMAGE}) outs(%e{i} : {IMAGE}) {{
  ^bb0(%u: f32, %v: f32, %o: f32):
    %t = arith.addf %u, %v : f32
    linalg.yield %t : f32
  }} -> {IMAGE}""".splitlines()


def _fault(x: str) -> list[str]:
    row, padded = f"tensor<{ROW}xf32>", f"tensor<{ROW + 2}xf32>"
    return f"""\
  %row = tensor.collapse_shape {x} [[0, 1, 2, 3]] : {IMAGE} into {row}
  %taps = arith.constant dense<[0.25, 0.5, 0.25]> : tensor<3xf32>
  %prow = tensor.pad %row low[2] high[0] {{
  ^bb0(%a: index):
    tensor.yield %zero : f32
  }} : {row} to {padded}
  %erow = tensor.empty() : {row}
  %frow = linalg.fill ins(%zero : f32) outs(%erow : {row}) -> {row}
  %smooth = linalg.conv_1d ins(%prow, %taps : {padded}, tensor<3xf32>) outs(%frow : {row}) -> {row}
  %mended = tensor.expand_shape %smooth [[0, 1, 2, 3]] output_shape [1, {CHANNELS}, {SIDE}, {SIDE}] : {row} into
  {IMAGE}""".splitlines()
