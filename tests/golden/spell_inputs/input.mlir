module attributes {reduce.runs} {
  func.func @main(%x: tensor<2x3xf32> {reduce.input = "random:3"}, %y: f32 {reduce.input = "random:4"}, %n: index {reduce.input = "random:5"}, %m: tensor<4xi1> {reduce.input = "random:6"}) -> tensor<2x3xf32> {
    return %x : tensor<2x3xf32>
  }
  func.func @left(%large: tensor<65xf32> {reduce.input = "random:3"}, %zeros: tensor<2xf32> {reduce.input = "zeros"}, %given: tensor<2xf32> {reduce.input = "2xf32=4 -1"}, %dynamic: tensor<?x2xf32> {reduce.input = "random:7"}) -> tensor<65xf32> {
    return %large : tensor<65xf32>
  }
  func.func @fits(%largest: tensor<8x8xi8> {reduce.input = "random:8"}) -> tensor<8x8xi8> {
    return %largest : tensor<8x8xi8>
  }
}
