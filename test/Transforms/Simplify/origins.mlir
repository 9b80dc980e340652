// RUN: %inlay-opt %s -inlay-simplify | FileCheck %s

// The merged operation bears both names, what is gone is listed with a reason.
// CHECK: inlay.removed = [
// CHECK-SAME: #inlay.removed<<"unused", "Relu", ["u"]>, "nothing uses its results">
// CHECK-SAME: #inlay.removed<<"same", "Identity", ["s"]>, "does nothing">
// CHECK: inlay.add {{.*}} loc([[SUM:#.*]])
// CHECK: [[A:#loc[0-9]*]] = loc(fused<#inlay.origin<"first", "Abs", ["a"]>>
// CHECK: [[B:#loc[0-9]*]] = loc(fused<#inlay.origin<"second", "Abs", ["b"]>>
// CHECK: loc(fused{{\[}}[[A]], [[B]]])
module {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %s = inlay.identity %x : (tensor<4xf32>) -> tensor<4xf32> loc(fused<#inlay.origin<"same", "Identity", ["s"]>>[unknown])
    %a = inlay.abs %s : (tensor<4xf32>) -> tensor<4xf32> loc(fused<#inlay.origin<"first", "Abs", ["a"]>>[unknown])
    %b = inlay.abs %x : (tensor<4xf32>) -> tensor<4xf32> loc(fused<#inlay.origin<"second", "Abs", ["b"]>>[unknown])
    %u = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32> loc(fused<#inlay.origin<"unused", "Relu", ["u"]>>[unknown])
    %y = inlay.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc(fused<#inlay.origin<"sum", "Add", ["y"]>>[unknown])
    return %y : tensor<4xf32>
  }
}
