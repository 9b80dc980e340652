// A residual block, written by hand: 'inlay compile' goes on from any module.
module attributes {inlay.ir_version = 8 : i64, inlay.opsets = {ai.onnx = 17 : i64}} {
  func.func @main(%x: tensor<1x2x4x4xf32> {inlay.name = "x"}) -> (tensor<1x3xf32> {inlay.name = "y"}) {
    %w = inlay.constant dense<[[[[0.5]], [[-1.0]]], [[[0.25]], [[1.0]]]]> : tensor<2x2x1x1xf32>
    %b = inlay.constant dense<[0.125, -0.25]> : tensor<2xf32>
    %g = inlay.constant dense<[[1.0, 2.0], [-1.0, 0.5], [0.25, -0.75]]> : tensor<3x2xf32>
    %h = inlay.constant dense<[0.5, 0.0, 1.0]> : tensor<3xf32>
    %0 = inlay.conv %x, %w, %b {kernel_shape = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
    %1 = inlay.add %0, %x : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
    %2 = inlay.relu %1 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
    %3 = inlay.global_average_pool %2 : (tensor<1x2x4x4xf32>) -> tensor<1x2x1x1xf32>
    %4 = inlay.reshape %3 {shape = array<i64: 1, 2>} : (tensor<1x2x1x1xf32>) -> tensor<1x2xf32>
    %5 = inlay.gemm %4, %g, %h {transB = 1 : i64} : (tensor<1x2xf32>, tensor<3x2xf32>, tensor<3xf32>) -> tensor<1x3xf32>
    return %5 : tensor<1x3xf32>
  }
}
