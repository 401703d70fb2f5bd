module attributes {reduce.runs} {
  func.func @main(%x: tensor<2xf32> {reduce.input = "random:3"}, %y: f32 {reduce.input = "f32=-2"}, %z: tensor<?xi8> {reduce.input = "zeros"}) -> (tensor<2xf32>, f32) {
    return %x, %y : tensor<2xf32>, f32
  }
  func.func @other(%unset: tensor<3xf16>, %n: index {iree.note, reduce.input = "random:7"}) -> tensor<3xf16> {
    return %unset : tensor<3xf16>
  }
  func.func private @helper(%x: tensor<2xf32>) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
}
