// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/int8.yaml -inlay-rewrite | FileCheck %s --check-prefixes=CHECK,INT8
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-rewrite | FileCheck %s --check-prefixes=CHECK,NONE

// The bias has the scale of the products, 0.5 * 0.25 and 0.5 * 0.125.
// CHECK-LABEL: @conv_per_channel
func.func @conv_per_channel(%x: tensor<1x3x8x8xi8>) -> tensor<1x2x6x6xi8> {
  // INT8-DAG: %[[B:.*]] = inlay.constant dense<[8, -32]> : tensor<2xi32>
  // INT8: %[[Y:.*]] = inlay.qlinear_conv %arg0 {{.*}}, bias %[[B]]
  // INT8-NEXT: return %[[Y]]
  // NONE-NOT: inlay.qlinear_conv
  // NONE: inlay.conv
  %s = inlay.constant dense<0.5> : tensor<f32>
  %z = inlay.constant dense<3> : tensor<i8>
  %q = inlay.constant dense<1> : tensor<2x3x3x3xi8>
  %ws = inlay.constant dense<[0.25, 0.125]> : tensor<2xf32>
  %b = inlay.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %r = inlay.dequantize_linear %x, %s, %z : (tensor<1x3x8x8xi8>, tensor<f32>, tensor<i8>) -> tensor<1x3x8x8xf32>
  %w = inlay.dequantize_linear %q, %ws {axis = 0 : i64} : (tensor<2x3x3x3xi8>, tensor<2xf32>) -> tensor<2x3x3x3xf32>
  %c = inlay.conv %r, %w, %b : (tensor<1x3x8x8xf32>, tensor<2x3x3x3xf32>, tensor<2xf32>) -> tensor<1x2x6x6xf32>
  %y = inlay.quantize_linear %c, %s, %z : (tensor<1x2x6x6xf32>, tensor<f32>, tensor<i8>) -> tensor<1x2x6x6xi8>
  return %y : tensor<1x2x6x6xi8>
}

// Weights with a scale per input channel have no integer operator.
// CHECK-LABEL: @keeps_conv_per_input_channel
func.func @keeps_conv_per_input_channel(%x: tensor<1x2x8x8xi8>) -> tensor<1x2x8x8xi8> {
  // CHECK: inlay.conv
  %s = inlay.constant dense<0.5> : tensor<f32>
  %z = inlay.constant dense<3> : tensor<i8>
  %q = inlay.constant dense<1> : tensor<2x2x1x1xi8>
  %ws = inlay.constant dense<[0.25, 0.125]> : tensor<2xf32>
  %r = inlay.dequantize_linear %x, %s, %z : (tensor<1x2x8x8xi8>, tensor<f32>, tensor<i8>) -> tensor<1x2x8x8xf32>
  %w = inlay.dequantize_linear %q, %ws {axis = 1 : i64} : (tensor<2x2x1x1xi8>, tensor<2xf32>) -> tensor<2x2x1x1xf32>
  %c = inlay.conv %r, %w : (tensor<1x2x8x8xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x8x8xf32>
  %y = inlay.quantize_linear %c, %s, %z : (tensor<1x2x8x8xf32>, tensor<f32>, tensor<i8>) -> tensor<1x2x8x8xi8>
  return %y : tensor<1x2x8x8xi8>
}

// The zero point is the lowest number, so that the quantiser cuts off below 0.
// CHECK-LABEL: @relu_that_the_quantiser_does
func.func @relu_that_the_quantiser_does(%x: tensor<2x3xi8>) -> tensor<2x3xi8> {
  // INT8-NOT: inlay.relu
  // INT8: inlay.qlinear_add
  // INT8-NOT: inlay.relu
  // INT8: return
  %s = inlay.constant dense<0.5> : tensor<f32>
  %z = inlay.constant dense<-128> : tensor<i8>
  %r = inlay.dequantize_linear %x, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %a = inlay.add %r, %r : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = inlay.relu %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = inlay.quantize_linear %p, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return %y : tensor<2x3xi8>
}

// CHECK-LABEL: @keeps_relu_that_the_quantiser_does_not
func.func @keeps_relu_that_the_quantiser_does_not(%x: tensor<2x3xi8>) -> tensor<2x3xi8> {
  // CHECK: inlay.add
  // CHECK: inlay.relu
  %s = inlay.constant dense<0.5> : tensor<f32>
  %z = inlay.constant dense<-127> : tensor<i8>
  %r = inlay.dequantize_linear %x, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %a = inlay.add %r, %r : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %p = inlay.relu %a : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = inlay.quantize_linear %p, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return %y : tensor<2x3xi8>
}

// CHECK-LABEL: @keeps_sum_that_is_read_in_floats
func.func @keeps_sum_that_is_read_in_floats(%x: tensor<2x3xi8>) -> (tensor<2x3xi8>, tensor<2x3xf32>) {
  // CHECK: inlay.add
  %s = inlay.constant dense<0.5> : tensor<f32>
  %z = inlay.constant dense<-128> : tensor<i8>
  %r = inlay.dequantize_linear %x, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %a = inlay.add %r, %r : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %y = inlay.quantize_linear %a, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return %y, %a : tensor<2x3xi8>, tensor<2x3xf32>
}

// CHECK-LABEL: @gemm_with_bias
func.func @gemm_with_bias(%x: tensor<2x3xi8>, %q: tensor<4x3xi8>) -> tensor<2x4xi8> {
  // INT8: inlay.qgemm %arg0 {{.*}} {transB = 1 : i64}
  // NONE: inlay.gemm
  %s = inlay.constant dense<0.5> : tensor<f32>
  %z = inlay.constant dense<3> : tensor<i8>
  %b = inlay.constant dense<[1.0, -2.0, 3.0, 0.0]> : tensor<4xf32>
  %r = inlay.dequantize_linear %x, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %w = inlay.dequantize_linear %q, %s : (tensor<4x3xi8>, tensor<f32>) -> tensor<4x3xf32>
  %g = inlay.gemm %r, %w, %b {transB = 1 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %y = inlay.quantize_linear %g, %s, %z : (tensor<2x4xf32>, tensor<f32>, tensor<i8>) -> tensor<2x4xi8>
  return %y : tensor<2x4xi8>
}

// CHECK-LABEL: @concat_of_two_scales
func.func @concat_of_two_scales(%x: tensor<2x3xi8>) -> tensor<2x6xi8> {
  // INT8: inlay.qlinear_concat %arg0, {{.*}}, %arg0, {{.*}} {axis = 1 : i64}
  // NONE: inlay.concat
  %s = inlay.constant dense<0.5> : tensor<f32>
  %t = inlay.constant dense<0.25> : tensor<f32>
  %z = inlay.constant dense<3> : tensor<i8>
  %a = inlay.dequantize_linear %x, %s, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %b = inlay.dequantize_linear %x, %t, %z : (tensor<2x3xi8>, tensor<f32>, tensor<i8>) -> tensor<2x3xf32>
  %c = inlay.concat %a, %b {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  %y = inlay.quantize_linear %c, %s, %z : (tensor<2x6xf32>, tensor<f32>, tensor<i8>) -> tensor<2x6xi8>
  return %y : tensor<2x6xi8>
}

// Exact, and so for every target.
// CHECK-LABEL: @max_pool_of_integers
func.func @max_pool_of_integers(%x: tensor<1x2x4x4xi8>) -> tensor<1x2x2x2xi8> {
  // CHECK-NOT: inlay.dequantize_linear
  // CHECK: inlay.max_pool %arg0 {{.*}} : (tensor<1x2x4x4xi8>) -> (tensor<1x2x2x2xi8>,
  %s = inlay.constant dense<0.5> : tensor<f32>
  %z = inlay.constant dense<3> : tensor<i8>
  %r = inlay.dequantize_linear %x, %s, %z : (tensor<1x2x4x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x2x4x4xf32>
  %p, %i = inlay.max_pool %r {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x4x4xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xi64>)
  %y = inlay.quantize_linear %p, %s, %z : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<i8>) -> tensor<1x2x2x2xi8>
  return %y : tensor<1x2x2x2xi8>
}

// CHECK-LABEL: @keeps_max_pool_to_another_scale
func.func @keeps_max_pool_to_another_scale(%x: tensor<1x2x4x4xi8>) -> tensor<1x2x2x2xi8> {
  // CHECK: inlay.dequantize_linear
  // CHECK: inlay.max_pool
  %s = inlay.constant dense<0.5> : tensor<f32>
  %t = inlay.constant dense<0.25> : tensor<f32>
  %z = inlay.constant dense<3> : tensor<i8>
  %r = inlay.dequantize_linear %x, %s, %z : (tensor<1x2x4x4xi8>, tensor<f32>, tensor<i8>) -> tensor<1x2x4x4xf32>
  %p, %i = inlay.max_pool %r {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x2x4x4xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xi64>)
  %y = inlay.quantize_linear %p, %t, %z : (tensor<1x2x2x2xf32>, tensor<f32>, tensor<i8>) -> tensor<1x2x2x2xi8>
  return %y : tensor<1x2x2x2xi8>
}
