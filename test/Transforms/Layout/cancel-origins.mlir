// RUN: %inlay-opt %s -inlay-cancel-relayouts -inlay-materialize-layouts -split-input-file | FileCheck %s

// What is left of the transpose bears its name.
!a = tensor<1x3x4x5xf32>
!b = tensor<1x3x5x4xf32>
!o = tensor<1x3x5x4xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-NOT: inlay.removed
// CHECK: inlay.transpose {{.*}} loc(#[[T:.*]])
// CHECK: #[[T]] = loc(fused<#inlay.origin<"swap", "Transpose", ["t"]>>
module {
  func.func @main(%x: !a) -> !b {
    %i = inlay.relayout %x : (!a) -> tensor<1x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
    %r = inlay.relayout %i : (tensor<1x3x4x5xf32, #inlay.layout<NCHW as NHWC>>) -> !a
    %t = inlay.transpose %r {perm = array<i64: 0, 1, 3, 2>} : (!a) -> !b loc(fused<#inlay.origin<"swap", "Transpose", ["t"]>>[unknown])
    %y = inlay.relayout %t : (!b) -> !o
    %z = inlay.relayout %y : (!o) -> !b
    return %z : !b
  }
}

// -----

// Nothing is left, and the list says so.
!a = tensor<1x3x4x5xf32>
!b = tensor<1x4x5x3xf32>
!o = tensor<1x4x5x3xf32, #inlay.layout<Tensor as (0,3,1,2)>>
// CHECK: inlay.removed = [#inlay.removed<<"gone", "Transpose", ["t"]>, "cancelled by the relayouts around it">]
// CHECK-NOT: "gone"
module {
  func.func @main(%x: !a) -> !o {
    %t = inlay.transpose %x {perm = array<i64: 0, 2, 3, 1>} : (!a) -> !b loc(fused<#inlay.origin<"gone", "Transpose", ["t"]>>[unknown])
    %y = inlay.relayout %t : (!b) -> !o
    return %y : !o
  }
}
