// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @gathers
func.func @gathers(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>) {
  // CHECK: inlay.gather %{{.*}}, %{{.*}} {axis = -1 : i64} :
  %0 = inlay.gather %x, %i {axis = -1 : i64} : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<3x2x1xf32>
  // CHECK: inlay.gather_elements %{{.*}}, %{{.*}} :
  %1 = inlay.gather_elements %x, %i : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<2x1xf32>
  // CHECK: inlay.gather_nd %{{.*}}, %{{.*}} :
  %2 = inlay.gather_nd %x, %i : (tensor<3x4xf32>, tensor<2x1xi64>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: @scatters_combine
func.func @scatters_combine(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x1xf32>, %v: tensor<2x4xf32>) {
  // CHECK: inlay.scatter_elements %{{.*}}, %{{.*}}, %{{.*}} {axis = 1 : i64, reduction = "add"} :
  %0 = inlay.scatter_elements %x, %i, %u {axis = 1 : i64, reduction = "add"}
      : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2x1xf32>) -> tensor<3x4xf32>
  // CHECK: inlay.scatter_nd %{{.*}}, %{{.*}}, %{{.*}} {reduction = "max"} :
  %1 = inlay.scatter_nd %x, %i, %v {reduction = "max"}
      : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: @indices_as_values
func.func @indices_as_values(%x: tensor<3x4xi64>, %d: tensor<i64>, %v: tensor<2xf32>) {
  // CHECK: inlay.non_zero %{{.*}} :
  %0 = inlay.non_zero %x : (tensor<3x4xi64>) -> tensor<2x?xi64>
  // CHECK: inlay.one_hot %{{.*}}, %{{.*}}, %{{.*}} {axis = 0 : i64} :
  %1 = inlay.one_hot %x, %d, %v {axis = 0 : i64}
      : (tensor<3x4xi64>, tensor<i64>, tensor<2xf32>) -> tensor<?x3x4xf32>
  return
}
