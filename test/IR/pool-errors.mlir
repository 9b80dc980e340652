// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @kernel_has_the_inputs_space(%x: tensor<1x2x5x5xf32>) {
  // expected-error @+1 {{kernel has 3 spatial dimensions, input has rank 4}}
  %0 = inlay.average_pool %x {kernel_shape = array<i64: 2, 2, 2>} : (tensor<1x2x5x5xf32>) -> !inlay.unknown
  return
}

// -----

func.func @kernel_is_required(%x: tensor<1x2x5x5xf32>) {
  // expected-error @+1 {{requires attribute 'kernel_shape'}}
  %0 = inlay.average_pool %x : (tensor<1x2x5x5xf32>) -> !inlay.unknown
  return
}

// -----

func.func @kernel_is_positive(%x: tensor<1x2x5xf32>) {
  // expected-error @+1 {{kernel must be positive}}
  %0 = inlay.lp_pool %x {kernel_shape = array<i64: -1>} : (tensor<1x2x5xf32>) -> !inlay.unknown
  return
}

// -----

func.func @pads_are_not_negative(%x: tensor<1x2x5xf32>) {
  // expected-error @+1 {{pad must not be negative}}
  %0:2 = inlay.max_pool %x {kernel_shape = array<i64: 2>, pads = array<i64: -1, 0>}
      : (tensor<1x2x5xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @norm_is_positive(%x: tensor<1x2x5xf32>) {
  // expected-error @+1 {{'p' must be positive, found 0}}
  %0 = inlay.global_lp_pool %x {p = 0 : i64} : (tensor<1x2x5xf32>) -> !inlay.unknown
  return
}

// -----

func.func @global_pooling_needs_channels(%x: tensor<5xf32>) {
  // expected-error @+1 {{input must have at least rank 2 but has rank 1}}
  %0 = inlay.global_max_pool %x : (tensor<5xf32>) -> !inlay.unknown
  return
}
