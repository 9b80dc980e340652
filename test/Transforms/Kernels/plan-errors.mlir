// Marks that nobody has made by planning.
// RUN: not %inlay-opt %s -split-input-file -inlay-reconstruct 2>&1 | FileCheck %s

// CHECK: error: 'inlay.in_kernel' of 'inlay.tanh' names no kernel of the function
func.func @beyond(%x: tensor<4xf32>) -> tensor<4xf32> attributes {inlay.planned_kernels = [["kernel_0", "elementwise"]]} {
  %t = inlay.tanh %x {inlay.in_kernel = array<i64: 1, 0>} : (tensor<4xf32>) -> tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// CHECK: error: 'inlay.planned_kernels' lists something else than names and classes
func.func @list(%x: tensor<4xf32>) -> tensor<4xf32> attributes {inlay.planned_kernels = ["kernel_0"]} {
  %t = inlay.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// Two kernels that wait for one another.
// CHECK: error: {{.*}}does not dominate this use
func.func @cycle(%x: tensor<4xf32>) -> tensor<4xf32> attributes {inlay.planned_kernels = [["kernel_0", "elementwise"], ["kernel_1", "elementwise"]]} {
  %a = inlay.tanh %x {inlay.in_kernel = array<i64: 0, 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %b = inlay.exp %a {inlay.in_kernel = array<i64: 1, 0>} : (tensor<4xf32>) -> tensor<4xf32>
  %c = inlay.add %a, %b {inlay.in_kernel = array<i64: 0, 1>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
