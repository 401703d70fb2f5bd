module attributes {reduce.runs} {
  func.func @main(%arg0: tensor<2x3xf32> {reduce.input = "2x3xf32=4 0 -1 0.5 inf nan"}, %arg1: f32 {reduce.input = "f32=-2"}, %arg2: index {reduce.input = "index=1"}) -> tensor<2x3xf32> {
    return %arg0 : tensor<2x3xf32>
  }
  func.func @fitted(%arg0: tensor<3xi32> {reduce.input = "3xi32=1 6 0"}, %arg1: tensor<2xf32> {reduce.input = "random:3"}, %arg2: tensor<2xf32> {reduce.input = "zeros"}) -> tensor<3xi32> {
    return %arg0 : tensor<3xi32>
  }
}
