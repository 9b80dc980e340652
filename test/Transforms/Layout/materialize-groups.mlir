// RUN: %inlay-opt %s -inlay-set-target=target=%S/Inputs/pipe.yaml -inlay-materialize-layouts -split-input-file | FileCheck %s

!x = tensor<1x3x4x4xf32, #inlay.layout<NCHW as NHWC>>
!w = tensor<5x3x1x1xf32, #inlay.layout<OIHW as HWOI>>
!y = tensor<1x5x4x4xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @stores_what_groups_hold_and_give
// CHECK: %[[W:.*]] = inlay.constant {{.*}} : tensor<1x1x5x3xf32>
// CHECK: %[[G:.*]] = inlay.group "pipe" "group_0" stages ["ipa", "compare"] : tensor<1x4x4x5xf32> {
// CHECK-NEXT: %[[C:.*]] = inlay.in_layout "pipe" "Conv"(%arg0, %[[W]])
// CHECK: %[[R:.*]] = inlay.relu %[[C]]
// CHECK-NEXT: inlay.yield %[[R]] : tensor<1x4x4x5xf32>
// CHECK: inlay.abs %[[G]] : (tensor<1x4x4x5xf32>)
func.func @stores_what_groups_hold_and_give(%x: !x) -> !y {
  %w = inlay.constant dense<1.0> : !w
  %g = inlay.group "pipe" "group_0" stages ["ipa", "compare"] : !y {
    %c = inlay.conv %x, %w : (!x, !w) -> !y
    %r = inlay.relu %c : (!y) -> !y
    inlay.yield %r : !y
  }
  %y = inlay.abs %g : (!y) -> !y
  return %y : !y
}

// -----

// A relayout of a constant is a constant: outside, and one for both groups.
!x = tensor<1x3x4x4xf32>
!n = tensor<1x3x4x4xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @keeps_stored_constants_outside
// CHECK: %[[C:.*]] = inlay.constant {{.*}} : tensor<1x4x4x3xf32>
// CHECK-NOT: inlay.constant
// CHECK: inlay.group
// CHECK-NEXT: inlay.add %arg0, %[[C]]
// CHECK: inlay.group
// CHECK-NEXT: inlay.mul %{{.*}}, %[[C]]
func.func @keeps_stored_constants_outside(%x: !n) -> !n {
  %c = inlay.constant dense<2.0> : !x
  %g = inlay.group "pipe" "group_0" stages ["", "add"] : !n {
    %t = inlay.relayout %c : (!x) -> !n
    %a = inlay.add %x, %t : (!n, !n) -> !n
    inlay.yield %a : !n
  }
  %h = inlay.group "pipe" "group_1" stages ["", "mul"] : !n {
    %t = inlay.relayout %c : (!x) -> !n
    %a = inlay.mul %g, %t : (!n, !n) -> !n
    inlay.yield %a : !n
  }
  return %h : !n
}

// -----

// A relayout that a group has taken in is a transpose in it.
!x = tensor<1x3x4x4xf32>
!n = tensor<1x3x4x4xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @transposes_inside
// CHECK: inlay.group
// CHECK-NEXT: %[[T:.*]] = inlay.transpose %arg0 {perm = array<i64: 0, 2, 3, 1>}
// CHECK-NEXT: inlay.relu %[[T]]
// CHECK: inlay.yield %{{.*}}, %arg0 : tensor<1x4x4x3xf32>, tensor<1x3x4x4xf32>
func.func @transposes_inside(%x: !x) -> (!n, !x) {
  %g:2 = inlay.group "pipe" "group_0" stages ["", "compare"] : !n, !x {
    %t = inlay.relayout %x : (!x) -> !n
    %r = inlay.relu %t : (!n) -> !n
    inlay.yield %r, %x : !n, !x
  }
  return %g#0, %g#1 : !n, !x
}
