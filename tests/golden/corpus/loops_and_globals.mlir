util.global private @g = dense<[1.0,2.0]> : tensor<2xf32>
util.func private @callee(%a: tensor<2xf32>, %u: index) -> (%a as tensor<2xf32>, index) {
  %0 = math.exp %a : tensor<2xf32>
  util.return %0, %u : tensor<2xf32>, index
}
func.func private @ext(tensor<2xf32>) -> tensor<2xf32>
module @inner {
  func.func @deep(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
}
util.func public @main(%arg0: tensor<2xf32>, %c: i1, %n: index) -> (tensor<2xf32>, index) attributes {foo.bar = 1 : i32} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = util.global.load @g : tensor<2xf32>
  %s:2 = util.call @callee(%arg0, %c1) : (tensor<2xf32>, index) -> (%arg0 as tensor<2xf32>, index)
  %e = func.call @ext(%s#0) : (tensor<2xf32>) -> tensor<2xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %e) -> tensor<2xf32> {
    %q = scf.if %c -> tensor<2xf32> {
      %a = arith.addf %acc, %g fastmath<fast> : tensor<2xf32>
      scf.yield %a : tensor<2xf32>
    } else {
      %x = tensor.cast %acc : tensor<2xf32> to tensor<?xf32>
      %y = tensor.cast %x : tensor<?xf32> to tensor<2xf32>
      scf.yield %y : tensor<2xf32>
    }
    scf.yield %q : tensor<2xf32>
  }
  scf.if %c { 
    util.global.store %r, @g2 : tensor<2xf32>
  }
  %w:2 = scf.while (%k = %s#1, %t = %r) : (index, tensor<2xf32>) -> (index, tensor<2xf32>) {
    %l = arith.cmpi slt, %k, %n : index
    scf.condition(%l) %k, %t : index, tensor<2xf32>
  } do {
  ^bb0(%k: index, %t: tensor<2xf32>):
    %k2 = arith.addi %k, %c1 : index
    scf.yield %k2, %t : index, tensor<2xf32>
  }
  %em = tensor.empty() : tensor<2xf32>
  %two:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types = ["parallel"]} ins(%w#1, %g : tensor<2xf32>, tensor<2xf32>) outs(%em, %em : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %p: f32):
    %h = arith.truncf %a : f32 to f16
    %ii = arith.extf %h : f16 to f32
    linalg.yield %ii, %ii : f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>)
  %sl = tensor.extract_slice %two#0[%c0] [2] [%c1] : tensor<2xf32> to tensor<2xf32>
  %sc = tensor.empty() : tensor<f32>
  %red = linalg.reduce { arith.addf } ins(%sl : tensor<2xf32>) outs(%sc : tensor<f32>) dimensions = [0]
  util.return %sl, %w#0 : tensor<2xf32>, index
}
util.global private mutable @g2 : tensor<2xf32>
util.initializer { 
  %c = util.global.load @g : tensor<2xf32>
  util.global.store %c, @g2 : tensor<2xf32>
  util.return
}
