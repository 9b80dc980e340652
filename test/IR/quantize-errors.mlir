// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @scale_fits_the_axis(%x: tensor<2x3xf32>, %s: tensor<2xf32>) {
  // expected-error @+1 {{scale must have shape 3 but has shape 2}}
  %0 = inlay.quantize_linear %x, %s : (tensor<2x3xf32>, tensor<2xf32>) -> !inlay.unknown
  return
}

// -----

func.func @axis_is_within_rank(%x: tensor<3xf32>, %s: tensor<3xf32>) {
  // expected-error @+1 {{axis 1 is out of range for rank 1}}
  %0 = inlay.quantize_linear %x, %s : (tensor<3xf32>, tensor<3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @scale_fits_the_blocks(%x: tensor<2x7xi8>, %s: tensor<2x2xf32>) {
  // expected-error @+1 {{scale must have shape 2x3 but has shape 2x2}}
  %0 = inlay.dequantize_linear %x, %s {block_size = 3 : i64} : (tensor<2x7xi8>, tensor<2x2xf32>) -> !inlay.unknown
  return
}

// -----

func.func @block_size_is_not_negative(%x: tensor<2x7xi8>, %s: tensor<f32>) {
  // expected-error @+1 {{'block_size' must not be negative but is -2}}
  %0 = inlay.dequantize_linear %x, %s {block_size = -2 : i64} : (tensor<2x7xi8>, tensor<f32>) -> !inlay.unknown
  return
}

// -----

func.func @zero_point_has_the_scales_shape(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %z: tensor<i8>) {
  // expected-error @+1 {{zero point must have shape 3 but has shape scalar}}
  %0 = inlay.quantize_linear %x, %s, %z : (tensor<2x3xf32>, tensor<3xf32>, tensor<i8>) -> !inlay.unknown
  return
}

// -----

func.func @output_type_is_the_zero_points(%x: tensor<2xf32>, %s: tensor<f32>, %z: tensor<i8>) {
  // expected-error @+1 {{'output_dtype' is uint8 but the zero point has another type}}
  %0 = inlay.quantize_linear %x, %s, %z {output_dtype = 2 : i64}
      : (tensor<2xf32>, tensor<f32>, tensor<i8>) -> !inlay.unknown
  return
}
