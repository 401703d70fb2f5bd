// The second nested module has a symbol that exists outside, and stays.
module {
  module @inner {
    func.func @helper(%x: tensor<2xf32>) -> tensor<2xf32> {
      return %x : tensor<2xf32>
    }
  }
  module @clash {
    func.func @main() {
      return
    }
  }
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    return %x : tensor<2xf32>
  }
}
