// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @bias_is_optional
func.func @bias_is_optional(%x: tensor<1x4x8xf32>, %w: tensor<6x2x3xf32>, %b: tensor<6xf32>) {
  // CHECK: inlay.conv %{{.*}}, %{{.*}} {group = 2 : i64} :
  %0 = inlay.conv %x, %w {group = 2 : i64} : (tensor<1x4x8xf32>, tensor<6x2x3xf32>) -> tensor<1x6x6xf32>
  // CHECK: inlay.conv %{{.*}}, %{{.*}}, %{{.*}} {group = 2 : i64, pads = array<i64: 1, 1>} :
  %1 = inlay.conv %x, %w, %b {group = 2 : i64, pads = array<i64: 1, 1>}
      : (tensor<1x4x8xf32>, tensor<6x2x3xf32>, tensor<6xf32>) -> tensor<1x6x8xf32>
  return
}

// CHECK-LABEL: @transposed_convolution_has_output_padding
func.func @transposed_convolution_has_output_padding(%x: tensor<1x4x8xf32>, %w: tensor<4x2x3xf32>) {
  // CHECK: inlay.conv_transpose %{{.*}}, %{{.*}} {output_padding = array<i64: 1>, strides = array<i64: 2>} :
  %0 = inlay.conv_transpose %x, %w {output_padding = array<i64: 1>, strides = array<i64: 2>}
      : (tensor<1x4x8xf32>, tensor<4x2x3xf32>) -> tensor<1x2x18xf32>
  return
}

// CHECK-LABEL: @either_zero_point_may_be_absent
func.func @either_zero_point_may_be_absent(%x: tensor<1x2x3xui8>, %w: tensor<3x2x2xi8>, %z: tensor<3xi8>,
                                           %a: tensor<2x3xui8>, %b: tensor<3x4xi8>, %p: tensor<ui8>) {
  // CHECK: inlay.conv_integer %{{.*}}, %{{.*}} w_zero_point %{{.*}} :
  %0 = inlay.conv_integer %x, %w w_zero_point %z
      : (tensor<1x2x3xui8>, tensor<3x2x2xi8>, tensor<3xi8>) -> tensor<1x3x2xi32>
  // CHECK: inlay.matmul_integer %{{.*}}, %{{.*}} a_zero_point %{{.*}} :
  %1 = inlay.matmul_integer %a, %b a_zero_point %p
      : (tensor<2x3xui8>, tensor<3x4xi8>, tensor<ui8>) -> tensor<2x4xi32>
  return
}

// CHECK-LABEL: @quantization_is_written_beside_its_tensor
func.func @quantization_is_written_beside_its_tensor(%x: tensor<1x2x3xui8>, %w: tensor<3x2x2xi8>, %s: tensor<f32>,
                                                     %z: tensor<ui8>, %ws: tensor<3xf32>, %wz: tensor<3xi8>,
                                                     %b: tensor<3xi32>) {
  // CHECK: inlay.qlinear_conv %{{.*}} scale %{{.*}} zero_point %{{.*}}, %{{.*}} scale %{{.*}} zero_point %{{.*}}, to scale %{{.*}} zero_point %{{.*}}, bias %{{.*}} :
  %0 = inlay.qlinear_conv %x scale %s zero_point %z, %w scale %ws zero_point %wz, to scale %s zero_point %z, bias %b
      : (tensor<1x2x3xui8>, tensor<f32>, tensor<ui8>, tensor<3x2x2xi8>, tensor<3xf32>, tensor<3xi8>,
         tensor<f32>, tensor<ui8>, tensor<3xi32>) -> tensor<1x3x2xui8>
  return
}

// CHECK-LABEL: @matrix_products
func.func @matrix_products(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<4xf32>) {
  // CHECK: inlay.matmul %{{.*}}, %{{.*}} :
  %0 = inlay.matmul %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  // CHECK: inlay.gemm %{{.*}}, %{{.*}}, %{{.*}} {alpha = 5.000000e-01 : f32} :
  %1 = inlay.gemm %a, %b, %c {alpha = 0.5 : f32}
      : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  // CHECK: inlay.einsum "ij,jk->ki"(%{{.*}}, %{{.*}}) :
  %2 = inlay.einsum "ij,jk->ki"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}
