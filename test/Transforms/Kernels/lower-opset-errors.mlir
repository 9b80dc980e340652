// RUN: not %inlay-opt %s -split-input-file -inlay-lower-opset 2>&1 | FileCheck %s

// CHECK: error: node 'sampled': opset 15 has no GridSample, opset 16 is the first; it consists of no others
// CHECK-NEXT: node 'low': opset 15 has no BitwiseNot, opset 18 is the first; it consists of no others
module attributes {inlay.opsets = {ai.onnx = 15 : i64}} {
  func.func @all_are_listed(%x: tensor<1x1x2x2xf32>, %g: tensor<1x2x2x2xf32>, %i: tensor<4xi32>) -> (tensor<1x1x2x2xf32>, tensor<4xi32>) {
    %y = inlay.grid_sample %x, %g : (tensor<1x1x2x2xf32>, tensor<1x2x2x2xf32>) -> tensor<1x1x2x2xf32> loc(fused<#inlay.origin<"sampled", "GridSample", ["y"]>>[unknown])
    %z = inlay.bitwise_not %i : (tensor<4xi32>) -> tensor<4xi32> loc(fused<#inlay.origin<"low", "BitwiseNot", ["z"]>>[unknown])
    return %y, %z : tensor<1x1x2x2xf32>, tensor<4xi32>
  }
}

// -----

// CHECK: error: node 'norm': opset 16 has no LayerNormalization, opset 17 is the first; what it consists of depends on a type that is unknown
module attributes {inlay.opsets = {ai.onnx = 16 : i64}} {
  func.func @unknown_rank(%x: tensor<*xf32>, %s: tensor<8xf32>) -> tensor<*xf32> {
    %y, %m, %i = inlay.layer_normalization %x, %s : (tensor<*xf32>, tensor<8xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) loc(fused<#inlay.origin<"norm", "LayerNormalization", ["y"]>>[unknown])
    return %y : tensor<*xf32>
  }
}

// -----

// CHECK: error: node 'g': opset 8 has no Gelu, opset 20 is the first; node 'g/erf': opset 8 has no Erf, opset 9 is the first; it consists of no others
module attributes {inlay.opsets = {ai.onnx = 8 : i64}} {
  func.func @too_old(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = inlay.gelu %x : (tensor<4xf32>) -> tensor<4xf32> loc(fused<#inlay.origin<"g", "Gelu", ["y"]>>[unknown])
    return %y : tensor<4xf32>
  }
}

// -----

// What it consists of is named where that is the fault.
// CHECK: error: node 'q': opset 9 has no QuantizeLinear, opset 10 is the first; node 'q/round': opset 9 has no Round, opset 11 is the first; it consists of no others
module attributes {inlay.opsets = {ai.onnx = 9 : i64}} {
  func.func @inner(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<4xui8> {
    %y = inlay.quantize_linear %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8> loc(fused<#inlay.origin<"q", "QuantizeLinear", ["y"]>>[unknown])
    return %y : tensor<4xui8>
  }
}

// -----

// An opset may have an operator, but not for these elements, with this
// attribute or of these shapes.
// CHECK: error: node 'm': opset 11 has no Max of int32, opset 12 is the first; it consists of no others
// CHECK-NEXT: node 'r': opset 11 has no Reshape with allowzero, opset 14 is the first; it consists of no others
// CHECK-NEXT: node 'c': opset 11 has no Cast to bfloat16, opset 13 is the first; it consists of no others
module attributes {inlay.opsets = {ai.onnx = 11 : i64}} {
  func.func @forms(%i: tensor<4xi32>, %x: tensor<4xf32>) -> (tensor<4xi32>, tensor<2x2xf32>, tensor<4xbf16>) {
    %m = inlay.max %i, %i : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> loc(fused<#inlay.origin<"m", "Max", ["m"]>>[unknown])
    %r = inlay.reshape %x {allowzero = 1 : i64, shape = array<i64: 2, 2>} : (tensor<4xf32>) -> tensor<2x2xf32> loc(fused<#inlay.origin<"r", "Reshape", ["r"]>>[unknown])
    %c = inlay.cast %x {to = 16 : i64} : (tensor<4xf32>) -> tensor<4xbf16> loc(fused<#inlay.origin<"c", "Cast", ["c"]>>[unknown])
    return %m, %r, %c : tensor<4xi32>, tensor<2x2xf32>, tensor<4xbf16>
  }
}

// -----

// CHECK: error: node 's': opset 7 has no Max that broadcasts, opset 8 is the first; it consists of no others
module attributes {inlay.opsets = {ai.onnx = 7 : i64}} {
  func.func @broadcast(%x: tensor<2x4xf32>, %y: tensor<4xf32>) -> tensor<2x4xf32> {
    %m = inlay.max %x, %y : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32> loc(fused<#inlay.origin<"s", "Max", ["m"]>>[unknown])
    return %m : tensor<2x4xf32>
  }
}

// -----

// CHECK: error: node 'p': opset 14 has no Pow with an exponent of bfloat16, opset 15 is the first; it consists of no others
module attributes {inlay.opsets = {ai.onnx = 14 : i64}} {
  func.func @exponent(%x: tensor<4xbf16>) -> tensor<4xbf16> {
    %p = inlay.pow %x, %x : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16> loc(fused<#inlay.origin<"p", "Pow", ["p"]>>[unknown])
    return %p : tensor<4xbf16>
  }
}
