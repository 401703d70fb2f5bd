module attributes {reduce.runs} {
  func.func @main(%arg0: tensor<2x2xf32> {reduce.input = "2x2xf32=4 0 -1 0.5"}, %arg1: f32 {reduce.input = "f32=-2"}) -> tensor<2x2xf32> {
    return %arg0 : tensor<2x2xf32>
  }
  func.func @fitted(%arg0: tensor<2xf32> {reduce.input = "3xf32=5 6 7"}, %arg1: tensor<2xi8> {reduce.input = "2xi8=3 0"}, %arg2: tensor<2xf32> {reduce.input = "random:3"}, %arg3: tensor<2xf32> {reduce.input = "zeros"}) -> tensor<2xf32> {
    return %arg0 : tensor<2xf32>
  }
}
