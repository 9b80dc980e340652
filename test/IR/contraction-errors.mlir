// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @input_and_weight_have_one_rank(%x: tensor<1x3x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{weight has rank 4, input has rank 3}}
  %0 = inlay.conv %x, %w : (tensor<1x3x8xf32>, tensor<4x3x3x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @convolution_needs_space(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>) {
  // expected-error @+1 {{input must have at least 3 dimensions, found 2}}
  %0 = inlay.conv %x, %w : (tensor<1x3xf32>, tensor<4x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @channels_match(%x: tensor<1x3x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error @+1 {{input has 3 channels, weight and groups need 4}}
  %0 = inlay.conv %x, %w {group = 2 : i64} : (tensor<1x3x8xf32>, tensor<4x2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @groups_divide_channels(%x: tensor<1x6x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error @+1 {{weight has 4 channels, which 3 groups do not divide}}
  %0 = inlay.conv %x, %w {group = 3 : i64} : (tensor<1x6x8xf32>, tensor<4x2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @groups_are_positive(%x: tensor<1x6x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error @+1 {{'group' must be positive, found 0}}
  %0 = inlay.conv %x, %w {group = 0 : i64} : (tensor<1x6x8xf32>, tensor<4x2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @kernel_is_the_weights(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error @+1 {{'kernel_shape' is 5, weight has shape 4x2x3}}
  %0 = inlay.conv %x, %w {kernel_shape = array<i64: 5>} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @strides_are_positive(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error @+1 {{stride must be positive}}
  %0 = inlay.conv %x, %w {strides = array<i64: 0>} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @pads_come_in_pairs(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error @+1 {{pads must have 2 entries, found 1}}
  %0 = inlay.conv %x, %w {pads = array<i64: 1>} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @automatic_pads_have_a_name(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error @+1 {{'auto_pad' must be NOTSET, VALID, SAME_UPPER or SAME_LOWER, found SAME}}
  %0 = inlay.conv %x, %w {auto_pad = "SAME"} : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @window_fits(%x: tensor<1x2x2xf32>, %w: tensor<4x2x9xf32>) {
  // expected-error @+1 {{window of extent 9 does not fit into a size of 2}}
  %0 = inlay.conv %x, %w : (tensor<1x2x2xf32>, tensor<4x2x9xf32>) -> !inlay.unknown
  return
}

// -----

func.func @bias_has_the_results_channels(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>, %b: tensor<2xf32>) {
  // expected-error @+1 {{bias has 2 elements, the result has 4 channels}}
  %0 = inlay.conv %x, %w, %b : (tensor<1x2x8xf32>, tensor<4x2x3xf32>, tensor<2xf32>) -> !inlay.unknown
  return
}

// -----

func.func @transposed_channels_match(%x: tensor<1x3x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error @+1 {{input has 3 channels, weight and groups need 4}}
  %0 = inlay.conv_transpose %x, %w : (tensor<1x3x8xf32>, tensor<4x2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @result_type_follows(%x: tensor<1x2x8xf32>, %w: tensor<4x2x3xf32>) {
  // expected-error @+1 {{result #0 has type 'tensor<1x4x7xf32>', inferred 'tensor<1x4x6xf32>'}}
  %0 = inlay.conv %x, %w : (tensor<1x2x8xf32>, tensor<4x2x3xf32>) -> tensor<1x4x7xf32>
  return
}

// -----

func.func @inner_extents_match(%a: tensor<2x3xf32>, %b: tensor<?x4x5xf32>) {
  // expected-error @+1 {{cannot multiply 2x3 by ?x4x5}}
  %0 = inlay.matmul %a, %b : (tensor<2x3xf32>, tensor<?x4x5xf32>) -> !inlay.unknown
  return
}

// -----

func.func @scalars_are_no_matrices(%a: tensor<f32>, %b: tensor<3xf32>) {
  // expected-error @+1 {{operands must have at least 1 dimension}}
  %0 = inlay.matmul %a, %b : (tensor<f32>, tensor<3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @gemm_takes_matrices(%a: tensor<2x3x4xf32>, %b: tensor<4x5xf32>) {
  // expected-error @+1 {{a must have rank 2 but has rank 3}}
  %0 = inlay.gemm %a, %b : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> !inlay.unknown
  return
}

// -----

func.func @addend_stretches_to_the_product(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<3x4xf32>) {
  // expected-error @+1 {{c of shape 3x4 does not broadcast to the product}}
  %0 = inlay.gemm %a, %b, %c : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> !inlay.unknown
  return
}

// -----

func.func @zero_points_run_along_rows(%a: tensor<2x3xui8>, %b: tensor<3x4xi8>, %p: tensor<3xui8>) {
  // expected-error @+1 {{a_zero_point has 3 elements, expected 1 or 2}}
  %0 = inlay.matmul_integer %a, %b a_zero_point %p : (tensor<2x3xui8>, tensor<3x4xi8>, tensor<3xui8>) -> !inlay.unknown
  return
}

// -----

func.func @terms_match_operands(%a: tensor<2x3xf32>) {
  // expected-error @+1 {{einsum has 2 terms for 1 operands}}
  %0 = inlay.einsum "ij,jk->ik"(%a) : (tensor<2x3xf32>) -> !inlay.unknown
  return
}
