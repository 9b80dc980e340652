// RUN: %inlay-opt %s --pass-pipeline="builtin.module(inlay-set-target{target=ascend},inlay-settle-layouts)" | FileCheck %s

// The input is copied twice, into blocks with padding and without. Only the
// first moves the padding, and no bound exceeds what is left.
// CHECK-LABEL: func.func @padding_of_another_copy
// CHECK-SAME: best = {bytes = 16368 : i64, count = 2 : i64}, bound = {bytes = 16368 : i64, count = 2 : i64}
module attributes {inlay.opsets = {ai.onnx = 21 : i64}} {
  func.func @padding_of_another_copy(%x: tensor<3x165x2xf64>) -> (tensor<f64>, tensor<2x165x3xf64>) {
    %0 = inlay.transpose %x {perm = array<i64: 2, 1, 0>} : (tensor<3x165x2xf64>) -> tensor<2x165x3xf64>
    %weight = inlay.constant dense<1.0> : tensor<5x165x2xf64>
    %1 = inlay.conv %0, %weight {dilations = array<i64: 1>, kernel_shape = array<i64: 2>, pads = array<i64: 0, 1>, strides = array<i64: 1>} : (tensor<2x165x3xf64>, tensor<5x165x2xf64>) -> tensor<2x5x3xf64>
    %2 = inlay.reduce_sum %1 {keepdims = 0 : i64} : (tensor<2x5x3xf64>) -> tensor<f64>
    %3 = inlay.softmax %0 : (tensor<2x165x3xf64>) -> tensor<2x165x3xf64>
    return %2, %3 : tensor<f64>, tensor<2x165x3xf64>
  }
}
