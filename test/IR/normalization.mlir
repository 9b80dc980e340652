// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @batch_normalization_has_three_results
func.func @batch_normalization_has_three_results(%x: tensor<?x3x4x4xf32>, %p: tensor<3xf32>)
    -> tensor<?x3x4x4xf32> {
  // CHECK: inlay.batch_normalization %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {epsilon = 1.000000e-03 : f32}
  %0:3 = inlay.batch_normalization %x, %p, %p, %p, %p {epsilon = 1.0e-3 : f32}
      : (tensor<?x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      -> (tensor<?x3x4x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return %0#0 : tensor<?x3x4x4xf32>
}

// CHECK-LABEL: @layer_normalization_bias_is_optional
func.func @layer_normalization_bias_is_optional(%x: tensor<2x4xf32>, %p: tensor<4xf32>) -> tensor<2x4xf32> {
  // CHECK: inlay.layer_normalization %{{.*}}, %{{.*}} :
  %0:3 = inlay.layer_normalization %x, %p : (tensor<2x4xf32>, tensor<4xf32>)
      -> (tensor<2x4xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  // CHECK: inlay.layer_normalization %{{.*}}, %{{.*}}, %{{.*}} :
  %1:3 = inlay.layer_normalization %0#0, %p, %p : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
      -> (tensor<2x4xf32>, tensor<2x1xf32>, tensor<2x1xf32>)
  return %1#0 : tensor<2x4xf32>
}

// CHECK-LABEL: @softmax_of_old_opsets_is_flagged
func.func @softmax_of_old_opsets_is_flagged(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  // CHECK: inlay.softmax %{{.*}} {axis = 3 : i64, coerce_2d}
  %0 = inlay.softmax %x {axis = 3 : i64, coerce_2d} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// CHECK-LABEL: @scales_may_be_per_group
func.func @scales_may_be_per_group(%x: tensor<2x6x4xf32>, %p: tensor<2xf32>) -> tensor<2x6x4xf32> {
  // CHECK: inlay.group_normalization {{.*}} {num_groups = 2 : i64, per_group_scale}
  %0 = inlay.group_normalization %x, %p, %p {num_groups = 2 : i64, per_group_scale}
      : (tensor<2x6x4xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x6x4xf32>
  return %0 : tensor<2x6x4xf32>
}
