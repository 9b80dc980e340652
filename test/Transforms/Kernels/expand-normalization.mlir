// RUN: %inlay-opt %s -inlay-expand -mlir-print-debuginfo=false | FileCheck %s

// Requirement f40: results besides the first are joined where somebody uses them.
// CHECK-LABEL: func @statistics
// CHECK: %[[MEAN:.*]] = inlay.reduce_mean %arg0 {axes = array<i64: 1>
// CHECK: %[[D:.*]] = inlay.sub %arg0, %[[MEAN]]
// CHECK: %[[DD:.*]] = inlay.mul %[[D]], %[[D]]
// CHECK: %[[VAR:.*]] = inlay.reduce_mean %[[DD]]
// CHECK: %[[INV:.*]] = inlay.reciprocal
// CHECK: %[[N:.*]] = inlay.mul %[[D]], %[[INV]]
// CHECK: %[[Y:.*]] = inlay.mul %[[N]], %arg1
// CHECK: %result, %mean, %inv_std_dev = inlay.layer_normalization
// CHECK: inlay.expanded %result, %inv_std_dev as %[[Y]], %[[INV]] {inlay.expansion = 0 : i64}
func.func @statistics(%x: tensor<4x8xf32>, %s: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>) {
  %y, %m, %i = inlay.layer_normalization %x, %s : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>)
  return %y, %i : tensor<4x8xf32>, tensor<4x1xf32>
}

// The stash type says how exact the mean is at least.
// CHECK-LABEL: func @stashed
// CHECK: inlay.cast %arg0 {inlay.expansion = 0 : i64, to = 11 : i64} {{.*}} -> tensor<4x8xf64>
// CHECK: inlay.reduce_mean {{.*}} -> tensor<4x1xf64>
func.func @stashed(%x: tensor<4x8xf32>, %s: tensor<8xf32>) -> tensor<4x8xf32> {
  %y, %m, %i = inlay.layer_normalization %x, %s {stash_type = 11 : i64} : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf64>, tensor<4x1xf64>)
  return %y : tensor<4x8xf32>
}

// Requirement f40: a scale per group is applied to groups, one per channel behind.
// CHECK-LABEL: func @per_group
// CHECK: inlay.reshape %arg0 {inlay.expansion = 0 : i64, shape = array<i64: 2, 2, 12>}
// CHECK: inlay.mul {{.*}} : (tensor<2x2x12xf32>, tensor<2x1xf32>) -> tensor<2x2x12xf32>
// CHECK: inlay.add {{.*}} : (tensor<2x2x12xf32>, tensor<2x1xf32>) -> tensor<2x2x12xf32>
// CHECK: inlay.reshape {{.*}} -> tensor<2x6x4xf32>
// CHECK: inlay.group_normalization
// CHECK-LABEL: func @per_channel
// CHECK: inlay.reshape {{.*}} -> tensor<2x6x4xf32>
// CHECK: inlay.mul {{.*}} : (tensor<2x6x4xf32>, tensor<6x1xf32>) -> tensor<2x6x4xf32>
// CHECK: inlay.add {{.*}} : (tensor<2x6x4xf32>, tensor<6x1xf32>) -> tensor<2x6x4xf32>
// CHECK: inlay.group_normalization
func.func @per_group(%x: tensor<2x6x4xf32>, %s: tensor<2xf32>) -> tensor<2x6x4xf32> {
  %y = inlay.group_normalization %x, %s, %s {num_groups = 2 : i64, per_group_scale} : (tensor<2x6x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x6x4xf32>
  return %y : tensor<2x6x4xf32>
}
func.func @per_channel(%x: tensor<2x6x4xf32>, %s: tensor<6xf32>) -> tensor<2x6x4xf32> {
  %y = inlay.group_normalization %x, %s, %s {num_groups = 2 : i64} : (tensor<2x6x4xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x4xf32>
  return %y : tensor<2x6x4xf32>
}

// Unknown extents: the groups, and the shape at run time.
// CHECK-LABEL: func @unknown_extents
// CHECK: inlay.reshape %arg0 {inlay.expansion = 0 : i64, shape = array<i64: 0, 2, -1>}
// CHECK: %[[SHAPE:.*]] = inlay.shape %arg0
// CHECK: inlay.reshape {{.*}}, shape %[[SHAPE]]
func.func @unknown_extents(%x: tensor<?x6x?xf32>, %s: tensor<6xf32>) -> tensor<?x6x?xf32> {
  %y = inlay.group_normalization %x, %s, %s {num_groups = 2 : i64} : (tensor<?x6x?xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<?x6x?xf32>
  return %y : tensor<?x6x?xf32>
}

// A window over channels is a pool of one spatial dimension more.
// CHECK-LABEL: func @lrn
// CHECK: inlay.average_pool {{.*}} {count_include_pad = 1 : i64, inlay.expansion = 0 : i64, kernel_shape = array<i64: 4, 1, 1>, pads = array<i64: 1, 0, 0, 2, 0, 0>} : (tensor<1x1x6x3x3xf32>)
func.func @lrn(%x: tensor<1x6x3x3xf32>) -> tensor<1x6x3x3xf32> {
  %y = inlay.lrn %x {size = 4 : i64} : (tensor<1x6x3x3xf32>) -> tensor<1x6x3x3xf32>
  return %y : tensor<1x6x3x3xf32>
}

// An operator of the expansion that would be expanded itself is.
// CHECK-LABEL: func @loss
// CHECK-NOT: inlay.log_softmax
// CHECK: inlay.reduce_max {{.*}}inlay.expansion = 0 : i64
// CHECK: inlay.gather_elements {{.*}}inlay.expansion = 0 : i64
// CHECK: inlay.softmax_cross_entropy_loss
// CHECK: inlay.expanded {{.*}}inlay.expansion = 0 : i64
func.func @loss(%x: tensor<4x8xf32>, %t: tensor<4xi64>) -> tensor<f32> {
  %y, %p = inlay.softmax_cross_entropy_loss %x, %t : (tensor<4x8xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4x8xf32>)
  return %y : tensor<f32>
}

// Statistics of the batch itself are not expanded.
// CHECK-LABEL: func @training
// CHECK-NEXT: inlay.batch_normalization
// CHECK-NEXT: return
func.func @training(%x: tensor<2x3xf32>, %s: tensor<3xf32>) -> tensor<2x3xf32> {
  %y, %m, %v = inlay.batch_normalization %x, %s, %s, %s, %s {training_mode = 1 : i64} : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return %y : tensor<2x3xf32>
}
