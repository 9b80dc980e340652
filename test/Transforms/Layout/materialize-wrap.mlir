// RUN: %inlay-opt %s -inlay-set-target=target=nhwc -inlay-materialize-layouts -split-input-file | FileCheck %s

!x = tensor<1x3x8x8xf32, #inlay.layout<NCHW as NHWC>>
!w = tensor<4x3x3x3xf32, #inlay.layout<OIHW as HWOI>>
!y = tensor<1x4x6x6xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @wraps_what_onnx_has_in_one_order_only
// CHECK-SAME: %[[X:.*]]: tensor<1x8x8x3xf32>{{.*}}, %[[W:.*]]: tensor<3x3x4x3xf32>{{.*}}, %[[B:.*]]: tensor<4xf32>
// CHECK: %[[Y:.*]] = inlay.in_layout "nhwc" "Conv"(%[[X]], %[[W]], %[[B]]) layouts ["NHWC", "HWOI", "", "NHWC"]
// CHECK-SAME: -> tensor<1x6x6x4xf32>
// CHECK: ^bb0(%[[A:.*]]: tensor<1x8x8x3xf32>{{.*}}, %[[F:.*]]: tensor<3x3x4x3xf32>{{.*}}, %[[C:.*]]: tensor<4xf32>
// CHECK: %[[AT:.*]] = inlay.transpose %[[A]] {perm = array<i64: 0, 3, 1, 2>}
// CHECK: %[[FT:.*]] = inlay.transpose %[[F]] {perm = array<i64: 2, 3, 0, 1>}
// CHECK: %[[R:.*]] = inlay.conv %[[AT]], %[[FT]], %[[C]] {{.*}}: (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
// CHECK: %[[RT:.*]] = inlay.transpose %[[R]] {perm = array<i64: 0, 2, 3, 1>}
// CHECK: inlay.yield %[[RT]]
// CHECK: return %[[Y]]
func.func @wraps_what_onnx_has_in_one_order_only(%x: !x, %w: !w, %b: tensor<4xf32>) -> !y {
  %y = inlay.conv %x, %w, %b : (!x, !w, tensor<4xf32>) -> !y
  return %y : !y
}

// -----

// Nothing uses the indices, so nobody asks for them.
!x = tensor<1x3x8x8xf32, #inlay.layout<NCHW as NHWC>>
!y = tensor<1x3x4x4xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @leaves_out_results_that_nothing_uses
// CHECK: = inlay.in_layout "nhwc" "MaxPool"(%arg0) layouts ["NHWC", "NHWC"] {{.*}}(tensor<1x8x8x3xf32>) -> tensor<1x4x4x3xf32>
func.func @leaves_out_results_that_nothing_uses(%x: !x) -> !y {
  %y, %i = inlay.max_pool %x {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (!x) -> (!y, tensor<1x3x4x4xi64>)
  return %y : !y
}

// -----

// CHECK-LABEL: func.func @names_orders_without_letters_by_number
// CHECK: inlay.in_layout "nhwc" "Conv"(%arg0, %arg1) layouts ["(0,2,1)", "", ""]
func.func @names_orders_without_letters_by_number(%x: tensor<1x3x8xf32, #inlay.layout<Tensor as (0,2,1)>>, %w: tensor<4x3x3xf32>) -> tensor<1x4x6xf32> {
  %y = inlay.conv %x, %w : (tensor<1x3x8xf32, #inlay.layout<Tensor as (0,2,1)>>, tensor<4x3x3xf32>) -> tensor<1x4x6xf32>
  return %y : tensor<1x4x6xf32>
}

// -----

// Requirement s4: one value on both sides. What ONNX expresses is not wrapped.
!x = tensor<1x3x8x8xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @does_not_wrap_elementwise_operators
// CHECK-NOT: inlay.in_layout
// CHECK: inlay.add %arg0, %arg0 : (tensor<1x8x8x3xf32>, tensor<1x8x8x3xf32>) -> tensor<1x8x8x3xf32>
func.func @does_not_wrap_elementwise_operators(%x: !x) -> !x {
  %y = inlay.add %x, %x : (!x, !x) -> !x
  return %y : !x
}

// -----

// Operands in different orders have no common form.
!x = tensor<1x8x8x8xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @wraps_operands_that_are_not_stored_alike
// CHECK: inlay.in_layout "nhwc" "Add"(%arg0, %arg1) layouts ["NHWC", "", ""]
func.func @wraps_operands_that_are_not_stored_alike(%x: !x, %z: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  %y = inlay.add %x, %z : (!x, tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %y : tensor<1x8x8x8xf32>
}
