// RUN: %inlay-opt %s -inlay-cancel-relayouts -split-input-file | FileCheck %s
// RUN: %inlay-opt %s -inlay-cancel-relayouts -inlay-materialize-layouts -split-input-file | FileCheck %s --check-prefix=AFTER

// Three in a row of which nothing is left: [0,3,1,2] of a tensor whose last
// dimension is stored second is stored as it was.
!i = tensor<1x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
!a = tensor<1x3x4x5xf32>
!b = tensor<1x4x5x3xf32>
// CHECK-LABEL: func.func @cancels_three_in_a_row
// CHECK-NEXT: inlay.transpose %arg0 {{.*}} : (tensor<1x3x4x5xf32, #inlay.layout<NCHW as NHWC>>) -> tensor<1x4x5x3xf32>
// CHECK-NEXT: return
// AFTER-LABEL: func.func @cancels_three_in_a_row
// AFTER-NEXT: return %arg0 : tensor<1x4x5x3xf32>
func.func @cancels_three_in_a_row(%x: !i) -> !b {
  %r = inlay.relayout %x : (!i) -> !a
  %t = inlay.transpose %r {perm = array<i64: 0, 2, 3, 1>} : (!a) -> !b
  return %t : !b
}

// -----

!i = tensor<1x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
!a = tensor<1x3x4x5xf32>
!b = tensor<1x3x5x4xf32>
!o = tensor<1x3x5x4xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @leaves_one_of_three
// CHECK: %[[T:.*]] = inlay.transpose %arg0 {{.*}} -> tensor<1x3x5x4xf32, #inlay.layout<Tensor as (0,3,2,1)>>
// CHECK-NEXT: %[[Y:.*]] = inlay.relayout %[[T]] {{.*}} -> tensor<1x3x5x4xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-NEXT: return %[[Y]]
// AFTER-LABEL: func.func @leaves_one_of_three
// AFTER-NEXT: inlay.transpose %arg0 {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x4x5x3xf32>) -> tensor<1x5x4x3xf32>
// AFTER-NEXT: return
func.func @leaves_one_of_three(%x: !i) -> !o {
  %r = inlay.relayout %x : (!i) -> !a
  %t = inlay.transpose %r {perm = array<i64: 0, 1, 3, 2>} : (!a) -> !b
  %y = inlay.relayout %t : (!b) -> !o
  return %y : !o
}

// -----

!a = tensor<1x3x4x5xf32>
!b = tensor<1x4x5x3xf32>
!o = tensor<1x4x5x3xf32, #inlay.layout<Tensor as (0,3,1,2)>>
// CHECK-LABEL: func.func @cancels_a_transpose_and_what_follows_it
// CHECK-NOT: inlay.relayout
// AFTER-LABEL: func.func @cancels_a_transpose_and_what_follows_it
// AFTER-NEXT: return %arg0 : tensor<1x3x4x5xf32>
func.func @cancels_a_transpose_and_what_follows_it(%x: !a) -> !o {
  %t = inlay.transpose %x {perm = array<i64: 0, 2, 3, 1>} : (!a) -> !b
  %y = inlay.relayout %t : (!b) -> !o
  return %y : !o
}

// -----

// Transposes between the relayouts, however many.
!i = tensor<2x3x4xf32, #inlay.layout<Tensor as (1,2,0)>>
// CHECK-LABEL: func.func @passes_through_several_transposes
// CHECK-NOT: inlay.relayout
// AFTER-LABEL: func.func @passes_through_several_transposes
// AFTER-NEXT: return %arg0
func.func @passes_through_several_transposes(%x: !i) -> !i {
  %r = inlay.relayout %x : (!i) -> tensor<2x3x4xf32>
  %a = inlay.transpose %r {perm = array<i64: 1, 2, 0>} : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
  %b = inlay.transpose %a {perm = array<i64: 2, 0, 1>} : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  %y = inlay.relayout %b : (tensor<2x3x4xf32>) -> !i
  return %y : !i
}

// -----

// CHECK-LABEL: func.func @leaves_transposes_without_relayouts_alone
// CHECK-NEXT: inlay.transpose %arg0 {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
// CHECK-NEXT: return
// AFTER-LABEL: func.func @leaves_transposes_without_relayouts_alone
// AFTER-NEXT: inlay.transpose %arg0
func.func @leaves_transposes_without_relayouts_alone(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %y = inlay.transpose %x {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

// The result of the transpose is needed as it was, too: two copies, as before.
!a = tensor<1x3x4x5xf32>
!b = tensor<1x3x5x4xf32>
!o = tensor<1x3x5x4xf32, #inlay.layout<NCHW as NHWC>>
// AFTER-LABEL: func.func @serves_both_users
// AFTER-COUNT-2: inlay.transpose
// AFTER-NOT: inlay.transpose
func.func @serves_both_users(%x: !a) -> (!b, !o) {
  %t = inlay.transpose %x {perm = array<i64: 0, 1, 3, 2>} : (!a) -> !b
  %y = inlay.relayout %t : (!b) -> !o
  return %t, %y : !b, !o
}
