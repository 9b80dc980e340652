// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @zero_point_is_optional
func.func @zero_point_is_optional(%x: tensor<2x3xf32>, %s: tensor<f32>, %z: tensor<i8>) {
  // CHECK: inlay.quantize_linear %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  %0 = inlay.quantize_linear %x, %s : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xui8>
  // CHECK: inlay.quantize_linear %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  %1 = inlay.quantize_linear %x, %s, %z : (tensor<2x3xf32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// CHECK-LABEL: @scales_per_axis_and_block
func.func @scales_per_axis_and_block(%x: tensor<2x7xi4>, %s: tensor<7xf32>, %b: tensor<2x3xf16>) {
  // CHECK: inlay.dequantize_linear %{{.*}}, %{{.*}} : (tensor<2x7xi4>, tensor<7xf32>) -> tensor<2x7xf32>
  %0 = inlay.dequantize_linear %x, %s : (tensor<2x7xi4>, tensor<7xf32>) -> tensor<2x7xf32>
  // CHECK: inlay.dequantize_linear {{.*}} {block_size = 3 : i64} : (tensor<2x7xi4>, tensor<2x3xf16>) -> tensor<2x7xf16>
  %1 = inlay.dequantize_linear %x, %b {block_size = 3 : i64} : (tensor<2x7xi4>, tensor<2x3xf16>) -> tensor<2x7xf16>
  return
}

// CHECK-LABEL: @dynamic_quantisation_has_three_results
func.func @dynamic_quantisation_has_three_results(%x: tensor<2x3xf32>) {
  // CHECK: inlay.dynamic_quantize_linear %{{.*}} : (tensor<2x3xf32>) -> (tensor<2x3xui8>, tensor<f32>, tensor<ui8>)
  %0:3 = inlay.dynamic_quantize_linear %x : (tensor<2x3xf32>) -> (tensor<2x3xui8>, tensor<f32>, tensor<ui8>)
  return
}
