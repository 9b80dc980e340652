// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-rewrite | FileCheck %s

// CHECK-LABEL: @factors
func.func @factors(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %a = inlay.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %b = inlay.constant dense<5.0> : tensor<f32>
  // CHECK: %[[C:.*]] = inlay.constant dense<[1.000000e+01, 1.500000e+01]> : tensor<2xf32>
  // CHECK: %[[Y:.*]] = inlay.mul %arg0, %[[C]]
  // CHECK-NEXT: return %[[Y]]
  %p = inlay.mul %x, %a : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  %y = inlay.mul %b, %p : (tensor<f32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// CHECK-LABEL: @quotients
func.func @quotients(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = inlay.constant dense<2.0> : tensor<f32>
  %b = inlay.constant dense<8.0> : tensor<f32>
  // CHECK-DAG: %[[C:.*]] = inlay.constant dense<4.000000e+00> : tensor<f32>
  // CHECK-DAG: inlay.mul %arg0, %[[C]]
  // CHECK-DAG: %[[D:.*]] = inlay.constant dense<6.250000e-02> : tensor<f32>
  // CHECK-DAG: inlay.mul %arg0, %[[D]]
  %p = inlay.div %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = inlay.mul %p, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %q = inlay.div %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %z = inlay.div %q, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: @terms
func.func @terms(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = inlay.constant dense<2.0> : tensor<f32>
  %b = inlay.constant dense<5.0> : tensor<f32>
  // CHECK: %[[C:.*]] = inlay.constant dense<-3.000000e+00> : tensor<f32>
  // CHECK: inlay.add %arg0, %[[C]]
  // CHECK-NEXT: return
  %p = inlay.add %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = inlay.sub %p, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: @keeps_a_value_that_is_subtracted
func.func @keeps_a_value_that_is_subtracted(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = inlay.constant dense<2.0> : tensor<f32>
  // CHECK: inlay.sub
  // CHECK-NEXT: inlay.add
  %p = inlay.sub %a, %x : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>
  %y = inlay.add %p, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// A column times a row would be a matrix.
// CHECK-LABEL: @keeps_constants_that_would_grow
func.func @keeps_constants_that_would_grow(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %a = inlay.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %b = inlay.constant dense<5.0> : tensor<4x1xf32>
  // CHECK: inlay.mul
  // CHECK-NEXT: inlay.mul
  %p = inlay.mul %x, %a : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  %y = inlay.mul %p, %b : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// The product of both is no float, although that of all three may be.
// CHECK-LABEL: @keeps_factors_out_of_range
func.func @keeps_factors_out_of_range(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = inlay.constant dense<1.0e+30> : tensor<f32>
  // CHECK: inlay.mul
  // CHECK-NEXT: inlay.mul
  %p = inlay.mul %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = inlay.mul %p, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// x + 2^23 - 2^23 is the nearest integer.
// CHECK-LABEL: @keeps_terms_that_round
func.func @keeps_terms_that_round(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = inlay.constant dense<8388608.0> : tensor<f32>
  // CHECK: inlay.add
  // CHECK-NEXT: inlay.sub
  %p = inlay.add %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = inlay.sub %p, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: @keeps_a_product_that_is_used_elsewhere
func.func @keeps_a_product_that_is_used_elsewhere(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = inlay.constant dense<2.0> : tensor<f32>
  // CHECK: inlay.mul
  // CHECK-NEXT: inlay.mul
  %p = inlay.mul %x, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %y = inlay.mul %p, %a : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y, %p : tensor<4xf32>, tensor<4xf32>
}

// Integers divide to integers.
// CHECK-LABEL: @keeps_integers
func.func @keeps_integers(%x: tensor<4xi32>) -> tensor<4xi32> {
  %a = inlay.constant dense<2> : tensor<i32>
  // CHECK: inlay.div
  // CHECK-NEXT: inlay.mul
  %p = inlay.div %x, %a : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %y = inlay.mul %p, %a : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return %y : tensor<4xi32>
}
