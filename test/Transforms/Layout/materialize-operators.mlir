// RUN: %inlay-opt %s -inlay-materialize-layouts -split-input-file | FileCheck %s

// Requirement s5: what broadcasts is brought into the order of the result.
!x = tensor<2x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @aligns_broadcast_operands
// CHECK-SAME: %[[X:.*]]: tensor<2x4x5x3xf32>
// CHECK: %[[C:.*]] = inlay.reshape %{{.*}} : (tensor<3x1x1xf32>) -> tensor<{{(1x)*}}3xf32>
// CHECK: %[[A:.*]] = inlay.add %[[X]], %[[C]] : {{.*}} -> tensor<2x4x5x3xf32>
// CHECK: %[[HW:.*]] = inlay.reshape %{{.*}} : (tensor<4x5xf32>) -> tensor<4x5x1xf32>
// CHECK: %[[M:.*]] = inlay.mul %[[A]], %[[HW]] : {{.*}} -> tensor<2x4x5x3xf32>
// CHECK-NOT: inlay.transpose
// CHECK: return %[[M]]
func.func @aligns_broadcast_operands(%x: !x, %c: tensor<3x1x1xf32>, %hw: tensor<4x5xf32>) -> !x {
  %a = inlay.add %x, %c : (!x, tensor<3x1x1xf32>) -> !x
  %y = inlay.mul %a, %hw : (!x, tensor<4x5xf32>) -> !x
  return %y : !x
}

// -----

// Requirement s6.
!x = tensor<2x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @takes_scalars_as_they_are
// CHECK-NEXT: inlay.add %arg0, %arg1 : (tensor<2x4x5x3xf32>, tensor<f32>) -> tensor<2x4x5x3xf32>
// CHECK-NEXT: inlay.mul %{{.*}}, %arg2 : (tensor<2x4x5x3xf32>, tensor<1xf32>) -> tensor<2x4x5x3xf32>
func.func @takes_scalars_as_they_are(%x: !x, %s: tensor<f32>, %one: tensor<1xf32>) -> !x {
  %a = inlay.add %x, %s : (!x, tensor<f32>) -> !x
  %y = inlay.mul %a, %one : (!x, tensor<1xf32>) -> !x
  return %y : !x
}

// -----

!x = tensor<1x3x4x4xf32, #inlay.layout<NCHW as NHWC>>
!y = tensor<1x6x4x4xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @moves_the_axis_of_concat
// CHECK: inlay.concat %arg0, %arg1 {axis = 3 : i64} : (tensor<1x4x4x3xf32>, tensor<1x4x4x3xf32>) -> tensor<1x4x4x6xf32>
func.func @moves_the_axis_of_concat(%a: !x, %b: !x) -> !y {
  %y = inlay.concat %a, %b {axis = 1 : i64} : (!x, !x) -> !y
  return %y : !y
}

// -----

!x = tensor<2x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
!k = tensor<2x3x1x1xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @moves_the_axes_of_reductions
// CHECK: inlay.reduce_mean %arg0 {axes = array<i64: 1, 2>{{.*}}} : (tensor<2x4x5x3xf32>) -> tensor<2x1x1x3xf32>
// CHECK: inlay.reduce_mean %arg0 {axes = array<i64: 1, 2>, keepdims = 0 : i64} : (tensor<2x4x5x3xf32>) -> tensor<2x3xf32>
// CHECK-NOT: inlay.transpose
func.func @moves_the_axes_of_reductions(%x: !x) -> (!k, tensor<2x3xf32>) {
  %k = inlay.reduce_mean %x {axes = array<i64: 2, 3>} : (!x) -> !k
  %n = inlay.reduce_mean %x {axes = array<i64: 2, 3>, keepdims = 0 : i64} : (!x) -> tensor<2x3xf32>
  return %k, %n : !k, tensor<2x3xf32>
}

// -----

// Requirement s27: the order of the weight's rows follows the flattened data.
!x = tensor<2x3x2x2xf32, #inlay.layout<NCHW as NHWC>>
!f = tensor<2x12xf32, #inlay.layout<NTensor as (0,1:1,1:0,1:2) split 1=3*2*2>>
!w = tensor<12x2xf32, #inlay.layout<NTensor as (0:1,0:0,0:2,1) split 0=3*2*2>>
// CHECK-LABEL: func.func @flattens_into_a_product
// CHECK: %[[W:.*]] = inlay.constant dense<{{.*}}> : tensor<{{12x2|2x2x3x2}}xf32>
// CHECK-NOT: inlay.transpose
// CHECK: inlay.gemm {{.*}}(tensor<2x12xf32>, tensor<12x2xf32>) -> tensor<2x2xf32>
func.func @flattens_into_a_product(%x: !x) -> tensor<2x2xf32> {
  %w = inlay.constant dense<[[1., 2.], [3., 4.], [5., 6.], [7., 8.], [9., 10.], [11., 12.], [13., 14.], [15., 16.], [17., 18.], [19., 20.], [21., 22.], [23., 24.]]> : tensor<12x2xf32>
  %v = inlay.relayout %w : (tensor<12x2xf32>) -> !w
  %f = inlay.flatten %x {axis = 1 : i64} : (!x) -> !f
  %y = inlay.gemm %f, %v : (!f, !w) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// A transpose whose tensors are stored alike moves nothing.
!x = tensor<1x3x4x5xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @drops_a_transpose_between_tensors_stored_alike
// CHECK-NOT: inlay.transpose
// CHECK: return %arg0 : tensor<1x4x5x3xf32>
func.func @drops_a_transpose_between_tensors_stored_alike(%x: !x) -> tensor<1x4x5x3xf32> {
  %y = inlay.transpose %x {perm = array<i64: 0, 2, 3, 1>} : (!x) -> tensor<1x4x5x3xf32>
  return %y : tensor<1x4x5x3xf32>
}

// -----

// CHECK-LABEL: func.func @keeps_a_transpose_between_row_major_tensors
// CHECK: inlay.transpose %arg0 {perm = array<i64: 0, 2, 3, 1>}
func.func @keeps_a_transpose_between_row_major_tensors(%x: tensor<1x3x4x5xf32, #inlay.layout<NCHW>>) -> tensor<1x4x5x3xf32, #inlay.layout<Tensor>> {
  %y = inlay.transpose %x {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x3x4x5xf32, #inlay.layout<NCHW>>) -> tensor<1x4x5x3xf32, #inlay.layout<Tensor>>
  return %y : tensor<1x4x5x3xf32, #inlay.layout<Tensor>>
}

// -----

// Views that follow each other are one.
!x = tensor<1x6x1x1xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @merges_views
// CHECK: %[[Y:.*]] = inlay.reshape %arg0 {{.*}} : (tensor<1x1x1x6xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: return %[[Y]]
func.func @merges_views(%x: !x) -> tensor<2x3xf32> {
  %a = inlay.relayout %x : (!x) -> tensor<1x6x1x1xf32>
  %b = inlay.relayout %a : (tensor<1x6x1x1xf32>) -> !x
  %y = inlay.reshape %b {shape = array<i64: 2, 3>} : (!x) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// -----

// What is known is not reshaped at run time.
!x = tensor<1x2x4x5xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @views_constants_at_compile_time
// CHECK: %[[C:.*]] = inlay.constant dense<{{\[*}}1.000000e+00, 2.000000e+00{{\]*}}> : tensor<{{(1x)*}}2xf32>
// CHECK-NOT: inlay.reshape
// CHECK: inlay.add %arg0, %[[C]]
func.func @views_constants_at_compile_time(%x: !x) -> !x {
  %c = inlay.constant dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>
  %y = inlay.add %x, %c : (!x, tensor<2x1x1xf32>) -> !x
  return %y : !x
}
