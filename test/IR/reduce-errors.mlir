// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @axes_are_given_once(%x: tensor<2x3xf32>, %a: tensor<1xi64>) {
  // expected-error @+1 {{'axes' is given both as an attribute and as an operand}}
  %0 = inlay.reduce_sum %x, axes %a {axes = array<i64: 1>}
      : (tensor<2x3xf32>, tensor<1xi64>) -> !inlay.unknown
  return
}

// -----

func.func @axes_are_within_rank(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{axis -3 is out of range for rank 2}}
  %0 = inlay.reduce_sum %x {axes = array<i64: -3>} : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @constant_axes_are_within_rank(%x: tensor<2x3xf32>) {
  %a = inlay.constant dense<5> : tensor<1xi64>
  // expected-error @+1 {{axis 5 is out of range for rank 2}}
  %0 = inlay.reduce_sum %x, axes %a : (tensor<2x3xf32>, tensor<1xi64>) -> !inlay.unknown
  return
}

// -----

func.func @extreme_needs_elements(%x: tensor<2x0xf32>) {
  // expected-error @+1 {{axis 1 has no elements}}
  %0 = inlay.argmax %x {axis = 1 : i64} : (tensor<2x0xf32>) -> !inlay.unknown
  return
}

// -----

func.func @axis_of_cumsum_is_required(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'axis' must be given as an attribute or as an operand}}
  %0 = inlay.cumsum %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @k_is_within_the_axis(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'k' is 4 but axis 1 has 3 elements}}
  %0:2 = inlay.topk %x {k = 4 : i64} : (tensor<2x3xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @k_is_not_negative(%x: tensor<2x?xf32>) {
  // expected-error @+1 {{'k' must not be negative but is -1}}
  %0:2 = inlay.topk %x {k = -1 : i64} : (tensor<2x?xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}
