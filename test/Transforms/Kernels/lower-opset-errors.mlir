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

// CHECK: error: node 'g': opset 8 has no Gelu, opset 20 is the first; what it consists of needs opset 9
module attributes {inlay.opsets = {ai.onnx = 8 : i64}} {
  func.func @too_old(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = inlay.gelu %x : (tensor<4xf32>) -> tensor<4xf32> loc(fused<#inlay.origin<"g", "Gelu", ["y"]>>[unknown])
    return %y : tensor<4xf32>
  }
}

// -----

// What it consists of is named where that is the fault.
// CHECK: error: node 'q/round': opset 9 has no Round, opset 11 is the first; it consists of no others
module attributes {inlay.opsets = {ai.onnx = 9 : i64}} {
  func.func @inner(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<4xui8> {
    %y = inlay.quantize_linear %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xui8> loc(fused<#inlay.origin<"q", "QuantizeLinear", ["y"]>>[unknown])
    return %y : tensor<4xui8>
  }
}
