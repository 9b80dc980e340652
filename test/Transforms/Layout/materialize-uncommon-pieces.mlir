// RUN: %inlay-opt %s -inlay-materialize-layouts -split-input-file | FileCheck %s

// 2 * 3 and 3 * 2 have no common pieces: the way leads through row-major.

!a = tensor<4x6xf32, #inlay.layout<Tensor as (1:0,0,1:1) split 1=2*3>>
!b = tensor<4x6xf32, #inlay.layout<Tensor as (1:0,0,1:1) split 1=3*2>>
// CHECK-LABEL: func.func @goes_through_row_major
// CHECK: inlay.transpose {{.*}} : (tensor<3x4x2xf32>) -> tensor<4x2x3xf32>
// CHECK: inlay.transpose {{.*}} : (tensor<4x3x2xf32>) -> tensor<2x4x3xf32>
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @goes_through_row_major(%x: !a) -> !b {
  %y = inlay.relayout %x : (!a) -> !b
  return %y : !b
}

// -----

// 2 * 12 and 6 * 4 are 2 * 3 * 4.
!a = tensor<4x24xf32, #inlay.layout<Tensor as (1:0,0,1:1) split 1=2*12>>
!b = tensor<4x24xf32, #inlay.layout<Tensor as (1:0,0,1:1) split 1=6*4>>
// CHECK-LABEL: func.func @goes_straight_where_pieces_are_common
// CHECK-COUNT-1: inlay.transpose
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @goes_straight_where_pieces_are_common(%x: !a) -> !b {
  %y = inlay.relayout %x : (!a) -> !b
  return %y : !b
}
