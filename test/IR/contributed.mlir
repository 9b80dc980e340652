// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @zero_points_are_optional
func.func @zero_points_are_optional(%a: tensor<2x3xui8>, %b: tensor<3xui8>, %s: tensor<f32>, %z: tensor<ui8>) {
  // CHECK: inlay.qlinear_add %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, to scale %{{.*}} : {{.*}} -> tensor<2x3xui8>
  %0 = inlay.qlinear_add %a scale %s, %b scale %s, to scale %s : (tensor<2x3xui8>, tensor<f32>, tensor<3xui8>, tensor<f32>, tensor<f32>) -> tensor<2x3xui8>
  // CHECK: inlay.qlinear_mul %{{.*}} scale %{{.*}} zero_point %{{.*}}, %{{.*}} scale %{{.*}}, to scale %{{.*}} zero_point %{{.*}} : {{.*}} -> tensor<2x3xui8>
  %1 = inlay.qlinear_mul %a scale %s zero_point %z, %b scale %s, to scale %s zero_point %z : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<3xui8>, tensor<f32>, tensor<f32>, tensor<ui8>) -> tensor<2x3xui8>
  return
}

// CHECK-LABEL: @activations_have_the_type_of_their_zero_point
func.func @activations_have_the_type_of_their_zero_point(%x: tensor<2x3xi8>, %s: tensor<f32>, %z: tensor<i8>) {
  // CHECK: inlay.qlinear_sigmoid {{.*}} -> tensor<2x3xi8>
  %0 = inlay.qlinear_sigmoid %x scale %s, to scale %s zero_point %z : (tensor<2x3xi8>, tensor<f32>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  // CHECK: inlay.qlinear_leaky_relu {{.*}} {alpha = 5.000000e-01 : f32} {{.*}} -> tensor<2x3xi8>
  %1 = inlay.qlinear_leaky_relu %x scale %s, to scale %s {alpha = 0.5 : f32} : (tensor<2x3xi8>, tensor<f32>, tensor<f32>) -> tensor<2x3xi8>
  // CHECK: inlay.qlinear_softmax {{.*}} {axis = 0 : i64, opset = 13 : i64} {{.*}} -> tensor<2x3xi8>
  %2 = inlay.qlinear_softmax %x scale %s zero_point %z, to scale %s zero_point %z {axis = 0 : i64, opset = 13 : i64} : (tensor<2x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<2x3xi8>
  return
}

// CHECK-LABEL: @channels_of_pools_are_second_or_last
func.func @channels_of_pools_are_second_or_last(%x: tensor<1x4x6x8xui8>, %s: tensor<f32>) {
  // CHECK: inlay.qlinear_average_pool {{.*}} -> tensor<1x4x5x7xui8>
  %0 = inlay.qlinear_average_pool %x scale %s, to scale %s {kernel_shape = array<i64: 2, 2>} : (tensor<1x4x6x8xui8>, tensor<f32>, tensor<f32>) -> tensor<1x4x5x7xui8>
  // CHECK: inlay.qlinear_average_pool {{.*}} -> tensor<1x3x5x8xui8>
  %1 = inlay.qlinear_average_pool %x scale %s, to scale %s {channels_last = 1 : i64, kernel_shape = array<i64: 2, 2>} : (tensor<1x4x6x8xui8>, tensor<f32>, tensor<f32>) -> tensor<1x3x5x8xui8>
  // CHECK: inlay.qlinear_global_average_pool {{.*}} -> tensor<1x4x1x1xui8>
  %2 = inlay.qlinear_global_average_pool %x scale %s, to scale %s : (tensor<1x4x6x8xui8>, tensor<f32>, tensor<f32>) -> tensor<1x4x1x1xui8>
  // CHECK: inlay.qlinear_global_average_pool {{.*}} -> tensor<1x1x1x8xui8>
  %3 = inlay.qlinear_global_average_pool %x scale %s, to scale %s {channels_last = 1 : i64} : (tensor<1x4x6x8xui8>, tensor<f32>, tensor<f32>) -> tensor<1x1x1x8xui8>
  return
}

// CHECK-LABEL: @joined_tensors_have_scales_of_their_own
func.func @joined_tensors_have_scales_of_their_own(%x: tensor<2x3xi8>, %y: tensor<2x5xi8>, %s: tensor<f32>, %z: tensor<i8>) {
  // CHECK: inlay.qlinear_concat {{.*}} to scale %{{.*}} zero_point %{{.*}} {axis = 1 : i64} : {{.*}} -> tensor<2x8xi8>
  %0 = inlay.qlinear_concat %x, %s, %z, %y, %s, %z to scale %s zero_point %z {axis = 1 : i64} : (tensor<f32>, tensor<i8>, tensor<2x3xi8>, tensor<f32>, tensor<i8>, tensor<2x5xi8>, tensor<f32>, tensor<i8>) -> tensor<2x8xi8>
  return
}

// CHECK-LABEL: @products_are_floats_without_a_scale
func.func @products_are_floats_without_a_scale(%a: tensor<2x3xui8>, %b: tensor<4x3xi8>, %s: tensor<f32>, %t: tensor<4xf32>, %y: tensor<ui8>, %z: tensor<4xi8>, %c: tensor<4xi32>) {
  // CHECK: inlay.qgemm {{.*}} bias %{{.*}} to scale %{{.*}} zero_point %{{.*}} {transB = 1 : i64} : {{.*}} -> tensor<2x4xui8>
  %0 = inlay.qgemm %a scale %s zero_point %y, %b scale %t zero_point %z bias %c to scale %s zero_point %y {transB = 1 : i64} : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<4x3xi8>, tensor<4xf32>, tensor<4xi8>, tensor<4xi32>, tensor<f32>, tensor<ui8>) -> tensor<2x4xui8>
  // CHECK: inlay.qgemm {{.*}} -> tensor<2x4xf32>
  %1 = inlay.qgemm %a scale %s zero_point %y, %b scale %t zero_point %z {transB = 1 : i64} : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<4x3xi8>, tensor<4xf32>, tensor<4xi8>) -> tensor<2x4xf32>
  return
}

// CHECK-LABEL: @fused_operators_keep_the_shape
func.func @fused_operators_keep_the_shape(%x: tensor<2x3x8xf32>, %v: tensor<8xf32>, %skip: tensor<3x8xf32>) {
  // CHECK: inlay.fast_gelu %{{.*}} : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  %0 = inlay.fast_gelu %x : (tensor<2x3x8xf32>) -> tensor<2x3x8xf32>
  // CHECK: inlay.bias_gelu %{{.*}}, %{{.*}} : {{.*}} -> tensor<2x3x8xf32>
  %1 = inlay.bias_gelu %x, %v : (tensor<2x3x8xf32>, tensor<8xf32>) -> tensor<2x3x8xf32>
  // CHECK: inlay.skip_layer_normalization %{{.*}}, %{{.*}}, %{{.*}} bias %{{.*}} : {{.*}} -> (tensor<2x3x8xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x8xf32>)
  %2:4 = inlay.skip_layer_normalization %x, %skip, %v bias %v : (tensor<2x3x8xf32>, tensor<3x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<2x3x8xf32>, tensor<2x3x1xf32>, tensor<2x3x1xf32>, tensor<2x3x8xf32>)
  return
}

// CHECK-LABEL: @keys_are_of_rank_3_or_4
func.func @keys_are_of_rank_3_or_4(%q: tensor<2x7x12xf32>, %k: tensor<2x5x12xf32>, %h: tensor<2x3x5x4xf32>, %m: tensor<2x5xi32>) {
  // CHECK: inlay.multi_head_attention {{.*}} key_mask %{{.*}} {num_heads = 3 : i64} : {{.*}} -> tensor<2x7x12xf32>
  %0 = inlay.multi_head_attention %q, %k, %k key_mask %m {num_heads = 3 : i64} : (tensor<2x7x12xf32>, tensor<2x5x12xf32>, tensor<2x5x12xf32>, tensor<2x5xi32>) -> tensor<2x7x12xf32>
  // CHECK: inlay.multi_head_attention {{.*}} {num_heads = 3 : i64} : {{.*}} -> tensor<2x7x12xf32>
  %1 = inlay.multi_head_attention %q, %h, %h {num_heads = 3 : i64} : (tensor<2x7x12xf32>, tensor<2x3x5x4xf32>, tensor<2x3x5x4xf32>) -> tensor<2x7x12xf32>
  return
}
