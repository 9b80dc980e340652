// RUN: %inlay-opt %s -inlay-simplify -split-input-file | FileCheck %s

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

// -----

// Of equal operations, one that has a name gives it to the one that stays.
// CHECK-LABEL: func.func @takes_a_name
// CHECK: inlay.abs {{.*}} loc([[ABS:#.*]])
// CHECK-DAG: [[NAMELESS:#loc[0-9]*]] = loc(fused<#inlay.origin<"", "Abs", ["a"]>>
// CHECK-DAG: [[NAMED:#loc[0-9]*]] = loc(fused<#inlay.origin<"named", "Abs", ["b"]>>
// CHECK: [[ABS]] = loc(fused{{\[}}[[NAMED]], [[NAMELESS]]])
module {
  func.func @takes_a_name(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %a = inlay.abs %x : (tensor<4xf32>) -> tensor<4xf32> loc(fused<#inlay.origin<"", "Abs", ["a"]>>[unknown])
    %b = inlay.abs %x : (tensor<4xf32>) -> tensor<4xf32> loc(fused<#inlay.origin<"named", "Abs", ["b"]>>[unknown])
    return %a, %b : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// A weight keeps the name of its first value.
// CHECK-LABEL: func.func @keeps_the_first_name_of_a_constant
// CHECK: inlay.constant {{.*}} loc([[WEIGHT:#.*]])
// CHECK-DAG: [[FIRST:#loc[0-9]*]] = loc(fused<#inlay.origin<"", "", ["w"]>>
// CHECK-DAG: [[SECOND:#loc[0-9]*]] = loc(fused<#inlay.origin<"node", "Constant", ["c"]>>
// CHECK: [[WEIGHT]] = loc(fused{{\[}}[[FIRST]], [[SECOND]]])
module {
  func.func @keeps_the_first_name_of_a_constant(%x: tensor<1xf32>) -> tensor<1xf32> {
    %w = inlay.constant dense<2.0> : tensor<1xf32> loc(fused<#inlay.origin<"", "", ["w"]>>[unknown])
    %c = inlay.constant dense<2.0> : tensor<1xf32> loc(fused<#inlay.origin<"node", "Constant", ["c"]>>[unknown])
    %y = inlay.sum %x, %w, %c : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    return %y : tensor<1xf32>
  }
}
