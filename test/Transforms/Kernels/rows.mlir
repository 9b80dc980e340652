// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-plan-kernels -inlay-reconstruct | FileCheck %s

// f32: what a reduction gives is used in the row again, twice.
// CHECK-LABEL: @layer_norm_by_hand
// CHECK: inlay.group "none" "kernel_0" kernel <reduce
// CHECK: inlay.mul %{{.*}}, %arg2
// CHECK-NEXT: inlay.add
// CHECK-NEXT: inlay.yield
// CHECK-NOT: inlay.group
// CHECK: return
func.func @layer_norm_by_hand(%x: tensor<4x16xf32>, %skip: tensor<4x16xf32>, %g: tensor<16xf32>, %b: tensor<16xf32>, %eps: tensor<f32>) -> tensor<4x16xf32> {
  %r = inlay.add %x, %skip : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  %m = inlay.reduce_mean %r {axes = array<i64: 1>} : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %d = inlay.sub %r, %m : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  %q = inlay.mul %d, %d : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  %v = inlay.reduce_mean %q {axes = array<i64: -1>} : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %e = inlay.add %v, %eps : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %s = inlay.sqrt %e : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %n = inlay.div %d, %s : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  %o = inlay.mul %n, %g : (tensor<4x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  %y = inlay.add %o, %b : (tensor<4x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  return %y : tensor<4x16xf32>
}

// f33: reductions over different axes are different kernels.
// CHECK-LABEL: @other_axes
// CHECK: inlay.reduce_sum
// CHECK-NEXT: inlay.reduce_sum
// CHECK-NOT: inlay.group
func.func @other_axes(%x: tensor<4x16xf32>) -> (tensor<4x1xf32>, tensor<1x16xf32>) {
  %0 = inlay.reduce_sum %x {axes = array<i64: 1>} : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %1 = inlay.reduce_sum %x {axes = array<i64: 0>} : (tensor<4x16xf32>) -> tensor<1x16xf32>
  return %0, %1 : tensor<4x1xf32>, tensor<1x16xf32>
}

// f33: without keepdims, the row is found through the view.
// CHECK-LABEL: @without_keepdims
// CHECK: kernel <reduce
// CHECK: inlay.reduce_max
// CHECK: inlay.unsqueeze
// CHECK: inlay.sub
// CHECK-NEXT: inlay.yield
func.func @without_keepdims(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %m = inlay.reduce_max %x {axes = array<i64: 1>, keepdims = 0 : i64} : (tensor<4x16xf32>) -> tensor<4xf32>
  %u = inlay.unsqueeze %m {axes = array<i64: 1>} : (tensor<4xf32>) -> tensor<4x1xf32>
  %s = inlay.sub %x, %u : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  return %s : tensor<4x16xf32>
}

// A vector of rows against columns is another element's: 4 = 4 by chance.
// CHECK-LABEL: @rows_against_columns
// CHECK-NOT: inlay.group
func.func @rows_against_columns(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %m = inlay.reduce_max %x {axes = array<i64: 1>, keepdims = 0 : i64} : (tensor<4x4xf32>) -> tensor<4xf32>
  %s = inlay.sub %x, %m : (tensor<4x4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  return %s : tensor<4x4xf32>
}

// f33: a reduction to a scalar is one row; no axes with noop reduce nothing.
// CHECK-LABEL: @all_axes
// CHECK: kernel <reduce
// CHECK: inlay.div
// CHECK-NEXT: inlay.yield
func.func @all_axes(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %m = inlay.reduce_sum %x : (tensor<4x16xf32>) -> tensor<1x1xf32>
  %s = inlay.div %x, %m : (tensor<4x16xf32>, tensor<1x1xf32>) -> tensor<4x16xf32>
  return %s : tensor<4x16xf32>
}

// f34: a small value that two kernels need is computed for both or for none.
// CHECK-LABEL: @needed_by_two
// CHECK: inlay.exp %arg1
// CHECK-NOT: inlay.exp %arg1
func.func @needed_by_two(%x: tensor<64x16xf32>, %v: tensor<16xf32>, %w: tensor<16x8xf32>, %u: tensor<32x16xf32>) -> (tensor<64x8xf32>, tensor<32x16xf32>) {
  %e = inlay.exp %v : (tensor<16xf32>) -> tensor<16xf32>
  %a = inlay.add %x, %e : (tensor<64x16xf32>, tensor<16xf32>) -> tensor<64x16xf32>
  %m = inlay.matmul %a, %w : (tensor<64x16xf32>, tensor<16x8xf32>) -> tensor<64x8xf32>
  %b = inlay.add %u, %e : (tensor<32x16xf32>, tensor<16xf32>) -> tensor<32x16xf32>
  return %m, %b : tensor<64x8xf32>, tensor<32x16xf32>
}

// f35: equal counts are not equal shapes.
// CHECK-LABEL: @equal_counts
// CHECK: inlay.relu
// CHECK-NEXT: inlay.relu
// CHECK-NOT: inlay.group
func.func @equal_counts(%x: tensor<2x6xf32>, %y: tensor<3x4xf32>) -> (tensor<2x6xf32>, tensor<3x4xf32>) {
  %a = inlay.relu %x : (tensor<2x6xf32>) -> tensor<2x6xf32>
  %b = inlay.relu %y : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %a, %b : tensor<2x6xf32>, tensor<3x4xf32>
}

// f35: unknown extents are equal only if they are one: x and y have each their
// own, so that either may be repeated.
// CHECK-LABEL: @unknown_extents
// CHECK: inlay.relu
// CHECK-NEXT: inlay.add
// CHECK-NOT: inlay.group
func.func @unknown_extents(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %a = inlay.relu %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = inlay.add %a, %y : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}

// CHECK-LABEL: @one_unknown_extent
// CHECK: kernel <elementwise
// CHECK-NEXT: inlay.relu
// CHECK-NEXT: inlay.add
func.func @one_unknown_extent(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %a = inlay.relu %x : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = inlay.add %a, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}

// f35: rank 0, one element, no elements.
// CHECK-LABEL: @small_shapes
// CHECK-COUNT-3: kernel <elementwise
func.func @small_shapes(%x: tensor<f32>, %y: tensor<1xf32>, %z: tensor<0x4xf32>) -> (tensor<f32>, tensor<1xf32>, tensor<0x4xf32>) {
  %a = inlay.relu %x : (tensor<f32>) -> tensor<f32>
  %b = inlay.exp %a : (tensor<f32>) -> tensor<f32>
  %c = inlay.relu %y : (tensor<1xf32>) -> tensor<1xf32>
  %d = inlay.exp %c : (tensor<1xf32>) -> tensor<1xf32>
  %e = inlay.relu %z : (tensor<0x4xf32>) -> tensor<0x4xf32>
  %f = inlay.exp %e : (tensor<0x4xf32>) -> tensor<0x4xf32>
  return %b, %d, %f : tensor<f32>, tensor<1xf32>, tensor<0x4xf32>
}
