module attributes {reduce.runs} {
  func.func @main(%arg0: tensor<2x3xf32> {reduce.input = "2x3xf32=-1 4 -1 -4 -3 -2"}, %arg1: f32 {reduce.input = "f32=4"}, %arg2: index {reduce.input = "index=3"}, %arg3: tensor<4xi1> {reduce.input = "4xi1=01 01 00 00"}) -> tensor<2x3xf32> {
    return %arg0 : tensor<2x3xf32>
  }
  func.func @left(%arg0: tensor<65xf32> {reduce.input = "random:3"}, %arg1: tensor<2xf32> {reduce.input = "zeros"}, %arg2: tensor<2xf32> {reduce.input = "2xf32=4 -1"}, %arg3: tensor<?x2xf32> {reduce.input = "random:7"}) -> tensor<65xf32> {
    return %arg0 : tensor<65xf32>
  }
  func.func @fits(%arg0: tensor<8x8xi8> {reduce.input = "8x8xi8=4 1 -4 3 2 1 4 2 4 2 1 -3 3 2 4 4 4 3 -1 -2 -1 -3 -2 -2 2 3 2 -2 1 1 1 3 -3 -1 -1 3 4 -1 1 -4 -1 4 -2 -3 -4 -3 2 4 3 2 1 1 -2 -3 -1 4 -4 4 -1 -2 4 2 2 2"}) -> tensor<8x8xi8> {
    return %arg0 : tensor<8x8xi8>
  }
}
