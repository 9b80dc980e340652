// RUN: %inlay-opt %s -inlay-set-target=target=nhwc -inlay-materialize-layouts -split-input-file | FileCheck %s

// Requirement s1: the transposes have gone, and the list says why.
!x = tensor<1x3x4x5xf32>
!n = tensor<1x4x5x3xf32, #inlay.layout<Tensor as (0,3,1,2)>>
// CHECK: inlay.removed = [
// CHECK-SAME: #inlay.removed<<"first", "Transpose", ["t"]>, "its input and output are stored alike">
// CHECK-SAME: #inlay.removed<<"second", "Transpose", ["y"]>, "its input and output are stored alike">
// CHECK: %[[R:.*]] = inlay.relu %arg0 {{.*}} loc(#[[RELU:.*]])
// CHECK-NEXT: return %[[R]]
// CHECK: #[[RELU]] = loc(fused<#inlay.origin<"relu", "Relu", ["r"]>>
module {
  func.func @main(%x: !x) -> !x {
    %t = inlay.transpose %x {perm = array<i64: 0, 2, 3, 1>} : (!x) -> !n loc(fused<#inlay.origin<"first", "Transpose", ["t"]>>[unknown])
    %r = inlay.relu %t : (!n) -> !n loc(fused<#inlay.origin<"relu", "Relu", ["r"]>>[unknown])
    %y = inlay.transpose %r {perm = array<i64: 0, 3, 1, 2>} : (!n) -> !x loc(fused<#inlay.origin<"second", "Transpose", ["y"]>>[unknown])
    return %y : !x
  }
}

// -----

// A relayout that stands for a transpose bears its name; the transpose itself,
// which moves nothing, is not listed.
!x = tensor<1x3x4x5xf32>
!n = tensor<1x4x5x3xf32, #inlay.layout<Tensor as (0,3,1,2)>>
// CHECK-NOT: inlay.removed
// CHECK: inlay.transpose %arg0 {perm = array<i64: 0, 2, 3, 1>} {{.*}} loc(#[[T:.*]])
// CHECK: #[[T]] = loc(fused<#inlay.origin<"kept", "Transpose", ["t"]>>
module {
  func.func @main(%x: !x) -> tensor<1x4x5x3xf32> {
    %t = inlay.transpose %x {perm = array<i64: 0, 2, 3, 1>} : (!x) -> !n loc(fused<#inlay.origin<"kept", "Transpose", ["t"]>>[unknown])
    %y = inlay.relayout %t : (!n) -> tensor<1x4x5x3xf32> loc(fused<#inlay.origin<"kept", "Transpose", ["t"]>>[unknown])
    return %y : tensor<1x4x5x3xf32>
  }
}

// -----

// Only one operation bears a name.
!x = tensor<1x3x4x5xf32>
!n = tensor<1x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
// CHECK: inlay.transpose {{.*}} loc(#[[U:.*]])
// CHECK: inlay.transpose {{.*}} loc(#[[T:.*]])
// CHECK: #[[U]] = loc(unknown)
// CHECK: #[[T]] = loc(fused<#inlay.origin<"kept", "Transpose", ["t"]>>
module {
  func.func @main(%x: !n) -> tensor<1x4x5x3xf32> {
    %r = inlay.relayout %x : (!n) -> !x loc(fused<#inlay.origin<"kept", "Transpose", ["t"]>>[unknown])
    %t = inlay.transpose %r {perm = array<i64: 0, 2, 3, 1>} : (!x) -> tensor<1x4x5x3xf32> loc(fused<#inlay.origin<"kept", "Transpose", ["t"]>>[unknown])
    return %t : tensor<1x4x5x3xf32>
  }
}

// -----

// The wrapper bears the name, its body none.
!x = tensor<1x3x8xf32, #inlay.layout<NCW as NWC>>
!y = tensor<1x4x6xf32, #inlay.layout<NCW as NWC>>
// CHECK: #[[U:loc[0-9]*]] = loc(unknown)
// CHECK: inlay.in_layout
// CHECK: inlay.conv {{.*}} loc(#[[U]])
// CHECK: } loc(#[[C:loc[0-9]*]])
// CHECK: #[[C]] = loc(fused<#inlay.origin<"conv", "Conv", ["y"]>>
module {
  func.func @main(%x: !x, %w: tensor<4x3x3xf32>) -> !y {
    %y = inlay.conv %x, %w : (!x, tensor<4x3x3xf32>) -> !y loc(fused<#inlay.origin<"conv", "Conv", ["y"]>>[unknown])
    return %y : !y
  }
}

// -----

// A constant keeps its name in its new order.
// CHECK: inlay.constant {{.*}} : tensor<3x2xf32> loc(#[[W:.*]])
// CHECK: #[[W]] = loc(fused<#inlay.origin<"", "Constant", ["w"]>>
module {
  func.func @main() -> tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>> {
    %w = inlay.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32> loc(fused<#inlay.origin<"", "Constant", ["w"]>>[unknown])
    %a = inlay.relayout %w : (tensor<2x3xf32>) -> tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>
    return %a : tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>
  }
}

// -----

// The names of dimensions follow the storage order.
!x = tensor<?x3x?xf32, #inlay.layout<NCW as NWC>>
// CHECK: #inlay.origin<"relu", "Relu", ["y"], {dims = {{\[\[}}"n", "w", ""]]}>
module {
  func.func @main(%x: !x) -> !x {
    %y = inlay.relu %x : (!x) -> !x loc(fused<#inlay.origin<"relu", "Relu", ["y"], {dims = [["n", "", "w"]]}>>[unknown])
    return %y : !x
  }
}
