// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=%S/Inputs/typed.yaml -inlay-layout-preset | FileCheck %s

// Rules are for the element types that they list: each type has an order of its
// own, and one that no rule lists keeps the model's.

// CHECK-LABEL: func.func @each_type_has_its_order
// CHECK: inlay.conv {{.*}} -> tensor<1x4x4x4xf32, #inlay.layout<NCHW as NHWC>>
// CHECK: inlay.conv {{.*}} -> tensor<1x4x4x4xf16, #inlay.layout<NCHW as NWHC>>
func.func @each_type_has_its_order(%x: tensor<1x8x6x6xf32>, %w: tensor<4x8x3x3xf32>, %y: tensor<1x8x6x6xf16>, %v: tensor<4x8x3x3xf16>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf16>) {
  %0 = inlay.conv %x, %w : (tensor<1x8x6x6xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x4x4xf32>
  %1 = inlay.conv %y, %v : (tensor<1x8x6x6xf16>, tensor<4x8x3x3xf16>) -> tensor<1x4x4x4xf16>
  return %0, %1 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf16>
}

// CHECK-LABEL: func.func @another_type_has_none
// CHECK-NOT: inlay.relayout
// CHECK: return
func.func @another_type_has_none(%x: tensor<1x8x6x6xf64>, %w: tensor<4x8x3x3xf64>) -> tensor<1x4x4x4xf64> {
  %0 = inlay.conv %x, %w : (tensor<1x8x6x6xf64>, tensor<4x8x3x3xf64>) -> tensor<1x4x4x4xf64>
  return %0 : tensor<1x4x4x4xf64>
}
