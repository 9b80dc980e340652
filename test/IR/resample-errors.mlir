// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @resize_needs_scales_or_sizes(%x: tensor<1x3x4xf32>) {
  // expected-error @+1 {{needs 'scales' or 'sizes'}}
  %0 = inlay.resize %x : (tensor<1x3x4xf32>) -> !inlay.unknown
  return
}

// -----

func.func @resize_takes_one_of_them(%x: tensor<1xf32>) {
  // expected-error @+1 {{has both 'scales' and 'sizes'}}
  %0 = inlay.resize %x {scales = array<f32: 2.0>, sizes = array<i64: 2>} : (tensor<1xf32>) -> !inlay.unknown
  return
}

// -----

func.func @there_is_a_scale_per_dimension(%x: tensor<1x3x4xf32>) {
  // expected-error @+1 {{resize needs 3 scales or sizes, found 2 and 0}}
  %0 = inlay.resize %x {scales = array<f32: 1.0, 2.0>} : (tensor<1x3x4xf32>) -> !inlay.unknown
  return
}

// -----

func.func @scales_are_positive(%x: tensor<4xf32>) {
  // expected-error @+1 {{scales of a resize must be positive}}
  %0 = inlay.resize %x {scales = array<f32: -1.0>} : (tensor<4xf32>) -> !inlay.unknown
  return
}

// -----

func.func @modes_have_names(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mode' has the unknown value 'lanczos'}}
  %0 = inlay.resize %x {scales = array<f32: 2.0>, mode = "lanczos"} : (tensor<4xf32>) -> !inlay.unknown
  return
}

// -----

func.func @grid_has_a_coordinate_per_dimension(%x: tensor<2x3x4x5xf32>, %g: tensor<2x6x7x3xf32>) {
  // expected-error @+1 {{grid gives 3 coordinates for 2 spatial dimensions}}
  %0 = inlay.grid_sample %x, %g : (tensor<2x3x4x5xf32>, tensor<2x6x7x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @grid_has_the_inputs_batch(%x: tensor<2x3x4x5xf32>, %g: tensor<1x6x7x2xf32>) {
  // expected-error @+1 {{input has a batch of 2, grid of 1}}
  %0 = inlay.grid_sample %x, %g : (tensor<2x3x4x5xf32>, tensor<1x6x7x2xf32>) -> !inlay.unknown
  return
}

// -----

func.func @padding_modes_have_names(%x: tensor<2x3x4x5xf32>, %g: tensor<2x6x7x2xf32>) {
  // expected-error @+1 {{'padding_mode' must be zeros, border or reflection, found wrap}}
  %0 = inlay.grid_sample %x, %g {padding_mode = "wrap"} : (tensor<2x3x4x5xf32>, tensor<2x6x7x2xf32>) -> !inlay.unknown
  return
}
