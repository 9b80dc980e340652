// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @parameters_are_per_channel(%x: tensor<2x3x4xf32>, %p: tensor<4xf32>) {
  // expected-error @+1 {{scale must have shape 3 but has shape 4}}
  %0 = inlay.instance_normalization %x, %p, %p
      : (tensor<2x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @channels_divide_into_groups(%x: tensor<2x5xf32>, %p: tensor<5xf32>) {
  // expected-error @+1 {{5 channels do not divide into 2 groups}}
  %0 = inlay.group_normalization %x, %p, %p {num_groups = 2 : i64}
      : (tensor<2x5xf32>, tensor<5xf32>, tensor<5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @groups_are_positive(%x: tensor<2x4xf32>, %p: tensor<4xf32>) {
  // expected-error @+1 {{'num_groups' must be at least 1 but is 0}}
  %0 = inlay.group_normalization %x, %p, %p {num_groups = 0 : i64}
      : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @axis_is_within_rank(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{axis 2 is out of range for rank 2}}
  %0 = inlay.softmax %x {axis = 2 : i64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @norm_is_one_or_two(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{'p' must be 1 or 2 but is 3}}
  %0 = inlay.lp_normalization %x {p = 3 : i64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @size_is_positive(%x: tensor<2x4x2x2xf32>) {
  // expected-error @+1 {{'size' must be at least 1 but is -1}}
  %0 = inlay.lrn %x {size = -1 : i64} : (tensor<2x4x2x2xf32>) -> tensor<2x4x2x2xf32>
  return
}

// -----

func.func @axes_are_distinct(%x: tensor<2x4xf32>) {
  // expected-error @+1 {{axis -1 is given twice}}
  %0 = inlay.mean_variance_normalization %x {axes = array<i64: 1, -1>} : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @target_has_no_classes(%x: tensor<2x3x4xf32>, %t: tensor<2x3xi64>) {
  // expected-error @+1 {{target must have shape 2x4 but has shape 2x3}}
  %0 = inlay.negative_log_likelihood_loss %x, %t
      : (tensor<2x3x4xf32>, tensor<2x3xi64>) -> tensor<f32>
  return
}

// -----

func.func @reduction_is_known(%x: tensor<2x3xf32>, %t: tensor<2xi64>) {
  // expected-error @+1 {{'reduction' must be none, sum or mean but is 'max'}}
  %0:2 = inlay.softmax_cross_entropy_loss %x, %t {reduction = "max"}
      : (tensor<2x3xf32>, tensor<2xi64>) -> (tensor<f32>, tensor<2x3xf32>)
  return
}
