util.global private @weights = dense<[1.500000e+00, 2.500000e+00]> : tensor<2xf32>
util.func public @main() -> (tensor<2xf32>, tensor<2xi1>, tensor<2xi32>, tensor<2xf32>, tensor<3xf32>, tensor<4xi8>) {
  %weights = util.global.load @weights : tensor<2xf32>
  %cst = arith.constant dense<[true, false]> : tensor<2xi1>
  %cst_0 = arith.constant dense<-7> : tensor<2xi32>
  %cst_1 = arith.constant dense<4.000000e+00> : tensor<2xf32>
  %cst_2 = arith.constant dense_resource<blob> : tensor<3xf32>
  %cst_3 = arith.constant sparse<[[0], [3]], [1, 2]> : tensor<4xi8>
  util.return %weights, %cst, %cst_0, %cst_1, %cst_2, %cst_3 : tensor<2xf32>, tensor<2xi1>, tensor<2xi32>, tensor<2xf32>, tensor<3xf32>, tensor<4xi8>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803F0000004000004040"
    }
  }
#-}
