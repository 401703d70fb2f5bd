module attributes {reduce.runs} {
  func.func @main(%x: tensor<2x3xf32> {reduce.input = "2x3xf32=4 0 -1 0.5 inf nan"}, %y: f32 {reduce.input = "f32=-2"}, %n: index {reduce.input = "index=1"}) -> tensor<2x3xf32> {
    return %x : tensor<2x3xf32>
  }
  func.func @fitted(%longer: tensor<3xi32> {reduce.input = "2xi32=5 6"}, %random: tensor<2xf32> {reduce.input = "random:3"}, %zeros: tensor<2xf32> {reduce.input = "zeros"}) -> tensor<3xi32> {
    return %longer : tensor<3xi32>
  }
}
