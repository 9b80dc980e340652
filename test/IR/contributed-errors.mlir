// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @operands_broadcast(%a: tensor<2x3xui8>, %b: tensor<4xui8>, %s: tensor<f32>) {
  // expected-error @+1 {{broadcast}}
  %0 = inlay.qlinear_add %a scale %s, %b scale %s, to scale %s : (tensor<2x3xui8>, tensor<f32>, tensor<4xui8>, tensor<f32>, tensor<f32>) -> !inlay.unknown
  return
}

// -----

func.func @one_scale_holds_for_all(%a: tensor<2x3xui8>, %s: tensor<f32>, %t: tensor<3xf32>) {
  // expected-error @+1 {{b_scale must have one element but has shape 3}}
  %0 = inlay.qlinear_mul %a scale %s, %a scale %t, to scale %s : (tensor<2x3xui8>, tensor<f32>, tensor<2x3xui8>, tensor<3xf32>, tensor<f32>) -> !inlay.unknown
  return
}

// -----

func.func @axis_is_within_rank(%x: tensor<2x3xi8>, %s: tensor<f32>) {
  // expected-error @+1 {{axis 2 is out of range for rank 2}}
  %0 = inlay.qlinear_softmax %x scale %s, to scale %s {axis = 2 : i64, opset = 13 : i64} : (tensor<2x3xi8>, tensor<f32>, tensor<f32>) -> !inlay.unknown
  return
}

// -----

func.func @kernel_fits_the_rank(%x: tensor<1x4x6xui8>, %s: tensor<f32>) {
  // expected-error @+1 {{kernel has 2 spatial dimensions, input has rank 3}}
  %0 = inlay.qlinear_average_pool %x scale %s, to scale %s {kernel_shape = array<i64: 2, 2>} : (tensor<1x4x6xui8>, tensor<f32>, tensor<f32>) -> !inlay.unknown
  return
}

// -----

func.func @parts_fit(%x: tensor<2x3xi8>, %y: tensor<4x3xi8>, %s: tensor<f32>, %z: tensor<i8>) {
  // expected-error @+1 {{cannot join extents 2 and 4 of dimension 0}}
  %0 = inlay.qlinear_concat %x, %s, %z, %y, %s, %z to scale %s zero_point %z {axis = 1 : i64} : (tensor<f32>, tensor<i8>, tensor<2x3xi8>, tensor<f32>, tensor<i8>, tensor<4x3xi8>, tensor<f32>, tensor<i8>) -> !inlay.unknown
  return
}

// -----

func.func @every_part_has_a_scale(%x: tensor<2x3xi8>, %s: tensor<f32>, %z: tensor<i8>) {
  // expected-error @+1 {{expected tensors with their scales and zero points, found 2 operands}}
  %0 = inlay.qlinear_concat %x, %s to scale %s zero_point %z {axis = 1 : i64} : (tensor<f32>, tensor<i8>, tensor<2x3xi8>, tensor<f32>) -> !inlay.unknown
  return
}

// -----

func.func @matrices_fit(%a: tensor<2x3xui8>, %b: tensor<4x3xui8>, %s: tensor<f32>, %z: tensor<ui8>) {
  // expected-error @+1 {{a has 3 columns, b has 4 rows}}
  %0 = inlay.qgemm %a scale %s zero_point %z, %b scale %s zero_point %z : (tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<4x3xui8>, tensor<f32>, tensor<ui8>) -> !inlay.unknown
  return
}

// -----

func.func @bias_is_along_the_last_dimension(%x: tensor<2x3x8xf32>, %v: tensor<3xf32>) {
  // expected-error @+1 {{bias must have shape 8 but has shape 3}}
  %0 = inlay.bias_gelu %x, %v : (tensor<2x3x8xf32>, tensor<3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @input_has_rank_2_or_3(%x: tensor<1x2x3x8xf32>, %v: tensor<8xf32>) {
  // expected-error @+1 {{input has rank 4, expected 2 or 3}}
  %0:4 = inlay.skip_layer_normalization %x, %x, %v : (tensor<1x2x3x8xf32>, tensor<1x2x3x8xf32>, tensor<8xf32>) -> (!inlay.unknown, !inlay.unknown, !inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @query_consists_of_heads(%q: tensor<2x7x13xf32>) {
  // expected-error @+1 {{query has 13 elements per position, which are not 3 heads}}
  %0 = inlay.multi_head_attention %q, %q, %q {num_heads = 3 : i64} : (tensor<2x7x13xf32>, tensor<2x7x13xf32>, tensor<2x7x13xf32>) -> !inlay.unknown
  return
}
