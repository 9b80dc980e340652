// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s

// Without a target the model's own transposes are minimised; what comes out is
// plain ONNX, and never worse.

!x = tensor<2x4x6x8xf32>
!y = tensor<2x6x8x4xf32>
!z = tensor<2x8x4x6xf32>

// T(perm) -> unary -> T(inverse), of a permutation that is not its own inverse.
// CHECK-LABEL: func.func @a_pair_around_a_unary_operator_vanishes
// CHECK-NEXT: inlay.relu %arg0 : (tensor<2x4x6x8xf32>) -> tensor<2x4x6x8xf32>
// CHECK-NEXT: return
func.func @a_pair_around_a_unary_operator_vanishes(%x: !x) -> !x {
  %0 = inlay.transpose %x {perm = array<i64: 0, 2, 3, 1>} : (!x) -> !y
  %1 = inlay.relu %0 : (!y) -> !y
  %2 = inlay.transpose %1 {perm = array<i64: 0, 3, 1, 2>} : (!y) -> !x
  return %2 : !x
}

// The same permutation twice is not the identity: one transpose is left.
// CHECK-LABEL: func.func @a_permutation_is_not_its_own_inverse
// CHECK-COUNT-1: inlay.transpose {{.*}}{perm = array<i64: 0, 3, 1, 2>} : (tensor<2x4x6x8xf32>) -> tensor<2x8x4x6xf32>
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @a_permutation_is_not_its_own_inverse(%x: !x) -> !z {
  %0 = inlay.transpose %x {perm = array<i64: 0, 2, 3, 1>} : (!x) -> !y
  %1 = inlay.relu %0 : (!y) -> !y
  %2 = inlay.transpose %1 {perm = array<i64: 0, 2, 3, 1>} : (!y) -> !z
  return %2 : !z
}

// CHECK-LABEL: func.func @a_diamond
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @a_diamond(%x: !x) -> !x {
  %0 = inlay.transpose %x {perm = array<i64: 0, 2, 3, 1>} : (!x) -> !y
  %1 = inlay.relu %0 : (!y) -> !y
  %2 = inlay.softmax %0 {axis = 3 : i64} : (!y) -> !y
  %3 = inlay.add %1, %2 : (!y, !y) -> !y
  %4 = inlay.transpose %3 {perm = array<i64: 0, 3, 1, 2>} : (!y) -> !x
  return %4 : !x
}

// An odd cycle: one must stay.
// CHECK-LABEL: func.func @an_odd_cycle
// CHECK-COUNT-1: inlay.transpose
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @an_odd_cycle(%x: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %0 = inlay.transpose %x {perm = array<i64: 1, 0>} : (tensor<6x6xf32>) -> tensor<6x6xf32>
  %1 = inlay.add %x, %0 : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
  return %1 : tensor<6x6xf32>
}

// CHECK-LABEL: func.func @gemm_absorbs_transposes
// CHECK-NEXT: inlay.gemm %arg0, %arg1 {transA = 1 : i64, transB = 1 : i64}
// CHECK-NEXT: return
func.func @gemm_absorbs_transposes(%a: tensor<7x6xf32>, %b: tensor<8x7xf32>) -> tensor<6x8xf32> {
  %0 = inlay.transpose %a {perm = array<i64: 1, 0>} : (tensor<7x6xf32>) -> tensor<6x7xf32>
  %1 = inlay.transpose %b {perm = array<i64: 1, 0>} : (tensor<8x7xf32>) -> tensor<7x8xf32>
  %2 = inlay.gemm %0, %1 : (tensor<6x7xf32>, tensor<7x8xf32>) -> tensor<6x8xf32>
  return %2 : tensor<6x8xf32>
}

// Never worse: what cannot be improved stays as it is.
// CHECK-LABEL: func.func @keeps_what_it_cannot_improve
// CHECK-NEXT: inlay.transpose %arg0 {perm = array<i64: 0, 2, 1>}
// CHECK-NEXT: inlay.matmul
// CHECK-NEXT: return
func.func @keeps_what_it_cannot_improve(%a: tensor<5x8x7xf32>, %b: tensor<5x8x6xf32>) -> tensor<5x7x6xf32> {
  %0 = inlay.transpose %a {perm = array<i64: 0, 2, 1>} : (tensor<5x8x7xf32>) -> tensor<5x7x8xf32>
  %1 = inlay.matmul %0, %b : (tensor<5x7x8xf32>, tensor<5x8x6xf32>) -> tensor<5x7x6xf32>
  return %1 : tensor<5x7x6xf32>
}

// The product needs the last dimension last, the output the others swapped: the
// maximum leaves open where the last one stands, and one order serves both.
// CHECK-LABEL: func.func @an_order_that_two_demands_lead_to
// CHECK-NEXT: inlay.transpose %arg0 {perm = array<i64: 2, 1, 0>}
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @an_order_that_two_demands_lead_to(%x: tensor<4x2x3xf32>, %b: tensor<4x5xf32>) -> (tensor<f32>, tensor<3x2xf32>) {
  %0 = inlay.transpose %x {perm = array<i64: 1, 2, 0>} : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %1 = inlay.matmul %0, %b : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  %2 = inlay.reduce_sum %1 {keepdims = 0 : i64} : (tensor<2x3x5xf32>) -> tensor<f32>
  %3 = inlay.abs %0 : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %4 = inlay.reduce_max %3 {axes = array<i64: 2>, keepdims = 0 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3xf32>
  %5 = inlay.transpose %4 {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %2, %5 : tensor<f32>, tensor<3x2xf32>
}

// The same where the dimension has one element in what is picked.
// CHECK-LABEL: func.func @an_order_past_a_single_element
// CHECK-NEXT: inlay.transpose %arg0 {perm = array<i64: 2, 1, 0>}
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @an_order_past_a_single_element(%x: tensor<4x2x3xf32>, %b: tensor<4x5xf32>) -> (tensor<f32>, tensor<3x2x1xf32>) {
  %0 = inlay.transpose %x {perm = array<i64: 1, 2, 0>} : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %1 = inlay.matmul %0, %b : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  %2 = inlay.reduce_sum %1 {keepdims = 0 : i64} : (tensor<2x3x5xf32>) -> tensor<f32>
  %3 = inlay.constant dense<[[[0], [1], [2]], [[3], [2], [1]]]> : tensor<2x3x1xi64>
  %4 = inlay.gather_elements %0, %3 {axis = 2 : i64} : (tensor<2x3x4xf32>, tensor<2x3x1xi64>) -> tensor<2x3x1xf32>
  %5 = inlay.transpose %4 {perm = array<i64: 1, 0, 2>} : (tensor<2x3x1xf32>) -> tensor<3x2x1xf32>
  return %2, %5 : tensor<f32>, tensor<3x2x1xf32>
}

// The product has two orders of its own here, and the output needs a third.
// CHECK-LABEL: func.func @no_order_serves_both
// CHECK-COUNT-2: inlay.transpose
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @no_order_serves_both(%x: tensor<4x2x3xf32>, %b: tensor<2x4x5xf32>) -> (tensor<f32>, tensor<3x2xf32>) {
  %0 = inlay.transpose %x {perm = array<i64: 1, 2, 0>} : (tensor<4x2x3xf32>) -> tensor<2x3x4xf32>
  %1 = inlay.matmul %0, %b : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %2 = inlay.reduce_sum %1 {keepdims = 0 : i64} : (tensor<2x3x5xf32>) -> tensor<f32>
  %3 = inlay.abs %0 : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %4 = inlay.reduce_max %3 {axes = array<i64: 2>, keepdims = 0 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3xf32>
  %5 = inlay.transpose %4 {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %2, %5 : tensor<f32>, tensor<3x2xf32>
}

// Before or behind it the transpose moves as much, and what is reduced lies
// last behind it.
// CHECK-LABEL: func.func @of_equal_plans_one_reduces_the_last_axis
// CHECK-NEXT: %[[T:.*]] = inlay.transpose %arg0 {perm = array<i64: 0, 2, 3, 1>}
// CHECK-NEXT: inlay.softmax %[[T]] {axis = 3 : i64}
// CHECK-NEXT: return
func.func @of_equal_plans_one_reduces_the_last_axis(%x: !x) -> !y {
  %0 = inlay.softmax %x {axis = 1 : i64} : (!x) -> !x
  %1 = inlay.transpose %0 {perm = array<i64: 0, 2, 3, 1>} : (!x) -> !y
  return %1 : !y
}

// No byte more is moved for it, nor one transpose more made.
// CHECK-LABEL: func.func @what_moves_less_comes_first
// CHECK-NEXT: %[[S:.*]] = inlay.softmax %arg0 {axis = 1 : i64}
// CHECK-NEXT: %[[T:.*]] = inlay.transpose %[[S]]
// CHECK-NEXT: return %[[S]], %[[T]]
func.func @what_moves_less_comes_first(%x: !x) -> (!x, !y) {
  %0 = inlay.softmax %x {axis = 1 : i64} : (!x) -> !x
  %1 = inlay.transpose %0 {perm = array<i64: 0, 2, 3, 1>} : (!x) -> !y
  return %0, %1 : !x, !y
}

// What is elementwise has nothing to lie last.
// CHECK-LABEL: func.func @of_other_equal_plans_the_first_is_taken
// CHECK-NEXT: %[[R:.*]] = inlay.relu %arg0
// CHECK-NEXT: inlay.transpose %[[R]]
func.func @of_other_equal_plans_the_first_is_taken(%x: !x) -> !y {
  %0 = inlay.relu %x : (!x) -> !x
  %1 = inlay.transpose %0 {perm = array<i64: 0, 2, 3, 1>} : (!x) -> !y
  return %1 : !y
}
