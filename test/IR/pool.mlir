// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @max_pool_gives_values_and_indices
func.func @max_pool_gives_values_and_indices(%x: tensor<1x2x5x5xf32>) {
  // CHECK: inlay.max_pool %{{.*}} {kernel_shape = array<i64: 2, 2>, storage_order = 1 : i64} : ({{.*}}) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64>)
  %0:2 = inlay.max_pool %x {kernel_shape = array<i64: 2, 2>, storage_order = 1 : i64}
      : (tensor<1x2x5x5xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xi64>)
  return
}

// CHECK-LABEL: @other_pools_give_one_result
func.func @other_pools_give_one_result(%x: tensor<1x2x5x5xf32>) {
  // CHECK: inlay.average_pool %{{.*}} {ceil_mode = 1 : i64, count_include_pad = 1 : i64, kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} :
  %0 = inlay.average_pool %x
      {ceil_mode = 1 : i64, count_include_pad = 1 : i64, kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>}
      : (tensor<1x2x5x5xf32>) -> tensor<1x2x3x3xf32>
  // CHECK: inlay.lp_pool %{{.*}} {kernel_shape = array<i64: 2, 2>, p = 3 : i64} :
  %1 = inlay.lp_pool %x {kernel_shape = array<i64: 2, 2>, p = 3 : i64} : (tensor<1x2x5x5xf32>) -> tensor<1x2x4x4xf32>
  // CHECK: inlay.global_average_pool %{{.*}} :
  %2 = inlay.global_average_pool %x : (tensor<1x2x5x5xf32>) -> tensor<1x2x1x1xf32>
  // CHECK: inlay.global_max_pool %{{.*}} :
  %3 = inlay.global_max_pool %x : (tensor<1x2x5x5xf32>) -> tensor<1x2x1x1xf32>
  // CHECK: inlay.global_lp_pool %{{.*}} {p = 1 : i64} :
  %4 = inlay.global_lp_pool %x {p = 1 : i64} : (tensor<1x2x5x5xf32>) -> tensor<1x2x1x1xf32>
  return
}
