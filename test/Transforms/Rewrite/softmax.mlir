// RUN: %inlay-opt %s -inlay-rewrite -split-input-file | FileCheck %s

// Divided and multiplied by the reciprocal; axes counted from either end and
// as an operand.
// CHECK-LABEL: func.func @softmax
// CHECK-NEXT: inlay.softmax %arg0 :
// CHECK-NEXT: inlay.softmax %arg0 {axis = -2 : i64}
// CHECK-NEXT: return
!t = tensor<2x?x8xf32>
!m = tensor<2x?x1xf32>
!n = tensor<2x1x8xf32>
func.func @softmax(%x: !t) -> (!t, !t) {
  %axis = inlay.constant dense<1> : tensor<1xi64>
  %0 = inlay.reduce_max %x {axes = array<i64: -1>} : (!t) -> !m
  %1 = inlay.sub %x, %0 : (!t, !m) -> !t
  %2 = inlay.exp %1 : (!t) -> !t
  %3 = inlay.reduce_sum %2 {axes = array<i64: 2>} : (!t) -> !m
  %4 = inlay.div %2, %3 : (!t, !m) -> !t
  %5 = inlay.reduce_max %x, axes %axis : (!t, tensor<1xi64>) -> !n
  %6 = inlay.sub %x, %5 : (!t, !n) -> !t
  %7 = inlay.exp %6 : (!t) -> !t
  %8 = inlay.reduce_sum %7, axes %axis : (!t, tensor<1xi64>) -> !n
  %9 = inlay.reciprocal %8 : (!n) -> !n
  %10 = inlay.mul %9, %7 : (!n, !t) -> !t
  return %4, %10 : !t, !t
}

// -----

// Without the largest element exp overflows where Softmax does not; along two
// axes; the largest along another axis; over twice the sum.
// CHECK-LABEL: func.func @no_softmax
// CHECK-NOT: inlay.softmax
// CHECK: return
!t = tensor<2x4x8xf32>
!m = tensor<2x4x1xf32>
!n = tensor<2x1x8xf32>
!o = tensor<2x1x1xf32>
func.func @no_softmax(%x: !t) -> (!t, !t, !t, !t) {
  %two = inlay.constant dense<2.0> : tensor<f32>
  %0 = inlay.exp %x : (!t) -> !t
  %1 = inlay.reduce_sum %0 {axes = array<i64: 2>} : (!t) -> !m
  %2 = inlay.div %0, %1 : (!t, !m) -> !t
  %3 = inlay.reduce_max %x {axes = array<i64: 1, 2>} : (!t) -> !o
  %4 = inlay.sub %x, %3 : (!t, !o) -> !t
  %5 = inlay.exp %4 : (!t) -> !t
  %6 = inlay.reduce_sum %5 {axes = array<i64: 1, 2>} : (!t) -> !o
  %7 = inlay.div %5, %6 : (!t, !o) -> !t
  %8 = inlay.reduce_max %x {axes = array<i64: 1>} : (!t) -> !n
  %9 = inlay.sub %x, %8 : (!t, !n) -> !t
  %10 = inlay.exp %9 : (!t) -> !t
  %11 = inlay.reduce_sum %10 {axes = array<i64: 2>} : (!t) -> !m
  %12 = inlay.div %10, %11 : (!t, !m) -> !t
  %13 = inlay.reduce_max %x {axes = array<i64: 2>} : (!t) -> !m
  %14 = inlay.sub %x, %13 : (!t, !m) -> !t
  %15 = inlay.exp %14 : (!t) -> !t
  %16 = inlay.reduce_sum %15 {axes = array<i64: 2>} : (!t) -> !m
  %17 = inlay.mul %16, %two : (!m, tensor<f32>) -> !m
  %18 = inlay.div %15, %17 : (!t, !m) -> !t
  return %2, %7, %12, %18 : !t, !t, !t, !t
}

// -----

// CHECK-LABEL: func.func @no_softmax_where_the_sum_is_used
// CHECK-NOT: inlay.softmax
// CHECK: return
!t = tensor<2x8xf32>
!m = tensor<2x1xf32>
func.func @no_softmax_where_the_sum_is_used(%x: !t) -> (!t, !m) {
  %0 = inlay.reduce_max %x {axes = array<i64: 1>} : (!t) -> !m
  %1 = inlay.sub %x, %0 : (!t, !m) -> !t
  %2 = inlay.exp %1 : (!t) -> !t
  %3 = inlay.reduce_sum %2 {axes = array<i64: 1>} : (!t) -> !m
  %4 = inlay.div %2, %3 : (!t, !m) -> !t
  return %4, %3 : !t, !m
}

// -----

// y - log(sum(exp(y))), by ReduceLogSum, by ReduceLogSumExp, and with the
// largest element added back.
// CHECK-LABEL: func.func @log_softmax
// CHECK-COUNT-4: inlay.log_softmax %arg0 :
// CHECK-NEXT: return
!t = tensor<2x8xf32>
!m = tensor<2x1xf32>
func.func @log_softmax(%x: !t) -> (!t, !t, !t, !t) {
  %0 = inlay.reduce_max %x {axes = array<i64: 1>} : (!t) -> !m
  %1 = inlay.sub %x, %0 : (!t, !m) -> !t
  %2 = inlay.exp %1 : (!t) -> !t
  %3 = inlay.reduce_sum %2 {axes = array<i64: 1>} : (!t) -> !m
  %4 = inlay.log %3 : (!m) -> !m
  %5 = inlay.sub %1, %4 : (!t, !m) -> !t
  %6 = inlay.reduce_max %x {axes = array<i64: -1>} : (!t) -> !m
  %7 = inlay.sub %x, %6 : (!t, !m) -> !t
  %8 = inlay.exp %7 : (!t) -> !t
  %9 = inlay.reduce_log_sum %8 {axes = array<i64: -1>} : (!t) -> !m
  %10 = inlay.sub %7, %9 : (!t, !m) -> !t
  %11 = inlay.reduce_log_sum_exp %x {axes = array<i64: 1>} : (!t) -> !m
  %12 = inlay.sub %x, %11 : (!t, !m) -> !t
  %13 = inlay.reduce_max %x {axes = array<i64: 1>} : (!t) -> !m
  %14 = inlay.sub %x, %13 : (!t, !m) -> !t
  %15 = inlay.exp %14 : (!t) -> !t
  %16 = inlay.reduce_sum %15 {axes = array<i64: 1>} : (!t) -> !m
  %17 = inlay.log %16 : (!m) -> !m
  %18 = inlay.add %17, %13 : (!m, !m) -> !m
  %19 = inlay.sub %x, %18 : (!t, !m) -> !t
  return %5, %10, %12, %19 : !t, !t, !t, !t
}

// -----

// The logarithm of a softmax is -inf where that is zero; and another tensor.
// CHECK-LABEL: func.func @no_log_softmax
// CHECK-NOT: inlay.log_softmax
// CHECK: return
!t = tensor<2x8xf32>
!m = tensor<2x1xf32>
func.func @no_log_softmax(%x: !t, %z: !t) -> (!t, !t) {
  %0 = inlay.softmax %x : (!t) -> !t
  %1 = inlay.log %0 : (!t) -> !t
  %2 = inlay.reduce_log_sum_exp %x {axes = array<i64: 1>} : (!t) -> !m
  %3 = inlay.sub %z, %2 : (!t, !m) -> !t
  return %1, %3 : !t, !t
}
