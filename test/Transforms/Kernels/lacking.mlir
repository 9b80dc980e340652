// RUN: %inlay-opt %s -split-input-file -mlir-print-debuginfo=false -inlay-expand | FileCheck %s --check-prefix=MARK
// RUN: %inlay-opt %s -split-input-file -mlir-print-debuginfo=false -inlay-expand -inlay-aggregate -inlay-plan-kernels -inlay-reconstruct | FileCheck %s

// What the opset lacks is written as several nodes: alone, it is a kernel.
// MARK-LABEL: func @hard_swish_13
// MARK: inlay.hard_swish {{.*}}{inlay.lacking}
// CHECK-LABEL: func @hard_swish_13
// CHECK: inlay.group "none" "kernel_0" kernel <elementwise
// CHECK-NEXT: inlay.hard_swish
// CHECK-NOT: inlay.lacking
module attributes {inlay.opsets = {ai.onnx = 13 : i64}} {
  func.func @hard_swish_13(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = inlay.hard_swish %x : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----

// MARK-LABEL: func @hard_swish_14
// MARK-NOT: inlay.lacking
// CHECK-LABEL: func @hard_swish_14
// CHECK-NOT: inlay.group
module attributes {inlay.opsets = {ai.onnx = 14 : i64}} {
  func.func @hard_swish_14(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = inlay.hard_swish %x : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----

// The mark does not stay on what is in a kernel with others either.
// MARK-LABEL: func @two_13
// MARK: inlay.hard_swish {{.*}}{inlay.lacking}
// CHECK-LABEL: func @two_13
// CHECK: inlay.group "none" "kernel_0" kernel <elementwise
// CHECK-NOT: inlay.lacking
module attributes {inlay.opsets = {ai.onnx = 13 : i64}} {
  func.func @two_13(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = inlay.hard_swish %x : (tensor<4xf32>) -> tensor<4xf32>
    %z = inlay.exp %y : (tensor<4xf32>) -> tensor<4xf32>
    return %z : tensor<4xf32>
  }
}

// -----

// A module that does not say its opset takes any.
// MARK-LABEL: func @any_opset
// MARK-NOT: inlay.lacking
// CHECK-LABEL: func @any_opset
// CHECK-NOT: inlay.group
module {
  func.func @any_opset(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = inlay.hard_swish %x : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}
