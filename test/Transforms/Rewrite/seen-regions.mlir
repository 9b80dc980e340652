// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=cpu -inlay-rewrite=rewrites=conv-seen-regions | FileCheck %s
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-rewrite=rewrites=conv-seen-regions | FileCheck %s --check-prefix=PLAIN

// No machine is said to run it.
// PLAIN-NOT: inlay.concat

// Taps 4 away from the middle: the first window of a line sees two, three of
// them see one, and the last one sees two.
// CHECK-LABEL: @corners_edges_and_a_middle
// CHECK: inlay.slice %arg0 {axes = array<i64: 2, 3>, ends = array<i64: 5, 5>, starts = array<i64: 0, 0>}
// CHECK-NEXT: inlay.slice %{{.*}} {axes = array<i64: 2, 3>, ends = array<i64: 3, 3>, starts = array<i64: 1, 1>}
// CHECK-NEXT: inlay.conv {{.*}}kernel_shape = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>} {{.*}} -> tensor<1x3x1x1xf32>
// CHECK: inlay.slice %arg0 {axes = array<i64: 2, 3>, ends = array<i64: 5, 4>, starts = array<i64: 0, 1>}
// CHECK-NEXT: inlay.slice %{{.*}} {axes = array<i64: 2, 3>, ends = array<i64: 3, 2>, starts = array<i64: 1, 1>}
// CHECK-NEXT: inlay.conv {{.*}}kernel_shape = array<i64: 2, 1>{{.*}} -> tensor<1x3x1x3xf32>
// CHECK: inlay.concat {{.*}} -> tensor<1x3x1x5xf32>
// CHECK-COUNT-6: inlay.conv
// CHECK: %[[Y:.*]] = inlay.concat {{.*}} -> tensor<1x3x5x5xf32>
// CHECK-NEXT: return %[[Y]]
func.func @corners_edges_and_a_middle(%x: tensor<1x2x5x5xf32>) -> tensor<1x3x5x5xf32> {
  %w = inlay.constant dense<0.5> : tensor<3x2x3x3xf32>
  %y = inlay.conv %x, %w {dilations = array<i64: 4, 4>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 4, 4, 4, 4>} : (tensor<1x2x5x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32>
  return %y : tensor<1x3x5x5xf32>
}

// Windows two apart, along one dimension; the bias is added in each part.
// CHECK-LABEL: @strided
// CHECK: inlay.slice %arg0 {axes = array<i64: 2>, ends = array<i64: 6>, starts = array<i64: 0>}
// CHECK: inlay.conv %{{.*}}, %{{.*}}, %arg1 {{.*}}kernel_shape = array<i64: 2>, pads = array<i64: 0, 0>, strides = array<i64: 2>}
// CHECK: inlay.concat {{.*}} -> tensor<1x1x4xf32>
func.func @strided(%x: tensor<1x1x7xf32>, %b: tensor<1xf32>) -> tensor<1x1x4xf32> {
  %w = inlay.constant dense<0.5> : tensor<1x1x3xf32>
  %y = inlay.conv %x, %w, %b {dilations = array<i64: 5>, kernel_shape = array<i64: 3>, pads = array<i64: 5, 5>, strides = array<i64: 2>} : (tensor<1x1x7xf32>, tensor<1x1x3xf32>, tensor<1xf32>) -> tensor<1x1x4xf32>
  return %y : tensor<1x1x4xf32>
}

// Most windows see all taps.
// CHECK-LABEL: @little_is_saved
// CHECK-NOT: inlay.concat
func.func @little_is_saved(%x: tensor<1x2x5x5xf32>) -> tensor<1x3x5x5xf32> {
  %w = inlay.constant dense<0.5> : tensor<3x2x3x3xf32>
  %y = inlay.conv %x, %w {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x2x5x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32>
  return %y : tensor<1x3x5x5xf32>
}

// Zero times infinity is no number.
// CHECK-LABEL: @infinite
// CHECK-NOT: inlay.concat
func.func @infinite(%x: tensor<1x2x5x5xf32>) -> tensor<1x3x5x5xf32> {
  %w = inlay.constant dense<0x7F800000> : tensor<3x2x3x3xf32>
  %y = inlay.conv %x, %w {dilations = array<i64: 4, 4>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 4, 4, 4, 4>} : (tensor<1x2x5x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32>
  return %y : tensor<1x3x5x5xf32>
}

// The first window sees nothing.
// CHECK-LABEL: @blind
// CHECK-NOT: inlay.concat
func.func @blind(%x: tensor<1x1x2xf32>) -> tensor<1x1x8xf32> {
  %w = inlay.constant dense<0.5> : tensor<1x1x1xf32>
  %y = inlay.conv %x, %w {kernel_shape = array<i64: 1>, pads = array<i64: 3, 3>} : (tensor<1x1x2xf32>, tensor<1x1x1xf32>) -> tensor<1x1x8xf32>
  return %y : tensor<1x1x8xf32>
}

// Its extent is not known.
// CHECK-LABEL: @unknown
// CHECK-NOT: inlay.concat
func.func @unknown(%x: tensor<1x2x?x5xf32>) -> tensor<1x3x?x5xf32> {
  %w = inlay.constant dense<0.5> : tensor<3x2x3x3xf32>
  %y = inlay.conv %x, %w {dilations = array<i64: 4, 4>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 4, 4, 4, 4>} : (tensor<1x2x?x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x?x5xf32>
  return %y : tensor<1x3x?x5xf32>
}
