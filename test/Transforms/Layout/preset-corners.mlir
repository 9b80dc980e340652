// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-layout-preset -split-input-file | FileCheck %s

// What Flatten makes of one image has one dimension, and yet several orders:
// moving it costs as much as the image.

// CHECK-LABEL: func.func @one_image_flattened_is_not_moved_for_nothing
// CHECK: inlay.relayout %arg0
// CHECK-NOT: inlay.relayout
// CHECK: return
func.func @one_image_flattened_is_not_moved_for_nothing(%x: tensor<1x3x4x5xf32>)
    -> (tensor<1x60xf32>, tensor<1x4x5x3xi8>) {
  %t = inlay.transpose %x {perm = array<i64: 0, 2, 3, 1>}
      : (tensor<1x3x4x5xf32>) -> tensor<1x4x5x3xf32>
  %y = inlay.flatten %t : (tensor<1x4x5x3xf32>) -> tensor<1x60xf32>
  %z = inlay.cast %t {to = 3 : i64} : (tensor<1x4x5x3xf32>) -> tensor<1x4x5x3xi8>
  return %y, %z : tensor<1x60xf32>, tensor<1x4x5x3xi8>
}

// -----

// CHECK-LABEL: func.func @what_has_no_elements_is_not_cut
// CHECK-NOT: split 0=
func.func @what_has_no_elements_is_not_cut(%x: tensor<3x0x2xf32>) -> tensor<6x0xf32> {
  %t = inlay.transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<3x0x2xf32>) -> tensor<3x2x0xf32>
  %y = inlay.flatten %t {axis = 2 : i64} : (tensor<3x2x0xf32>) -> tensor<6x0xf32>
  return %y : tensor<6x0xf32>
}

// -----

// The other branch need not have a second dimension of 2 * 4 elements.
// CHECK-LABEL: func.func @branches_of_unknown_extents_share_no_factors
// CHECK-NOT: split 1=
func.func @branches_of_unknown_extents_share_no_factors(
    %c: tensor<i1>, %x: tensor<4x4x2xf32>, %z: tensor<3x?xf32>) -> tensor<?x?xf32> {
  %t = inlay.transpose %x {perm = array<i64: 1, 2, 0>} : (tensor<4x4x2xf32>) -> tensor<4x2x4xf32>
  %y = inlay.reshape %t {shape = array<i64: 4, 8>} : (tensor<4x2x4xf32>) -> tensor<4x8xf32>
  %r = inlay.if %c : (tensor<i1>) -> tensor<?x?xf32> {
    inlay.yield %y : tensor<4x8xf32>
  } else {
    inlay.yield %z : tensor<3x?xf32>
  }
  return %r : tensor<?x?xf32>
}

// -----

// `%b` is the input again, wherever `%a` has been moved to.
// CHECK-LABEL: func.func @each_use_of_a_transpose_takes_its_own_order
// CHECK-COUNT-1: inlay.relayout %
// CHECK-NOT: inlay.relayout
// CHECK: return
func.func @each_use_of_a_transpose_takes_its_own_order(%x: tensor<3x11x7xf32>)
    -> (tensor<7x3x11xf32>, tensor<3x11x7xf32>, tensor<1x7x3x11xf32>) {
  %a = inlay.transpose %x {perm = array<i64: 2, 0, 1>} : (tensor<3x11x7xf32>) -> tensor<7x3x11xf32>
  %b = inlay.transpose %a {perm = array<i64: 1, 2, 0>} : (tensor<7x3x11xf32>) -> tensor<3x11x7xf32>
  %y = inlay.relu %a : (tensor<7x3x11xf32>) -> tensor<7x3x11xf32>
  %n = inlay.neg %b : (tensor<3x11x7xf32>) -> tensor<3x11x7xf32>
  %m = inlay.transpose %n {perm = array<i64: 2, 0, 1>} : (tensor<3x11x7xf32>) -> tensor<7x3x11xf32>
  %s = inlay.add %m, %a : (tensor<7x3x11xf32>, tensor<7x3x11xf32>) -> tensor<7x3x11xf32>
  %u = inlay.unsqueeze %s {axes = array<i64: 0>} : (tensor<7x3x11xf32>) -> tensor<1x7x3x11xf32>
  return %y, %b, %u : tensor<7x3x11xf32>, tensor<3x11x7xf32>, tensor<1x7x3x11xf32>
}
