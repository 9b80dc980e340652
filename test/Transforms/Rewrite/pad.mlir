// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-rewrite | FileCheck %s
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/pad-stage.yaml -inlay-rewrite | FileCheck %s --check-prefix=STAGE

// A target that has a stage for Pad keeps all of them.
// STAGE-LABEL: @conv
// STAGE: inlay.pad
// STAGE-LABEL: @max_pool_of_minus_infinity
// STAGE: inlay.pad
// STAGE-LABEL: @average_pool
// STAGE: inlay.pad

// CHECK-LABEL: @conv
func.func @conv(%x: tensor<1x1x4x4xf32>, %w: tensor<2x1x3x3xf32>) -> tensor<1x2x5x7xf32> {
  // CHECK: %[[Y:.*]] = inlay.conv %arg0, %arg1 {pads = array<i64: 1, 2, 2, 3>}
  // CHECK-NEXT: return %[[Y]]
  %p = inlay.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 2>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x6x7xf32>
  %y = inlay.conv %p, %w {pads = array<i64: 0, 1, 1, 1>} : (tensor<1x1x6x7xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x5x7xf32>
  return %y : tensor<1x2x5x7xf32>
}

// CHECK-LABEL: @conv_without_padding_of_its_own
func.func @conv_without_padding_of_its_own(%x: tensor<1x1x4x4xf32>, %w: tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32> {
  %zero = inlay.constant dense<0.0> : tensor<f32>
  // CHECK: inlay.conv %arg0, %arg1 {pads = array<i64: 1, 1, 1, 1>}
  // CHECK-NEXT: return
  %p = inlay.pad %x value %zero {axes = array<i64: -1, 2>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x6x6xf32>
  %y = inlay.conv %p, %w {auto_pad = "VALID"} : (tensor<1x1x6x6xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @keeps_padding_by_a_number
func.func @keeps_padding_by_a_number(%x: tensor<1x1x4x4xf32>, %w: tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32> {
  %one = inlay.constant dense<1.0> : tensor<f32>
  // CHECK: inlay.pad
  %p = inlay.pad %x value %one {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x6x6xf32>
  %y = inlay.conv %p, %w : (tensor<1x1x6x6xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @keeps_padding_by_a_value
func.func @keeps_padding_by_a_value(%x: tensor<1x1x4x4xf32>, %w: tensor<2x1x3x3xf32>, %v: tensor<f32>) -> tensor<1x2x4x4xf32> {
  // CHECK: inlay.pad
  %p = inlay.pad %x value %v {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x6x6xf32>
  %y = inlay.conv %p, %w : (tensor<1x1x6x6xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @keeps_reflection
func.func @keeps_reflection(%x: tensor<1x1x4x4xf32>, %w: tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32> {
  // CHECK: inlay.pad
  %p = inlay.pad %x {mode = "reflect", pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x6x6xf32>
  %y = inlay.conv %p, %w : (tensor<1x1x6x6xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @keeps_cropping
func.func @keeps_cropping(%x: tensor<1x1x4x4xf32>, %w: tensor<2x1x3x3xf32>) -> tensor<1x2x2x4xf32> {
  // CHECK: inlay.pad
  %p = inlay.pad %x {pads = array<i64: 0, 0, -1, 1, 0, 0, 1, 1>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x6xf32>
  %y = inlay.conv %p, %w : (tensor<1x1x4x6xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x2x4xf32>
  return %y : tensor<1x2x2x4xf32>
}

// CHECK-LABEL: @keeps_padding_of_channels
func.func @keeps_padding_of_channels(%x: tensor<1x1x4x4xf32>, %w: tensor<2x2x3x3xf32>) -> tensor<1x2x2x2xf32> {
  // CHECK: inlay.pad
  %p = inlay.pad %x {pads = array<i64: 0, 1, 0, 0, 0, 0, 0, 0>} : (tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32>
  %y = inlay.conv %p, %w : (tensor<1x2x4x4xf32>, tensor<2x2x3x3xf32>) -> tensor<1x2x2x2xf32>
  return %y : tensor<1x2x2x2xf32>
}

// What it pads itself depends on the size of its input.
// CHECK-LABEL: @keeps_automatic_padding
func.func @keeps_automatic_padding(%x: tensor<1x1x4x4xf32>, %w: tensor<2x1x3x3xf32>) -> tensor<1x2x6x6xf32> {
  // CHECK: inlay.pad
  %p = inlay.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x6x6xf32>
  %y = inlay.conv %p, %w {auto_pad = "SAME_UPPER"} : (tensor<1x1x6x6xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x6x6xf32>
  return %y : tensor<1x2x6x6xf32>
}

// CHECK-LABEL: @keeps_padding_that_is_used_elsewhere
func.func @keeps_padding_that_is_used_elsewhere(%x: tensor<1x1x4x4xf32>, %w: tensor<2x1x3x3xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x1x6x6xf32>) {
  // CHECK: inlay.pad
  // CHECK-NEXT: inlay.conv %{{[0-9]+}}, %arg1 :
  %p = inlay.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x6x6xf32>
  %y = inlay.conv %p, %w : (tensor<1x1x6x6xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32>
  return %y, %p : tensor<1x2x4x4xf32>, tensor<1x1x6x6xf32>
}

// CHECK-LABEL: @max_pool_of_minus_infinity
func.func @max_pool_of_minus_infinity(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %low = inlay.constant dense<0xFF800000> : tensor<f32>
  // CHECK: inlay.max_pool %arg0 {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>}
  // CHECK-NEXT: return
  %p = inlay.pad %x value %low {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x6x6xf32>
  %y, %i = inlay.max_pool %p {kernel_shape = array<i64: 3, 3>} : (tensor<1x1x6x6xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xi64>)
  return %y : tensor<1x1x4x4xf32>
}

// The zeros of a Pad are never larger than what a Relu lets through.
// CHECK-LABEL: @max_pool_of_zero_behind_relu
func.func @max_pool_of_zero_behind_relu(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  // CHECK: %[[R:.*]] = inlay.relu
  // CHECK-NEXT: inlay.max_pool %[[R]] {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>}
  %r = inlay.relu %x : (tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %p = inlay.pad %r {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x6x6xf32>
  %y, %i = inlay.max_pool %p {kernel_shape = array<i64: 3, 3>} : (tensor<1x1x6x6xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xi64>)
  return %y : tensor<1x1x4x4xf32>
}

// CHECK-LABEL: @keeps_max_pool_of_zero
func.func @keeps_max_pool_of_zero(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  // CHECK: inlay.pad
  %p = inlay.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x6x6xf32>
  %y, %i = inlay.max_pool %p {kernel_shape = array<i64: 3, 3>} : (tensor<1x1x6x6xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xi64>)
  return %y : tensor<1x1x4x4xf32>
}

// A window may lie in the padding as a whole.
// CHECK-LABEL: @keeps_windows_that_do_not_reach_inside
func.func @keeps_windows_that_do_not_reach_inside(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x7x7xf32> {
  %low = inlay.constant dense<0xFF800000> : tensor<f32>
  // CHECK: inlay.pad
  %p = inlay.pad %x value %low {pads = array<i64: 0, 0, 2, 2, 0, 0, 2, 2>} : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x8x8xf32>
  %y, %i = inlay.max_pool %p {kernel_shape = array<i64: 2, 2>} : (tensor<1x1x8x8xf32>) -> (tensor<1x1x7x7xf32>, tensor<1x1x7x7xi64>)
  return %y : tensor<1x1x7x7xf32>
}

// Indices count the elements of the padded tensor.
// CHECK-LABEL: @keeps_indices
func.func @keeps_indices(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xi64> {
  %low = inlay.constant dense<0xFF800000> : tensor<f32>
  // CHECK: inlay.pad
  %p = inlay.pad %x value %low {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x6x6xf32>
  %y, %i = inlay.max_pool %p {kernel_shape = array<i64: 3, 3>} : (tensor<1x1x6x6xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xi64>)
  return %i : tensor<1x1x4x4xi64>
}

// CHECK-LABEL: @average_pool
func.func @average_pool(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  // CHECK: inlay.average_pool %arg0 {count_include_pad = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>}
  // CHECK-NEXT: return
  %p = inlay.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x6x6xf32>
  %y = inlay.average_pool %p {kernel_shape = array<i64: 3, 3>} : (tensor<1x1x6x6xf32>) -> tensor<1x1x4x4xf32>
  return %y : tensor<1x1x4x4xf32>
}

// Of the two paddings one is counted and one is not.
// CHECK-LABEL: @keeps_average_pool_that_does_not_count_its_padding
func.func @keeps_average_pool_that_does_not_count_its_padding(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x6x6xf32> {
  // CHECK: inlay.pad
  %p = inlay.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x6x6xf32>
  %y = inlay.average_pool %p {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x1x6x6xf32>) -> tensor<1x1x6x6xf32>
  return %y : tensor<1x1x6x6xf32>
}
