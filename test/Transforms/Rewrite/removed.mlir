// RUN: %inlay-opt %s -inlay-rewrite | FileCheck %s

// A constant whose number is in the weights now has no place of its own.
// CHECK: inlay.removed = [
// CHECK-SAME: #inlay.removed<<"", "initializer", ["factor"]>, "rewritten by conv-mul">
module {
  func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
    %w = inlay.constant dense<5.0> : tensor<1x1x1x1xf32> loc(fused<#inlay.origin<"", "initializer", ["w"]>>[unknown])
    %s = inlay.constant dense<2.0> : tensor<f32> loc(fused<#inlay.origin<"", "initializer", ["factor"]>>[unknown])
    %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32> loc(fused<#inlay.origin<"conv", "Conv", ["c"]>>[unknown])
    %y = inlay.mul %c, %s : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32> loc(fused<#inlay.origin<"mul", "Mul", ["y"]>>[unknown])
    return %y : tensor<1x1x4x4xf32>
  }
}
