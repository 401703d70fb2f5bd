module attributes {reduce.runs} {
  func.func @main(%x: tensor<2x2xf32> {reduce.input = "2x2xf32=4 0 -1 0.5"}, %y: f32 {reduce.input = "f32=-2"}) -> tensor<2x2xf32> {
    return %x : tensor<2x2xf32>
  }
  func.func @fitted(%shorter: tensor<2xf32> {reduce.input = "3xf32=5 6 7"}, %splat: tensor<2xi8> {reduce.input = "2xi8=3"}, %random: tensor<2xf32> {reduce.input = "random:3"}, %zeros: tensor<2xf32> {reduce.input = "zeros"}) -> tensor<2xf32> {
    return %shorter : tensor<2xf32>
  }
}
