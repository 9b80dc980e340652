// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s

// Flatten merges two dimensions of one element; what pads the result still
// finds its dimensions.
// CHECK-LABEL: func.func @a_dimension_of_units_is_padded
// CHECK: inlay.pad {{.*}} : (tensor<4x1xf32>) -> tensor<8x1xf32>
func.func @a_dimension_of_units_is_padded(%x: tensor<4x1x1xf32>) -> tensor<8x1xf32> {
  %0 = inlay.transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
  %1 = inlay.flatten %0 : (tensor<4x1x1xf32>) -> tensor<4x1xf32>
  %2 = inlay.pad %1 {axes = array<i64: 0, -1>, pads = array<i64: 2, 0, 2, 0>}
      : (tensor<4x1xf32>) -> tensor<8x1xf32>
  return %2 : tensor<8x1xf32>
}
