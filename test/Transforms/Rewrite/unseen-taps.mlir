// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-rewrite=rewrites=conv-unseen-taps | FileCheck %s

// The outer taps are 6 away from a middle that has 5 elements.
// CHECK-LABEL: @one_tap_is_left
// CHECK: %[[W:.*]] = inlay.slice %{{.*}} {axes = array<i64: 2, 3>, ends = array<i64: 2, 2>, starts = array<i64: 1, 1>}
// CHECK-SAME: -> tensor<3x2x1x1xf32>
// CHECK: inlay.conv %{{.*}}, %[[W]] {dilations = array<i64: 6, 6>, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>}
func.func @one_tap_is_left(%x: tensor<1x2x5x5xf32>) -> tensor<1x3x5x5xf32> {
  %w = inlay.constant dense<0.5> : tensor<3x2x3x3xf32>
  %y = inlay.conv %x, %w {dilations = array<i64: 6, 6>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 6, 6, 6, 6>} : (tensor<1x2x5x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32>
  return %y : tensor<1x3x5x5xf32>
}

// Along one dimension, at the front only.
// CHECK-LABEL: @at_the_front
// CHECK: inlay.slice %{{.*}} {axes = array<i64: 2, 3>, ends = array<i64: 3, 3>, starts = array<i64: 1, 0>}
// CHECK: inlay.conv {{.*}}kernel_shape = array<i64: 2, 3>, pads = array<i64: 0, 1, 0, 1>}
func.func @at_the_front(%x: tensor<1x1x9x4xf32>) -> tensor<1x1x4x4xf32> {
  %w = inlay.constant dense<0.5> : tensor<1x1x3x3xf32>
  %y = inlay.conv %x, %w {dilations = array<i64: 5, 1>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 5, 1, 0, 1>} : (tensor<1x1x9x4xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x4x4xf32>
  return %y : tensor<1x1x4x4xf32>
}

// One element is reached.
// CHECK-LABEL: @all_are_seen
// CHECK-NOT: inlay.slice
// CHECK: inlay.conv {{.*}}kernel_shape = array<i64: 3, 3>
func.func @all_are_seen(%x: tensor<1x2x5x5xf32>) -> tensor<1x3x5x5xf32> {
  %w = inlay.constant dense<0.5> : tensor<3x2x3x3xf32>
  %y = inlay.conv %x, %w {dilations = array<i64: 4, 4>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 4, 4, 4, 4>} : (tensor<1x2x5x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32>
  return %y : tensor<1x3x5x5xf32>
}

// Zero times infinity is no number.
// CHECK-LABEL: @infinite
// CHECK-NOT: inlay.slice
func.func @infinite(%x: tensor<1x2x5x5xf32>) -> tensor<1x3x5x5xf32> {
  %w = inlay.constant dense<0x7F800000> : tensor<3x2x3x3xf32>
  %y = inlay.conv %x, %w {dilations = array<i64: 6, 6>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 6, 6, 6, 6>} : (tensor<1x2x5x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32>
  return %y : tensor<1x3x5x5xf32>
}

// Its extent is not known.
// CHECK-LABEL: @unknown
// CHECK-NOT: inlay.slice
func.func @unknown(%x: tensor<1x2x?x5xf32>) -> tensor<1x3x?x5xf32> {
  %w = inlay.constant dense<0.5> : tensor<3x2x3x3xf32>
  %y = inlay.conv %x, %w {dilations = array<i64: 6, 6>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 6, 6, 6, 6>} : (tensor<1x2x?x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x?x5xf32>
  return %y : tensor<1x3x?x5xf32>
}
