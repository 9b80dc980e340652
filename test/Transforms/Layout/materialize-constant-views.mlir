// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s

// A constant is read in several shapes: the one that a first view makes is
// viewed in turn, is needed no more, and is needed again by another view.
// CHECK-LABEL: func.func @viewed_again
// CHECK-NOT: inlay.transpose
// CHECK: inlay.gather_elements
// CHECK: return
module attributes {inlay.opsets = {ai.onnx = 21 : i64}} {
  func.func @viewed_again(%i: tensor<1x1x9xi64>, %w: tensor<9x3xf64>) -> (tensor<1x1x9xf64>, tensor<1x3xf64>) {
    %0 = inlay.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, 8.0]]> : tensor<3x3xf64>
    %1 = inlay.reshape %0 {shape = array<i64: 9, 1, 1>} : (tensor<3x3xf64>) -> tensor<9x1x1xf64>
    %2 = inlay.transpose %1 {perm = array<i64: 2, 1, 0>} : (tensor<9x1x1xf64>) -> tensor<1x1x9xf64>
    %3 = inlay.flatten %2 {axis = 0 : i64} : (tensor<1x1x9xf64>) -> tensor<1x9xf64>
    %4 = inlay.matmul %3, %w : (tensor<1x9xf64>, tensor<9x3xf64>) -> tensor<1x3xf64>
    %5 = inlay.gather_elements %2, %i : (tensor<1x1x9xf64>, tensor<1x1x9xi64>) -> tensor<1x1x9xf64>
    %6 = inlay.expand %5 {shape = array<i64: 1, 1, 1>} : (tensor<1x1x9xf64>) -> tensor<1x1x9xf64>
    return %6, %4 : tensor<1x1x9xf64>, tensor<1x3xf64>
  }
}
