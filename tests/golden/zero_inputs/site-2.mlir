module attributes {reduce.runs} {
  func.func @main(%arg0: tensor<2xf32> {reduce.input = "random:3"}, %arg1: f32 {reduce.input = "f32=-2"}, %arg2: tensor<?xi8> {reduce.input = "zeros"}) -> (tensor<2xf32>, f32) {
    return %arg0, %arg1 : tensor<2xf32>, f32
  }
  func.func @other(%arg0: tensor<3xf16> {reduce.input = "zeros"}, %arg1: index {iree.note, reduce.input = "random:7"}) -> tensor<3xf16> {
    return %arg0 : tensor<3xf16>
  }
  func.func private @helper(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    return %arg0 : tensor<2xf32>
  }
}
