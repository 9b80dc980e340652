// RUN: %inlay-opt %s -inlay-cancel-relayouts -split-input-file | FileCheck %s

!r = tensor<1x3x4x5xf32>
!n = tensor<1x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
!m = tensor<1x3x4x5xf32, #inlay.layout<NCHW as NWHC>>
// CHECK-LABEL: func.func @composes_a_chain
// CHECK: %[[Y:.*]] = inlay.relayout %arg0 {{.*}} -> tensor<1x3x4x5xf32, #inlay.layout<NCHW as NWHC>>
// CHECK-NEXT: return %[[Y]]
func.func @composes_a_chain(%x: !r) -> !m {
  %a = inlay.relayout %x : (!r) -> !n
  %b = inlay.relayout %a : (!n) -> !r
  %y = inlay.relayout %b : (!r) -> !m
  return %y : !m
}

// -----

!r = tensor<1x3x4x5xf32>
!n = tensor<1x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @drops_a_pair_that_cancels
// CHECK-NEXT: return %arg0
func.func @drops_a_pair_that_cancels(%x: !r) -> !r {
  %a = inlay.relayout %x : (!r) -> !n
  %y = inlay.relayout %a : (!n) -> !r
  return %y : !r
}

// -----

// The copy in the middle has another user.
!r = tensor<1x3x4x5xf32>
!n = tensor<1x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @keeps_a_relayout_with_another_user
// CHECK-COUNT-1: inlay.relayout
// CHECK: inlay.relu
// CHECK: return %arg0, %{{.*}}
func.func @keeps_a_relayout_with_another_user(%x: !r) -> (!r, !n) {
  %a = inlay.relayout %x : (!r) -> !n
  %y = inlay.relayout %a : (!n) -> !r
  %z = inlay.relu %a : (!n) -> !n
  return %y, %z : !r, !n
}

// -----

// Requirement s3: one copy, shared.
!r = tensor<1x3x4x5xf32>
!n = tensor<1x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @merges_equal_relayouts
// CHECK: %[[A:.*]] = inlay.relayout
// CHECK-NOT: inlay.relayout
// CHECK: inlay.add %[[A]], %[[A]]
func.func @merges_equal_relayouts(%x: !r) -> !n {
  %a = inlay.relayout %x : (!r) -> !n
  %b = inlay.relayout %x : (!r) -> !n
  %y = inlay.add %a, %b : (!n, !n) -> !n
  return %y : !n
}

// -----

// A relayout in one branch does not serve the other, one outside serves both.
!r = tensor<1x3x4x5xf32>
!n = tensor<1x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @merges_only_what_dominates
// CHECK: inlay.if
// CHECK: inlay.relayout %arg1
// CHECK: else
// CHECK: inlay.relayout %arg1
// CHECK: %[[A:.*]] = inlay.relayout %arg1
// CHECK: inlay.if
// CHECK-NOT: inlay.relayout
// CHECK: inlay.yield %[[A]]
// CHECK: else
// CHECK: inlay.yield %[[A]]
func.func @merges_only_what_dominates(%c: tensor<i1>, %x: !r) -> (!n, !n) {
  %p = inlay.if %c : (tensor<i1>) -> !n {
    %a = inlay.relayout %x : (!r) -> !n
    inlay.yield %a : !n
  } else {
    %a = inlay.relayout %x : (!r) -> !n
    inlay.yield %a : !n
  }
  %b = inlay.relayout %x : (!r) -> !n
  %q = inlay.if %c : (tensor<i1>) -> !n {
    %a = inlay.relayout %x : (!r) -> !n
    inlay.yield %a : !n
  } else {
    inlay.yield %b : !n
  }
  return %p, %q : !n, !n
}

// -----

!r = tensor<1x3x4x5xf32>
!n = tensor<1x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @keeps_what_does_not_cancel
// CHECK: inlay.relayout
// CHECK: inlay.softmax
// CHECK: inlay.relayout
func.func @keeps_what_does_not_cancel(%x: !r) -> !r {
  %a = inlay.relayout %x : (!r) -> !n
  %b = inlay.softmax %a {axis = 1 : i64} : (!n) -> !n
  %y = inlay.relayout %b : (!n) -> !r
  return %y : !r
}
