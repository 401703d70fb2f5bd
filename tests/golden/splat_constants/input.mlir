util.global private @weights = dense<[1.5, 2.5]> : tensor<2xf32>
util.func public @main() -> (tensor<2xf32>, tensor<2xi1>, tensor<2xi32>, tensor<2xf32>, tensor<3xf32>, tensor<4xi8>) {
  %0 = util.global.load @weights : tensor<2xf32>
  %1 = arith.constant dense<[true, false]> : tensor<2xi1>
  %2 = arith.constant dense<[-7, 8]> : tensor<2xi32>
  %3 = arith.constant dense<4.0> : tensor<2xf32>
  %4 = arith.constant dense_resource<blob> : tensor<3xf32>
  %5 = arith.constant sparse<[[0], [3]], [1, 2]> : tensor<4xi8>
  util.return %0, %1, %2, %3, %4, %5
    : tensor<2xf32>, tensor<2xi1>, tensor<2xi32>, tensor<2xf32>, tensor<3xf32>, tensor<4xi8>
}
{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803F0000004000004040"
    }
  }
#-}
