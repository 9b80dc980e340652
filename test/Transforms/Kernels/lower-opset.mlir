// RUN: %inlay-opt %s -split-input-file -inlay-lower-opset -mlir-print-debuginfo=false | FileCheck %s

// The opset has erf, but no Gelu.
// CHECK-LABEL: func @gelu_17
// CHECK-NOT: inlay.gelu
// CHECK: inlay.erf
module attributes {inlay.opsets = {ai.onnx = 17 : i64}} {
  func.func @gelu_17(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = inlay.gelu %x : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----

// CHECK-LABEL: func @gelu_20
// CHECK-NEXT: inlay.gelu
module attributes {inlay.opsets = {ai.onnx = 20 : i64}} {
  func.func @gelu_20(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = inlay.gelu %x : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----

// A module that does not say its opset stays as it is.
// CHECK-LABEL: func @unknown_opset
// CHECK-NEXT: inlay.gelu
module {
  func.func @unknown_opset(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = inlay.gelu %x : (tensor<4xf32>) -> tensor<4xf32>
    return %y : tensor<4xf32>
  }
}

// -----

// Requirement f40: before opset 13 an axis that is not the last cannot be said.
// CHECK-LABEL: func @softmax_11
// CHECK: inlay.softmax %arg0 : (tensor
// CHECK: inlay.softmax %arg0 {axis = 1 : i64, coerce_2d}
// CHECK: inlay.reduce_max %arg0 {axes = array<i64: 1>}
// CHECK: inlay.div
// CHECK-NOT: inlay.softmax
module attributes {inlay.opsets = {ai.onnx = 11 : i64}} {
  func.func @softmax_11(%x: tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>) {
    %a = inlay.softmax %x {axis = -1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %b = inlay.softmax %x {axis = 1 : i64, coerce_2d} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    %c = inlay.softmax %x {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
    return %a, %b, %c : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xf32>
  }
}

// -----

// Requirement f40: scales are those of groups up to opset 20.
// CHECK-LABEL: func @group_18
// CHECK: inlay.group_normalization {{.*}} per_group_scale
// CHECK-NOT: inlay.group_normalization
module attributes {inlay.opsets = {ai.onnx = 18 : i64}} {
  func.func @group_18(%x: tensor<2x6x4xf32>, %g: tensor<2xf32>, %c: tensor<6xf32>) -> (tensor<2x6x4xf32>, tensor<2x6x4xf32>) {
    %a = inlay.group_normalization %x, %g, %g {num_groups = 2 : i64, per_group_scale} : (tensor<2x6x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x6x4xf32>
    %b = inlay.group_normalization %x, %c, %c {num_groups = 2 : i64} : (tensor<2x6x4xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x4xf32>
    return %a, %b : tensor<2x6x4xf32>, tensor<2x6x4xf32>
  }
}

// -----

// What an expansion consists of may have to be expanded again: the logarithms
// are along an axis that is not the last.
// CHECK-LABEL: func @twice
// CHECK-NOT: inlay.softmax_cross_entropy_loss
// CHECK-NOT: inlay.log_softmax
// CHECK: inlay.reduce_max %arg0 {axes = array<i64: 1>}
// CHECK: inlay.gather_elements
module attributes {inlay.opsets = {ai.onnx = 11 : i64}} {
  func.func @twice(%x: tensor<2x3x4xf32>, %t: tensor<2x4xi64>) -> tensor<f32> {
    %y, %p = inlay.softmax_cross_entropy_loss %x, %t : (tensor<2x3x4xf32>, tensor<2x4xi64>) -> (tensor<f32>, tensor<2x3x4xf32>)
    return %y : tensor<f32>
  }
}

// -----

// In a group the last operator takes the place of the composite one among the
// stages; constants are passed in.
// CHECK-LABEL: func @grouped
// CHECK-DAG: inlay.constant dense<6.0
// CHECK: inlay.group "opu" "group_0" stages ["ipa", "", "", "", "", "compare", "mul"]
// CHECK-NOT: inlay.constant
// CHECK: inlay.mul
// CHECK: inlay.yield
module attributes {inlay.opsets = {ai.onnx = 11 : i64}} {
  func.func @grouped(%x: tensor<1x2x3x3xf32>, %w: tensor<2x2x1x1xf32>) -> tensor<1x2x3x3xf32> {
    %y = inlay.group "opu" "group_0" stages ["ipa", "compare", "mul"] : tensor<1x2x3x3xf32> {
      %c = inlay.conv %x, %w : (tensor<1x2x3x3xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x3x3xf32>
      %h = inlay.hard_swish %c : (tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
      %m = inlay.mul %h, %h : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
      inlay.yield %m : tensor<1x2x3x3xf32>
    }
    return %y : tensor<1x2x3x3xf32>
  }
}

// -----

// Floats are compared for equality since opset 11; NaN equals nothing.
// CHECK-LABEL: func @equal_10
// CHECK-NEXT: inlay.less %arg0, %arg1
// CHECK-NEXT: inlay.greater %arg0, %arg1
// CHECK-NEXT: inlay.or
// CHECK-NEXT: inlay.not
// CHECK-NEXT: inlay.add %arg0, %arg1
// CHECK: inlay.and
// CHECK-NOT: inlay.equal
module attributes {inlay.opsets = {ai.onnx = 10 : i64}} {
  func.func @equal_10(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xi1> {
    %z = inlay.equal %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    return %z : tensor<4xi1>
  }
}

// -----

// CHECK-LABEL: func @equal_integers_10
// CHECK-NEXT: inlay.equal
module attributes {inlay.opsets = {ai.onnx = 10 : i64}} {
  func.func @equal_integers_10(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi1> {
    %z = inlay.equal %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    return %z : tensor<4xi1>
  }
}

// -----

// Equal shapes need no broadcasting.
// CHECK-LABEL: func @max_7
// CHECK-NEXT: inlay.max
module attributes {inlay.opsets = {ai.onnx = 7 : i64}} {
  func.func @max_7(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
    %z = inlay.max %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %z : tensor<4xf32>
  }
}
