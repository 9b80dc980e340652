// RUN: %inlay-opt %s -inlay-expand="all replace" -mlir-print-debuginfo=false | FileCheck %s
// RUN: %inlay-opt %s -inlay-expand -mlir-print-debuginfo=false | FileCheck %s --check-prefix=DEFAULT

// Requirement f33: which elements a reduction combines, and what is left of the
// dimensions, stays the same in every spelling. Reductions that the rules of
// kernels know stay whole unless all are asked for.

// DEFAULT-LABEL: func @mean
// DEFAULT-NEXT: inlay.reduce_mean
// DEFAULT-NEXT: return

// CHECK-LABEL: func @mean
// CHECK: %[[SUM:.*]] = inlay.reduce_sum %arg0 {axes = array<i64: 1>, keepdims = 0 : i64} {{.*}} -> tensor<2x4xf32>
// CHECK: %[[N:.*]] = inlay.constant dense<3.000000e+00> : tensor<f32>
// CHECK: inlay.div %[[SUM]], %[[N]]
func.func @mean(%x: tensor<2x3x4xf32>) -> tensor<2x4xf32> {
  %y = inlay.reduce_mean %x {axes = array<i64: 1>, keepdims = 0 : i64} : (tensor<2x3x4xf32>) -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// Integers are divided, not multiplied by a fraction.
// CHECK-LABEL: func @mean_of_integers
// CHECK: %[[N:.*]] = inlay.constant dense<12> : tensor<i32>
// CHECK: inlay.div {{.*}}, %[[N]] : (tensor<2x1x1xi32>, tensor<i32>) -> tensor<2x1x1xi32>
func.func @mean_of_integers(%x: tensor<2x3x4xi32>) -> tensor<2x1x1xi32> {
  %y = inlay.reduce_mean %x {axes = array<i64: 1, -1>} : (tensor<2x3x4xi32>) -> tensor<2x1x1xi32>
  return %y : tensor<2x1x1xi32>
}

// CHECK-LABEL: func @mean_of_all
// CHECK: inlay.reduce_sum %arg0 {keepdims = 0 : i64} {{.*}} -> tensor<f32>
// CHECK: inlay.constant dense<2.400000e+01>
func.func @mean_of_all(%x: tensor<2x3x4xf32>) -> tensor<f32> {
  %y = inlay.reduce_mean %x {keepdims = 0 : i64} : (tensor<2x3x4xf32>) -> tensor<f32>
  return %y : tensor<f32>
}

// No axes may also mean that nothing is reduced.
// CHECK-LABEL: func @mean_of_none
// CHECK-NEXT: inlay.identity %arg0
// CHECK-NEXT: return
func.func @mean_of_none(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = inlay.reduce_mean %x {axes = array<i64>, noop_with_empty_axes = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// An extent that is unknown is counted at run time.
// CHECK-LABEL: func @mean_of_unknown
// CHECK: %[[SHAPE:.*]] = inlay.shape %arg0
// CHECK: %[[TAKEN:.*]] = inlay.gather %[[SHAPE]]
// CHECK: %[[N:.*]] = inlay.reduce_prod %[[TAKEN]]
// CHECK: inlay.cast %[[N]] {to = 1 : i64}
func.func @mean_of_unknown(%x: tensor<2x?xf32>) -> tensor<2x1xf32> {
  %y = inlay.reduce_mean %x {axes = array<i64: 1>} : (tensor<2x?xf32>) -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}

// Axes that are computed are passed on where that is enough.
// CHECK-LABEL: func @computed_axes
// CHECK: %[[ABS:.*]] = inlay.abs %arg0
// CHECK: inlay.reduce_sum %[[ABS]], axes %arg1
// CHECK: inlay.reduce_mean %arg0, axes %arg1
func.func @computed_axes(%x: tensor<2x3xf32>, %axes: tensor<1xi64>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %l = inlay.reduce_l1 %x, axes %axes : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  %m = inlay.reduce_mean %x, axes %axes : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %l, %m : tensor<?x?xf32>, tensor<?x?xf32>
}

// Requirement f39: nothing overflows, and a row of -inf is not NaN.
// CHECK-LABEL: func @log_sum_exp
// CHECK: %[[MAX:.*]] = inlay.reduce_max %arg0 {axes = array<i64: 1>}
// CHECK: %[[FINITE:.*]] = inlay.less
// CHECK: %[[SHIFT:.*]] = inlay.where %[[FINITE]], %[[MAX]]
// CHECK: inlay.sub %arg0, %[[SHIFT]]
// CHECK: %[[Y:.*]] = inlay.add {{.*}}, %[[SHIFT]]
// CHECK: inlay.reshape %[[Y]] {shape = array<i64: 2>} : (tensor<2x1xf32>) -> tensor<2xf32>
func.func @log_sum_exp(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %y = inlay.reduce_log_sum_exp %x {axes = array<i64: 1>, keepdims = 0 : i64} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
