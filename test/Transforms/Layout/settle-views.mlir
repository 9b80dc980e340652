// RUN: %inlay-opt %s -split-input-file --pass-pipeline="builtin.module(inlay-set-target{target=nhwc},inlay-settle-layouts)" | FileCheck %s

// Stored otherwise the view is gone, and its users read the input each in an
// order of its own: the second round lets one of them share the convolution's
// copy, the third finds no more. A view has come about elsewhere, so that there
// are as many operators.
// CHECK-LABEL: func.func @views_that_go
// CHECK-SAME: round = 3
// CHECK: %[[COPY:.*]] = inlay.transpose %arg0 {perm = array<i64: 0, 2, 1>} : (tensor<1x7x2xf64>)
// CHECK: inlay.in_layout "nhwc" "Conv"(%[[COPY]],
// CHECK: inlay.relu %arg0
// CHECK: inlay.quantize_linear %[[COPY]],
// CHECK-NOT: inlay.transpose
// CHECK: return
module attributes {inlay.opsets = {ai.onnx = 21 : i64}} {
  func.func @views_that_go(%x: tensor<1x7x2xf64>) -> (tensor<1x5x1xf64>, tensor<1x7x2xf64>, tensor<1x2x7xi8>) {
    %weight = inlay.constant dense<1.0> : tensor<5x7x2xf64>
    %0 = inlay.conv %x, %weight {auto_pad = "SAME_UPPER", dilations = array<i64: 1>, kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x7x2xf64>, tensor<5x7x2xf64>) -> tensor<1x5x1xf64>
    %1 = inlay.transpose %x {perm = array<i64: 2, 0, 1>} : (tensor<1x7x2xf64>) -> tensor<2x1x7xf64>
    %2 = inlay.reshape %1 {shape = array<i64: 1, 2, 7>} : (tensor<2x1x7xf64>) -> tensor<1x2x7xf64>
    %3 = inlay.relu %2 : (tensor<1x2x7xf64>) -> tensor<1x2x7xf64>
    %4 = inlay.transpose %3 {perm = array<i64: 0, 2, 1>} : (tensor<1x2x7xf64>) -> tensor<1x7x2xf64>
    %scale = inlay.constant dense<[2.0, 1.0, 1.0, 2.0, 2.0, 1.0, 2.0]> : tensor<7xf64>
    %zero = inlay.constant dense<0> : tensor<7xi8>
    %5 = inlay.quantize_linear %2, %scale, %zero {axis = -1 : i64} : (tensor<1x2x7xf64>, tensor<7xf64>, tensor<7xi8>) -> tensor<1x2x7xi8>
    return %0, %4, %5 : tensor<1x5x1xf64>, tensor<1x7x2xf64>, tensor<1x2x7xi8>
  }
}

// -----

// Only renamed: one round.
// CHECK-LABEL: func.func @views_that_stay
// CHECK-SAME: round = 1
module attributes {inlay.opsets = {ai.onnx = 21 : i64}} {
  func.func @views_that_stay(%x: tensor<2x7x2xf64>) -> (tensor<2x10xf64>) {
    %weight = inlay.constant dense<1.0> : tensor<5x7x1xf64>
    %0 = inlay.conv %x, %weight {dilations = array<i64: 1>, kernel_shape = array<i64: 1>, pads = array<i64: 0, 0>, strides = array<i64: 1>} : (tensor<2x7x2xf64>, tensor<5x7x1xf64>) -> tensor<2x5x2xf64>
    %1 = inlay.flatten %0 {axis = 1 : i64} : (tensor<2x5x2xf64>) -> tensor<2x10xf64>
    %2 = inlay.softmax %1 : (tensor<2x10xf64>) -> tensor<2x10xf64>
    return %2 : tensor<2x10xf64>
  }
}
