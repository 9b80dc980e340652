// Marks that nobody has made by planning.
// RUN: not %inlay-opt %s -split-input-file -inlay-reconstruct 2>&1 | FileCheck %s

// CHECK: error: 'inlay.in_kernel' of 'inlay.tanh' names no kernel of the function
func.func @beyond(%x: tensor<4xf32>) -> tensor<4xf32> attributes {inlay.planned_kernels = [["kernel_0", "elementwise"]]} {
  %t = inlay.tanh %x {inlay.in_kernel = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// CHECK: error: 'inlay.planned_kernels' lists something else than kernels of the function
func.func @list(%x: tensor<4xf32>) -> tensor<4xf32> attributes {inlay.planned_kernels = ["kernel_0"]} {
  %t = inlay.tanh %x : (tensor<4xf32>) -> tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// Two kernels that wait for one another.
// CHECK: error: {{.*}}does not dominate this use
func.func @cycle(%x: tensor<4xf32>) -> tensor<4xf32> attributes {inlay.planned_kernels = [["kernel_0", "elementwise"], ["kernel_1", "elementwise"]]} {
  %a = inlay.tanh %x {inlay.in_kernel = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %b = inlay.exp %a {inlay.in_kernel = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %c = inlay.add %a, %b {inlay.in_kernel = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}

// -----

// CHECK: error: 'inlay.planned_kernels' lists something else than kernels of the function
func.func @places(%x: tensor<4xf32>) -> tensor<4xf32> attributes {inlay.planned_kernels = [["kernel_0", "elementwise", array<i64: 0, 2>]]} {
  %a = inlay.tanh %x {inlay.in_kernel = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %b = inlay.exp %a {inlay.in_kernel = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

// CHECK: error: 'inlay.in_kernel' of 'inlay.exp' names a kernel with operators of another body
func.func @two_bodies(%x: tensor<4xf32>, %c: tensor<i1>) -> tensor<4xf32> attributes {inlay.planned_kernels = [["kernel_0", "elementwise"]]} {
  %a = inlay.tanh %x {inlay.in_kernel = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %b = inlay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %d = inlay.exp %a {inlay.in_kernel = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %d : tensor<4xf32>
  } else {
    inlay.yield %a : tensor<4xf32>
  }
  return %b : tensor<4xf32>
}

// -----

// CHECK: error: 'kernel_0' is planned as a kernel of class 'reduce', its operators make one of class 'elementwise'
func.func @other_class(%x: tensor<4xf32>) -> tensor<4xf32> attributes {inlay.planned_kernels = [["kernel_0", "reduce"]]} {
  %a = inlay.tanh %x {inlay.in_kernel = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  %b = inlay.exp %a {inlay.in_kernel = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
