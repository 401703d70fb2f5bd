func.func @f(%a: tensor<2xf32>) -> tensor<3xf32> {
  return %a : tensor<2xf32>
}
