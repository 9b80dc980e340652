// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @axes_are_an_attribute_or_an_operand
func.func @axes_are_an_attribute_or_an_operand(%x: tensor<2x3xf32>, %a: tensor<1xi64>) {
  // CHECK: inlay.reduce_sum %{{.*}} {axes = array<i64: 1>, keepdims = 0 : i64}
  %0 = inlay.reduce_sum %x {axes = array<i64: 1>, keepdims = 0 : i64} : (tensor<2x3xf32>) -> tensor<2xf32>
  // CHECK: inlay.reduce_l2 %{{.*}}, axes %{{.*}} :
  %1 = inlay.reduce_l2 %x, axes %a : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: @axis_of_cumsum_is_an_attribute_or_an_operand
func.func @axis_of_cumsum_is_an_attribute_or_an_operand(%x: tensor<2x3xi32>, %a: tensor<i32>) {
  // CHECK: inlay.cumsum %{{.*}} {axis = -1 : i64, reverse = 1 : i64}
  %0 = inlay.cumsum %x {axis = -1 : i64, reverse = 1 : i64} : (tensor<2x3xi32>) -> tensor<2x3xi32>
  // CHECK: inlay.cumsum %{{.*}}, axis %{{.*}} :
  %1 = inlay.cumsum %x, axis %a : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x3xi32>
  return
}

// CHECK-LABEL: @k_is_an_attribute_or_an_operand
func.func @k_is_an_attribute_or_an_operand(%x: tensor<2x3xf32>, %k: tensor<1xi64>) {
  // CHECK: inlay.topk %{{.*}} {k = 2 : i64}
  %0:2 = inlay.topk %x {k = 2 : i64} : (tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2xi64>)
  // CHECK: inlay.topk %{{.*}}, k %{{.*}} :
  %1:2 = inlay.topk %x, k %k : (tensor<2x3xf32>, tensor<1xi64>) -> (tensor<2x?xf32>, tensor<2x?xi64>)
  return
}
