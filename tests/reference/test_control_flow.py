"""`scf`, calls, globals, `affine` and IREE's own ops."""

from __future__ import annotations

import numpy as np
import pytest

from reducer.reference import CannotEvaluateError, UndefinedError, Value, entry_functions, evaluate
from tests.reference.running import Array, context, exact, one, run


def test_loops_and_branches_of_tensors() -> None:
    text = """func.func @f(%x: tensor<3xf32>, %n: index) -> tensor<3xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<3xf32> {
        %m = arith.remui %i, %c2 : index
        %odd = arith.cmpi eq, %m, %c1 : index
        %b = scf.if %odd -> tensor<3xf32> {
          %s = arith.addf %a, %a : tensor<3xf32>
          scf.yield %s : tensor<3xf32>
        } else {
          %s = arith.addf %a, %x : tensor<3xf32>
          scf.yield %s : tensor<3xf32>
        }
        scf.yield %b : tensor<3xf32>
      }
      return %r : tensor<3xf32> }"""
    x = np.array([1, 2, 3], np.float32)
    assert exact(text, x, np.int64(0)).tolist() == [1, 2, 3]
    assert exact(text, x, np.int64(3)).tolist() == [5, 10, 15]


WHILE = """func.func @f(%n: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c2 = arith.constant 2 : i32
  %r:2 = scf.while (%a = %n, %k = %c0) : (i32, i32) -> (i32, i32) {
    %go = arith.cmpi ne, %a, %c1 : i32
    scf.condition(%go) %a, %k : i32, i32
  } do {
  ^bb0(%a: i32, %k: i32):
    %bit = arith.andi %a, %c1 : i32
    %odd = arith.cmpi eq, %bit, %c1 : i32
    %b = scf.if %odd -> i32 {
      %t = arith.muli %a, %c3 : i32
      %u = arith.addi %t, %c1 : i32
      scf.yield %u : i32
    } else {
      %t = arith.divui %a, %c2 : i32
      scf.yield %t : i32
    }
    %l = arith.addi %k, %c1 : i32
    scf.yield %b, %l : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}"""


def test_a_while_loop() -> None:
    last, steps = run(WHILE, np.int32(6))
    assert (int(last.data), int(steps.data)) == (1, 8)


def test_loops_in_a_body_run_as_long_as_each_element_wants() -> None:
    text = """func.func @f(%n: tensor<4xindex>, %x: tensor<4xf32>) -> tensor<4xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %g = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
          iterator_types = ["parallel"]} ins(%n : tensor<4xindex>) outs(%x : tensor<4xf32>) {
      ^bb0(%k: index, %o: f32):
        %r = scf.for %i = %c0 to %k step %c1 iter_args(%a = %o) -> f32 {
          %s = arith.addf %a, %a : f32
          scf.yield %s : f32
        }
        linalg.yield %r : f32
      } -> tensor<4xf32>
      return %g : tensor<4xf32> }"""
    assert exact(text, np.array([0, 3, 1, 2]), np.array([1, 1, 5, 7], np.float32)).tolist() == [1, 8, 10, 28]


def test_an_undefined_branch_that_is_not_taken_does_no_harm() -> None:
    text = """func.func @f(%a: tensor<3xi32>, %b: tensor<3xi32>) -> tensor<3xi32> {
      %e = tensor.empty() : tensor<3xi32>
      %g = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>,
          affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
          ins(%a, %b : tensor<3xi32>, tensor<3xi32>) outs(%e : tensor<3xi32>) {
      ^bb0(%x: i32, %y: i32, %o: i32):
        %c0 = arith.constant 0 : i32
        %z = arith.cmpi ne, %y, %c0 : i32
        %r = scf.if %z -> i32 {
          %q = arith.divsi %x, %y : i32
          scf.yield %q : i32
        } else {
          scf.yield %c0 : i32
        }
        linalg.yield %r : i32
      } -> tensor<3xi32>
      return %g : tensor<3xi32> }"""
    assert exact(text, np.array([7, 8, 9], np.int32), np.array([2, 0, -4], np.int32)).tolist() == [3, 0, -2]


INEXACT_IF = """func.func @f(%x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %c = arith.cmpf ogt, %x, %one : f32
  %r = scf.if %c -> f32 {
    %a = arith.addf %x, %one : f32
    scf.yield %a : f32
  } else {
    scf.yield %one : f32
  }
  return %r : f32
}"""


def test_a_branch_that_an_inexact_number_decides_may_go_either_way() -> None:
    sure = one(INEXACT_IF, Value(np.array(3, np.float32), None, np.asarray(0.5)))
    assert float(sure.data) == 4.0
    assert 0.5 <= float(np.asarray(sure.error)) < 0.5001
    open_ = one(INEXACT_IF, Value(np.array(1.25, np.float32), None, np.asarray(0.5)))
    assert float(open_.data) == 2.25
    assert float(np.asarray(open_.error)) >= 1.25


def test_calls_globals_and_initialisers() -> None:
    text = """
    util.global private mutable @count = 5 : i32
    util.global private @late : tensor<2xf32>
    util.initializer {
      %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
      %d = arith.addf %c, %c : tensor<2xf32>
      util.global.store %d, @late : tensor<2xf32>
      util.return
    }
    util.func public @main(%x: i32) -> (i32, tensor<2xf32>) {
      %r = util.call @next(%x) : (i32) -> i32
      %s = util.call @next(%r) : (i32) -> i32
      %l = util.global.load @late : tensor<2xf32>
      %o = util.optimization_barrier %l : tensor<2xf32>
      util.return %s, %o : i32, tensor<2xf32>
    }
    util.func private @next(%x: i32) -> i32 {
      %c = util.global.load @count : i32
      %s = arith.addi %c, %x : i32
      util.global.store %s, @count : i32
      util.return %s : i32
    }"""
    number, tensor = run(text, np.int32(1))
    assert int(number.data) == 12
    assert tensor.data.tolist() == [2, 4]


def test_endless_recursion_is_refused() -> None:
    text = """func.func @f(%x: i32) -> i32 {
      %r = func.call @f(%x) : (i32) -> i32
      return %r : i32 }"""
    with pytest.raises(CannotEvaluateError, match="calls go too deep"):
        one(text, np.int32(1))


def test_affine_arithmetic() -> None:
    text = """func.func @f(%a: index, %b: index) -> (index, index, index) {
      %x = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0 floordiv 3 - (d0 mod 4) + 7 ceildiv 2)>(%a)[%b]
      %y = affine.min affine_map<(d0, d1) -> (d0, d1 - 1, 9)>(%a, %b)
      %z = affine.max affine_map<(d0, d1) -> (d0, d1)>(%a, %b)
      return %x, %y, %z : index, index, index }"""
    values = [int(v.data) for v in run(text, np.int64(5), np.int64(-4))]
    assert values == [10 - 2 - 1 + 4, -5, 5]


def test_what_torch_programs_are_wrapped_in() -> None:
    text = """
    util.func public @main$async(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view {
      %0 = hal.tensor.import wait(%arg1) => %arg0 : !hal.buffer_view -> tensor<2xf32>
      %1 = arith.addf %0, %0 : tensor<2xf32>
      %2 = hal.tensor.barrier join(%1 : tensor<2xf32>) => %arg2 : !hal.fence
      %3 = hal.tensor.export %2 : tensor<2xf32> -> !hal.buffer_view
      util.return %3 : !hal.buffer_view
    }"""
    fence = Value(np.zeros((), np.int8))
    assert exact(text, np.array([1, 2], np.float32), fence, fence).tolist() == [2, 4]
    for wrong in (np.zeros(3, np.float32), np.zeros(2, np.float64)):
        with pytest.raises(UndefinedError, match=r"is no tensor<2xf32>"):
            one(text, wrong, fence, fence)


def test_an_assertion_that_does_not_hold() -> None:
    text = """func.func @f(%x: i1) -> i1 {
      cf.assert %x, "never"
      return %x : i1 }"""
    assert exact(text, np.bool_(True))
    with pytest.raises(UndefinedError, match="never"):
        one(text, np.bool_(False))


def test_entry_functions() -> None:
    from iree.compiler import ir

    text = """
    util.func private @hidden(%x: i32) -> i32 { util.return %x : i32 }
    util.func private @outside(%x: i32) -> i32
    util.func public @first(%x: tensor<?x2xbf16> {iree.abi.name = "image"}, %y: i32) -> (i32, tensor<1xf32>) {
      %c = arith.constant dense<1.0> : tensor<1xf32>
      util.return %y, %c : i32, tensor<1xf32>
    }
    func.func @second() { return }
    func.func private @third() { return }"""
    first, second = entry_functions(ir.Module.parse(text, context()))
    assert (first.name, first.arguments, first.results) == (
        "first", ("tensor<?x2xbf16>", "i32"), ("i32", "tensor<1xf32>"),
    )  # fmt: skip
    assert first.argument_attributes == ({"iree.abi.name": '"image"'}, {})
    assert (second.name, second.arguments, second.results) == ("second", (), ())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([np.zeros(2, np.float32)], "takes 2 arguments, not 1"),
        ([np.zeros(3, np.float32), np.zeros((), np.int32)], r"argument 0 is float32\[3\], not tensor<2xf32>"),
        ([np.zeros(2, np.float64), np.zeros((), np.int32)], r"argument 0 is float64\[2\], not tensor<2xf32>"),
    ],
)
def test_arguments_that_do_not_fit(arguments: list[Array], message: str) -> None:
    text = "func.func @f(%x: tensor<2xf32>, %y: i32) -> tensor<2xf32> { return %x : tensor<2xf32> }"
    with pytest.raises(ValueError, match=message):
        run(text, *arguments)


def test_evaluation_leaves_the_module_as_it_was() -> None:
    from iree.compiler import ir

    text = """func.func @f(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %r = linalg.matmul ins(%x, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%x : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %r : tensor<2x2xf32> }"""
    module = ir.Module.parse(text, context())
    before = str(module)
    with pytest.raises(ValueError, match="no function @g: f"):
        evaluate(module, "g", [])
    evaluate(module, "f", [Value(np.ones((2, 2), np.float32))])
    assert str(module) == before


def test_blocks() -> None:
    text = """func.func @f(%x: i32, %n: i32) -> i32 {
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      cf.br ^loop(%x, %n : i32, i32)
    ^loop(%a: i32, %k: i32):
      %more = arith.cmpi sgt, %k, %c0 : i32
      cf.cond_br %more, ^body, ^done(%a : i32)
    ^body:
      %b = arith.addi %a, %a : i32
      %l = arith.subi %k, %c1 : i32
      cf.br ^loop(%b, %l : i32, i32)
    ^done(%r: i32):
      return %r : i32 }"""
    assert int(exact(text, np.int32(3), np.int32(4))) == 48
    assert int(exact(text, np.int32(3), np.int32(0))) == 3


def test_parallel_iterations_put_their_parts_together() -> None:
    text = """func.func @f(%x: tensor<4xf32>, %z: tensor<4xf32>, %n: index) -> tensor<4xf32> {
      %r = scf.forall (%i) = (0) to (%n) step (2) shared_outs(%o = %z) -> (tensor<4xf32>) {
        %a = tensor.extract_slice %x[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
        %b = tensor.extract_slice %o[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
        %s = arith.addf %a, %b : tensor<2xf32>
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %s into %o[%i] [2] [1] : tensor<2xf32> into tensor<4xf32>
        }
      }
      return %r : tensor<4xf32> }"""
    x, z = np.array([1, 2, 3, 4], np.float32), np.array([10, 20, 30, 40], np.float32)
    assert exact(text, x, z, np.int64(4)).tolist() == [11, 22, 13, 24]
    assert exact(text, x, z, np.int64(2)).tolist() == [11, 22, 30, 40]


def test_a_torch_program_called_without_fences() -> None:
    text = """
    util.func public @main(%arg0: !hal.buffer_view) -> !hal.buffer_view {
      %0 = util.null : !hal.fence
      %c0 = arith.constant 0 : index
      %device = hal.devices.get %c0 : !hal.device
      %c-1_i32 = arith.constant -1 : i32
      %fence = hal.fence.create device(%device : !hal.device) flags("None") : !hal.fence
      %1 = util.call @main$async(%arg0, %0, %fence) : (!hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view
      %status = hal.fence.await until([%fence]) timeout_millis(%c-1_i32) flags("None") : i32
      util.return %1 : !hal.buffer_view
    }
    util.func private @main$async(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view {
      %0 = hal.tensor.import wait(%arg1) => %arg0 : !hal.buffer_view -> tensor<2xf32>
      %1 = arith.addf %0, %0 : tensor<2xf32>
      %2 = hal.tensor.barrier join(%1 : tensor<2xf32>) => %arg2 : !hal.fence
      %3 = hal.tensor.export %2 : tensor<2xf32> -> !hal.buffer_view
      util.return %3 : !hal.buffer_view
    }"""
    assert exact(text, np.array([1, 2], np.float32)).tolist() == [2, 4]


EFFECTS = """util.global private mutable @g = dense<0> : tensor<2xi32>
func.func private @keep(%x: tensor<2xi32>) -> tensor<2xi32> {
  util.global.store %x, @g : tensor<2xi32>
  return %x : tensor<2xi32>
}
func.func @f(%x: tensor<2xi32>, %y: i1) -> tensor<2xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  DO
  %g = util.global.load @g : tensor<2xi32>
  return %g : tensor<2xi32>
}"""
CALL = "%r = func.call @keep(%x) : (tensor<2xi32>) -> tensor<2xi32>"
YIELD = "scf.yield %r : tensor<2xi32>"
LOOP = f"%l = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> tensor<2xi32> {{ {CALL} {YIELD} }}"


@pytest.mark.parametrize(
    "do",
    [
        CALL,
        f"%b = scf.if %y -> tensor<2xi32> {{ {CALL} {YIELD} }} else {{ scf.yield %x : tensor<2xi32> }}",
        LOOP,
        "scf.if %y { util.global.store %x, @g : tensor<2xi32> }",
    ],
)
def test_what_is_done_besides_results_is_done_where_these_are_unused(do: str) -> None:
    x = np.array([3, 4], np.int32)
    assert one(EFFECTS.replace("DO", do), x, np.bool_(True)).data.tolist() == [3, 4]


def test_an_assumption_that_does_not_hold_leaves_the_number_undefined() -> None:
    text = """func.func @f(%a: tensor<6xindex>) -> tensor<6xindex> {
      %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          outs(%a : tensor<6xindex>) {
      ^bb0(%o: index):
        %x = util.assume.int %o[<umin = 10, umax = 20>, <umin = 30, udiv = 4>] : index
        linalg.yield %x : index
      } -> tensor<6xindex>
      return %r : tensor<6xindex> }"""
    found = one(text, np.array([9, 10, 20, 30, 32, -4], np.int64)).undefined
    assert found is not None
    assert found.tolist() == [True, False, False, True, False, False]


def test_an_unsigned_loop() -> None:
    text = """func.func @f(%n: i8) -> (i32, i8) {
      %c0 = arith.constant 0 : i8
      %c1 = arith.constant 1 : i8
      %z = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %r:2 = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%s = %z, %l = %c0) -> (i32, i8) : i8 {
        %t = arith.addi %s, %one : i32
        scf.yield %t, %i : i32, i8
      }
      return %r#0, %r#1 : i32, i8 }"""
    count, last = run(text, np.int8(-56))
    assert (count.data.tolist(), last.data.tolist()) == (200, 199 - 256)


@pytest.mark.parametrize(
    "constant", ["#util.uninitialized : tensor<2xi32>", "#util.byte_pattern<1> : tensor<2xi32>"]
)
def test_initial_values_that_are_no_numbers(constant: str) -> None:
    text = f"""util.global private mutable @g = {constant}
    func.func @f() -> tensor<2xi32> {{
      %g = util.global.load @g : tensor<2xi32>
      return %g : tensor<2xi32> }}"""
    with pytest.raises(CannotEvaluateError, match="#util"):
        run(text)


def test_a_region_of_several_blocks_is_refused() -> None:
    text = """func.func @f(%c: i1, %x: i32) -> i32 {
      %r = scf.execute_region -> i32 {
        cf.cond_br %c, ^a(%x : i32), ^b
      ^a(%y: i32):
        scf.yield %y : i32
      ^b:
        scf.yield %x : i32
      }
      return %r : i32 }"""
    with pytest.raises(CannotEvaluateError, match="several blocks"):
        run(text, np.bool_(True), np.int32(1))
