// RUN: %inlay-opt %s -inlay-materialize-layouts -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @becomes_a_transpose
// CHECK-SAME: (%[[X:.*]]: tensor<1x3x8x6xf32>
// CHECK: %[[T:.*]] = inlay.transpose %[[X]] {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x3x8x6xf32>) -> tensor<1x8x6x3xf32>
// CHECK: %[[R:.*]] = inlay.relu %[[T]] : (tensor<1x8x6x3xf32>) -> tensor<1x8x6x3xf32>
// CHECK: %[[Y:.*]] = inlay.transpose %[[R]] {perm = array<i64: 0, 3, 1, 2>} : (tensor<1x8x6x3xf32>) -> tensor<1x3x8x6xf32>
// CHECK: return %[[Y]] : tensor<1x3x8x6xf32>
func.func @becomes_a_transpose(%x: tensor<1x3x8x6xf32, #inlay.layout<NCHW>>) -> tensor<1x3x8x6xf32, #inlay.layout<NCHW>> {
  %a = inlay.relayout %x : (tensor<1x3x8x6xf32, #inlay.layout<NCHW>>) -> tensor<1x3x8x6xf32, #inlay.layout<NCHW as NHWC>>
  %b = inlay.relu %a : (tensor<1x3x8x6xf32, #inlay.layout<NCHW as NHWC>>) -> tensor<1x3x8x6xf32, #inlay.layout<NCHW as NHWC>>
  %y = inlay.relayout %b : (tensor<1x3x8x6xf32, #inlay.layout<NCHW as NHWC>>) -> tensor<1x3x8x6xf32, #inlay.layout<NCHW>>
  return %y : tensor<1x3x8x6xf32, #inlay.layout<NCHW>>
}

// -----

// The permutation and its inverse are not the same.
// CHECK-LABEL: func.func @keeps_perm_and_inverse_apart
// CHECK: inlay.transpose %arg0 {perm = array<i64: 1, 2, 0>} : (tensor<2x3x5xf32>) -> tensor<3x5x2xf32>
// CHECK: inlay.transpose {{.*}} {perm = array<i64: 2, 0, 1>} : (tensor<3x5x2xf32>) -> tensor<2x3x5xf32>
func.func @keeps_perm_and_inverse_apart(%x: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %a = inlay.relayout %x : (tensor<2x3x5xf32>) -> tensor<2x3x5xf32, #inlay.layout<Tensor as (1,2,0)>>
  %b = inlay.abs %a : (tensor<2x3x5xf32, #inlay.layout<Tensor as (1,2,0)>>) -> tensor<2x3x5xf32, #inlay.layout<Tensor as (1,2,0)>>
  %y = inlay.relayout %b : (tensor<2x3x5xf32, #inlay.layout<Tensor as (1,2,0)>>) -> tensor<2x3x5xf32>
  return %y : tensor<2x3x5xf32>
}

// -----

// CHECK-LABEL: func.func @reshapes_when_only_unit_dimensions_move
// CHECK-NOT: inlay.transpose
// CHECK: inlay.reshape %arg0 {{.*}} : (tensor<1x64x1x1xf32>) -> tensor<1x1x1x64xf32>
// CHECK-NOT: inlay.transpose
func.func @reshapes_when_only_unit_dimensions_move(%x: tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xf32, #inlay.layout<NCHW as NHWC>> {
  %y = inlay.relayout %x : (tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xf32, #inlay.layout<NCHW as NHWC>>
  return %y : tensor<1x64x1x1xf32, #inlay.layout<NCHW as NHWC>>
}

// -----

// CHECK-LABEL: func.func @transposes_when_one_of_them_has_two_elements
// CHECK: inlay.transpose %arg0 {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x64x2x1xf32>) -> tensor<1x2x1x64xf32>
func.func @transposes_when_one_of_them_has_two_elements(%x: tensor<1x64x2x1xf32>) -> tensor<1x64x2x1xf32, #inlay.layout<NCHW as NHWC>> {
  %y = inlay.relayout %x : (tensor<1x64x2x1xf32>) -> tensor<1x64x2x1xf32, #inlay.layout<NCHW as NHWC>>
  return %y : tensor<1x64x2x1xf32, #inlay.layout<NCHW as NHWC>>
}

// -----

// CHECK-LABEL: func.func @is_nothing_when_tensors_are_the_same
// CHECK-NEXT: return %arg0 : tensor<2x3xf32>
func.func @is_nothing_when_tensors_are_the_same(%x: tensor<2x3xf32>) -> tensor<2x3xf32, #inlay.layout<NTensor>> {
  %y = inlay.relayout %x : (tensor<2x3xf32>) -> tensor<2x3xf32, #inlay.layout<NTensor>>
  return %y : tensor<2x3xf32, #inlay.layout<NTensor>>
}

// -----

// CHECK-LABEL: func.func @knows_unknown_extents_by_their_place
// CHECK: inlay.transpose %arg0 {perm = array<i64: 0, 2, 3, 1>} : (tensor<?x3x?x?xf32>) -> tensor<?x?x?x3xf32>
func.func @knows_unknown_extents_by_their_place(%x: tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32, #inlay.layout<NCHW as NHWC>> {
  %y = inlay.relayout %x : (tensor<?x3x?x?xf32>) -> tensor<?x3x?x?xf32, #inlay.layout<NCHW as NHWC>>
  return %y : tensor<?x3x?x?xf32, #inlay.layout<NCHW as NHWC>>
}

// -----

// Dimension 1 is C*H*W and stored as H, W, C.
// CHECK-LABEL: func.func @cuts_a_factored_dimension
// CHECK: %[[V:.*]] = inlay.reshape %arg0 {{.*}} : (tensor<2x60xf32>) -> tensor<2x5x4x3xf32>
// CHECK: %[[T:.*]] = inlay.transpose %[[V]] {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x5x4x3xf32>) -> tensor<2x4x3x5xf32>
// CHECK: return %[[T]]
func.func @cuts_a_factored_dimension(%x: tensor<2x60xf32>) -> tensor<2x60xf32, #inlay.layout<Tensor as (0,1:1,1:0,1:2) split 1=5*4*3>> {
  %y = inlay.relayout %x : (tensor<2x60xf32>) -> tensor<2x60xf32, #inlay.layout<Tensor as (0,1:1,1:0,1:2) split 1=5*4*3>>
  return %y : tensor<2x60xf32, #inlay.layout<Tensor as (0,1:1,1:0,1:2) split 1=5*4*3>>
}

// -----

!a = tensor<24xf32, #inlay.layout<Tensor as (0:0,0:1) split 0=4*6>>
!b = tensor<24xf32, #inlay.layout<Tensor as (0:0,0:1) split 0=2*12>>
// CHECK-LABEL: func.func @finds_common_pieces_of_two_cuts
// CHECK: %[[V:.*]] = inlay.reshape %arg0 {{.*}} : (tensor<6x4xf32>) -> tensor<6x2x2xf32>
// CHECK: %[[T:.*]] = inlay.transpose %[[V]] {perm = array<i64: 2, 0, 1>} : (tensor<6x2x2xf32>) -> tensor<2x6x2xf32>
// CHECK: inlay.reshape %[[T]] {{.*}} : (tensor<2x6x2xf32>) -> tensor<12x2xf32>
func.func @finds_common_pieces_of_two_cuts(%x: !a) -> !b {
  %y = inlay.relayout %x : (!a) -> !b
  return %y : !b
}

// -----

// One constant for each order, and the old one goes.
// CHECK-LABEL: func.func @folds_into_constants
// CHECK: %[[W:.*]] = inlay.constant dense<{{\[\[}}1.000000e+00, 4.000000e+00], [2.000000e+00, 5.000000e+00], [3.000000e+00, 6.000000e+00]]> : tensor<3x2xf32>
// CHECK-NOT: inlay.constant
// CHECK-NOT: inlay.transpose
// CHECK: return %[[W]], %[[W]]
func.func @folds_into_constants() -> (tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>, tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>) {
  %w = inlay.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %a = inlay.relayout %w : (tensor<2x3xf32>) -> tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>
  %b = inlay.relayout %w : (tensor<2x3xf32>) -> tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>
  return %a, %b : tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>, tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>
}

// -----

// CHECK-LABEL: func.func @keeps_a_constant_that_is_used_as_it_is
// CHECK-DAG: inlay.constant {{.*}} : tensor<2x3xf32>
// CHECK-DAG: inlay.constant {{.*}} : tensor<3x2xf32>
// CHECK: return
func.func @keeps_a_constant_that_is_used_as_it_is() -> (tensor<2x3xf32>, tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>) {
  %w = inlay.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %a = inlay.relayout %w : (tensor<2x3xf32>) -> tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>
  return %w, %a : tensor<2x3xf32>, tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>
}

// -----

// A constant's elements are in the logical order whatever its type says.
// CHECK-LABEL: func.func @stores_constants_as_their_types_say
// CHECK: inlay.constant dense<{{\[\[}}1, 3], [2, 4]]> : tensor<2x2xi32>
// CHECK-NOT: #inlay.layout
func.func @stores_constants_as_their_types_say() -> (tensor<2x2xi32, #inlay.layout<Tensor as (1,0)>>, tensor<2xi32, #inlay.layout<Tensor>>) {
  %w = inlay.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32, #inlay.layout<Tensor as (1,0)>>
  %v = inlay.constant dense<[1, 2]> : tensor<2xi32, #inlay.layout<Tensor>>
  return %w, %v : tensor<2x2xi32, #inlay.layout<Tensor as (1,0)>>, tensor<2xi32, #inlay.layout<Tensor>>
}

// -----

// CHECK-LABEL: func.func @leaves_row_major_operations_alone
// CHECK: inlay.conv %arg0, %arg1 {{.*}}: (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
// CHECK-NOT: #inlay.layout
func.func @leaves_row_major_operations_alone(%x: tensor<1x3x8x8xf32, #inlay.layout<NCHW>>, %w: tensor<4x3x3x3xf32, #inlay.layout<OIHW>>) -> tensor<1x4x6x6xf32, #inlay.layout<NCHW>> {
  %y = inlay.conv %x, %w : (tensor<1x3x8x8xf32, #inlay.layout<NCHW>>, tensor<4x3x3x3xf32, #inlay.layout<OIHW>>) -> tensor<1x4x6x6xf32, #inlay.layout<NCHW>>
  return %y : tensor<1x4x6x6xf32, #inlay.layout<NCHW>>
}

// -----

// CHECK-LABEL: func.func @names_of_axes_go_from_strings_too
// CHECK: inlay.constant dense<["a", "b"]> : tensor<2x!inlay.string>
func.func @names_of_axes_go_from_strings_too() -> tensor<2x!inlay.string, #inlay.layout<Tensor>> {
  %c = inlay.constant dense<["a", "b"]> : tensor<2x!inlay.string, #inlay.layout<Tensor>>
  return %c : tensor<2x!inlay.string, #inlay.layout<Tensor>>
}
