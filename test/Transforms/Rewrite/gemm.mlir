// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-rewrite | FileCheck %s

// CHECK-LABEL: @matmul_add
func.func @matmul_add(%a: tensor<3x2xf32>, %b: tensor<2x4xf32>, %c: tensor<4xf32>) -> tensor<3x4xf32> {
  // CHECK: %[[Y:.*]] = inlay.gemm %arg0, %arg1, %arg2 : {{.*}} -> tensor<3x4xf32>
  // CHECK-NEXT: return %[[Y]]
  %p = inlay.matmul %a, %b : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %y = inlay.add %c, %p : (tensor<4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: @matmul_add_per_row_of_unknown_height
func.func @matmul_add_per_row_of_unknown_height(%a: tensor<?x2xf32>, %b: tensor<2x4xf32>, %c: tensor<1x4xf32>) -> tensor<?x4xf32> {
  // CHECK: inlay.gemm
  %p = inlay.matmul %a, %b : (tensor<?x2xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
  %y = inlay.add %p, %c : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// One row could be stretched to the rows of the other.
// CHECK-LABEL: @keeps_terms_of_unknown_height
func.func @keeps_terms_of_unknown_height(%a: tensor<?x2xf32>, %b: tensor<2x4xf32>, %c: tensor<?x4xf32>) -> tensor<?x4xf32> {
  // CHECK: inlay.matmul
  %p = inlay.matmul %a, %b : (tensor<?x2xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
  %y = inlay.add %p, %c : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

// CHECK-LABEL: @keeps_terms_that_stretch_the_product
func.func @keeps_terms_that_stretch_the_product(%a: tensor<1x2xf32>, %b: tensor<2x4xf32>, %c: tensor<3x4xf32>, %d: tensor<5x1x4xf32>) -> (tensor<3x4xf32>, tensor<5x1x4xf32>) {
  // CHECK: inlay.matmul
  // CHECK: inlay.matmul
  %p = inlay.matmul %a, %b : (tensor<1x2xf32>, tensor<2x4xf32>) -> tensor<1x4xf32>
  %y = inlay.add %p, %c : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %q = inlay.matmul %a, %b : (tensor<1x2xf32>, tensor<2x4xf32>) -> tensor<1x4xf32>
  %z = inlay.add %q, %d : (tensor<1x4xf32>, tensor<5x1x4xf32>) -> tensor<5x1x4xf32>
  return %y, %z : tensor<3x4xf32>, tensor<5x1x4xf32>
}

// Gemm has matrices, no batches of them.
// CHECK-LABEL: @keeps_batches
func.func @keeps_batches(%a: tensor<5x3x2xf32>, %b: tensor<2x4xf32>, %c: tensor<4xf32>) -> tensor<5x3x4xf32> {
  // CHECK: inlay.matmul
  // CHECK-NEXT: inlay.add
  %p = inlay.matmul %a, %b : (tensor<5x3x2xf32>, tensor<2x4xf32>) -> tensor<5x3x4xf32>
  %y = inlay.add %p, %c : (tensor<5x3x4xf32>, tensor<4xf32>) -> tensor<5x3x4xf32>
  return %y : tensor<5x3x4xf32>
}

// CHECK-LABEL: @keeps_integers
func.func @keeps_integers(%a: tensor<3x2xi32>, %b: tensor<2x4xi32>, %c: tensor<4xi32>) -> tensor<3x4xi32> {
  // CHECK: inlay.matmul
  %p = inlay.matmul %a, %b : (tensor<3x2xi32>, tensor<2x4xi32>) -> tensor<3x4xi32>
  %y = inlay.add %p, %c : (tensor<3x4xi32>, tensor<4xi32>) -> tensor<3x4xi32>
  return %y : tensor<3x4xi32>
}

// CHECK-LABEL: @keeps_a_product_that_is_used_elsewhere
func.func @keeps_a_product_that_is_used_elsewhere(%a: tensor<3x2xf32>, %b: tensor<2x4xf32>, %c: tensor<4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  // CHECK: inlay.matmul
  %p = inlay.matmul %a, %b : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  %y = inlay.add %p, %c : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y, %p : tensor<3x4xf32>, tensor<3x4xf32>
}

// CHECK-LABEL: @gemm_bias
func.func @gemm_bias(%a: tensor<3x2xf32>, %b: tensor<4x2xf32>, %c: tensor<3x1xf32>) -> tensor<3x4xf32> {
  // CHECK: %[[Y:.*]] = inlay.gemm %arg0, %arg1, %arg2 {alpha = 5.000000e-01 : f32, transB = 1 : i64}
  // CHECK-NEXT: return %[[Y]]
  %p = inlay.gemm %a, %b {alpha = 0.5 : f32, beta = 3.0 : f32, transB = 1 : i64} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  %y = inlay.add %p, %c : (tensor<3x4xf32>, tensor<3x1xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: @keeps_gemm_that_has_a_bias
func.func @keeps_gemm_that_has_a_bias(%a: tensor<3x2xf32>, %b: tensor<2x4xf32>, %c: tensor<4xf32>) -> tensor<3x4xf32> {
  // CHECK: inlay.gemm
  // CHECK-NEXT: inlay.add
  %p = inlay.gemm %a, %b, %c : (tensor<3x2xf32>, tensor<2x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  %y = inlay.add %p, %c : (tensor<3x4xf32>, tensor<4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: @gemm_transpose
func.func @gemm_transpose(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> tensor<3x4xf32> {
  // CHECK: %[[Y:.*]] = inlay.gemm %arg0, %arg1 {transA = 1 : i64} :
  // CHECK-NEXT: return %[[Y]]
  %t = inlay.transpose %a {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %u = inlay.transpose %b : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %y = inlay.gemm %t, %u {transB = 1 : i64} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// CHECK-LABEL: @keeps_a_transpose_that_is_used_elsewhere
func.func @keeps_a_transpose_that_is_used_elsewhere(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) -> (tensor<3x4xf32>, tensor<3x2xf32>) {
  // CHECK: inlay.transpose
  // CHECK-NEXT: inlay.gemm %{{[0-9]+}}, %arg1 :
  %t = inlay.transpose %a {perm = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %y = inlay.gemm %t, %b : (tensor<3x2xf32>, tensor<2x4xf32>) -> tensor<3x4xf32>
  return %y, %t : tensor<3x4xf32>, tensor<3x2xf32>
}
