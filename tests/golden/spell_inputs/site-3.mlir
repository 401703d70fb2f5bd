module attributes {reduce.runs} {
  func.func @main(%arg0: tensor<2x3xf32> {reduce.input = "random:3"}, %arg1: f32 {reduce.input = "random:4"}, %arg2: index {reduce.input = "random:5"}, %arg3: tensor<4xi1> {reduce.input = "4xi1=01 01 00 00"}) -> tensor<2x3xf32> {
    return %arg0 : tensor<2x3xf32>
  }
  func.func @left(%arg0: tensor<65xf32> {reduce.input = "random:3"}, %arg1: tensor<2xf32> {reduce.input = "zeros"}, %arg2: tensor<2xf32> {reduce.input = "2xf32=4 -1"}, %arg3: tensor<?x2xf32> {reduce.input = "random:7"}) -> tensor<65xf32> {
    return %arg0 : tensor<65xf32>
  }
  func.func @fits(%arg0: tensor<8x8xi8> {reduce.input = "random:8"}) -> tensor<8x8xi8> {
    return %arg0 : tensor<8x8xi8>
  }
}
