// Attributes that the bindings of most releases cannot read: to ask for them ends the process.
util.global private @g = dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
util.func public @main(%x: tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xf32>) {
  %g = util.global.load @g : tensor<2xcomplex<f32>>
  %c = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  %d = stablehlo.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  %e = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  %0 = stablehlo.add %x, %c : tensor<2xcomplex<f32>>
  %1 = stablehlo.add %0, %d : tensor<2xcomplex<f32>>
  %2 = stablehlo.add %1, %e : tensor<2xcomplex<f32>>
  %3 = stablehlo.add %2, %g : tensor<2xcomplex<f32>>
  %4 = stablehlo.real %3 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  util.return %3, %4 : tensor<2xcomplex<f32>>, tensor<2xf32>
}
