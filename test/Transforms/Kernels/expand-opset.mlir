// RUN: %inlay-opt %s -split-input-file -inlay-expand="all replace" -verify-diagnostics -mlir-print-debuginfo=false | FileCheck %s

// What the opset cannot say stays whole: Max broadcasts since opset 8.
// CHECK-LABEL: func @relu_7
// CHECK-NEXT: inlay.relu
module attributes {inlay.opsets = {ai.onnx = 7 : i64}} {
  func.func @relu_7(%x: tensor<4xf32>) -> tensor<4xf32> {
    // expected-remark @+1 {{node 'inlay.relu' (Relu) stays whole: node 'inlay.max': opset 7 has no Max that broadcasts, opset 8 is the first; it consists of no others}}
    %y = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----

// CHECK-LABEL: func @relu_8
// CHECK: inlay.max
module attributes {inlay.opsets = {ai.onnx = 8 : i64}} {
  func.func @relu_8(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----

// A module that does not say its opset takes any.
// CHECK-LABEL: func @any_opset
// CHECK: inlay.max
module {
  func.func @any_opset(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}
