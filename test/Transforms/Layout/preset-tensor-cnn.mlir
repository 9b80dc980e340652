// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region-plus | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region-plus -inlay-materialize-layouts | FileCheck %s --check-prefix=PHYSICAL

// Operators at the border of the classes, mostly Reshapes: their operands are of
// one class and their results of another.

!x = tensor<1x4x6x8xf32>
!w = tensor<4x4x1x1xf32>
!m = tensor<1x4x48xf32>

// Tensor -> CNN: the operator belongs to the CNN behind it, and the relayout goes
// before it: transpose + reshape.
// CHECK-LABEL: func.func @tensor_to_cnn_not_merged
// CHECK: %[[A:.*]] = inlay.abs %arg0 : {{.*}}<Tensor>>) -> {{.*}}<Tensor>>
// CHECK-NEXT: %[[T:.*]] = inlay.relayout %[[A]]
// CHECK-NEXT: %[[B:.*]] = inlay.reshape %[[T]] {{.*}} -> {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: %[[C:.*]] = inlay.conv %[[B]]
// CHECK-NEXT: inlay.relayout %[[C]]
// CHECK-NEXT: return
// PHYSICAL-LABEL: func.func @tensor_to_cnn_not_merged
// PHYSICAL: inlay.abs
// PHYSICAL-NEXT: inlay.transpose {{.*}} : (tensor<1x4x48xf32>) -> tensor<1x48x4xf32>
// PHYSICAL-NEXT: inlay.reshape {{.*}} : (tensor<1x48x4xf32>) -> tensor<1x6x8x4xf32>
// PHYSICAL-NEXT: inlay.in_layout
func.func @tensor_to_cnn_not_merged(%t: !m) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.abs %t : (!m) -> !m
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 6, 8>} : (!m) -> !x
  %2 = inlay.conv %1, %w : (!x, !w) -> !x
  return %2 : !x
}

// Where the Tensor before it has merged with the CNN before that, it counts as
// CNN: nothing is inserted, the operator takes what the class stores.
// CHECK-LABEL: func.func @tensor_to_cnn_merged
// CHECK: inlay.relayout %arg0
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.reshape {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: %[[A:.*]] = inlay.abs {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: %[[B:.*]] = inlay.reshape %[[A]] {{.*}}<Tensor as (0,2,1)>>) -> {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: %[[C:.*]] = inlay.conv %[[B]]
// CHECK-NEXT: inlay.relayout %[[C]]
// CHECK-NEXT: return
func.func @tensor_to_cnn_merged(%x: !x) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %2 = inlay.abs %1 : (!m) -> !m
  %3 = inlay.reshape %2 {shape = array<i64: 1, 4, 6, 8>} : (!m) -> !x
  %4 = inlay.conv %3, %w : (!x, !w) -> !x
  return %4 : !x
}

// CNN -> Tensor: the operator belongs to the Tensors behind it, and the relayout
// before it goes back to the original layout.
// CHECK-LABEL: func.func @cnn_to_tensor_not_merged
// CHECK: %[[A:.*]] = inlay.conv
// CHECK-NEXT: %[[T:.*]] = inlay.relayout %[[A]] : {{.*}}<NCHW as NHWC>>) -> {{.*}}<NCHW>>
// CHECK-NEXT: %[[B:.*]] = inlay.reshape %[[T]] {{.*}}<NCHW>>) -> {{.*}}<Tensor>>
// CHECK-NEXT: inlay.mul %[[B]], %arg1 : {{.*}}<Tensor>>
// CHECK-NEXT: return
// PHYSICAL-LABEL: func.func @cnn_to_tensor_not_merged
// PHYSICAL: inlay.yield
// PHYSICAL-NEXT: }
// PHYSICAL-NEXT: inlay.transpose {{.*}} -> tensor<1x4x6x8xf32>
// PHYSICAL-NEXT: inlay.reshape {{.*}} -> tensor<1x4x48xf32>
func.func @cnn_to_tensor_not_merged(%x: !x, %t: !m) -> !m {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %2 = inlay.mul %1, %t : (!m, !m) -> !m
  return %2 : !m
}

// Merged, it needs no relayout; only the output does.
// CHECK-LABEL: func.func @cnn_to_tensor_merged
// CHECK: %[[A:.*]] = inlay.conv
// CHECK-NEXT: %[[B:.*]] = inlay.reshape %[[A]] {{.*}}<NCHW as NHWC>>) -> {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: %[[C:.*]] = inlay.abs %[[B]] {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: %[[D:.*]] = inlay.relayout %[[C]] : {{.*}} -> {{.*}}<Tensor>>
// CHECK-NEXT: return %[[D]]
// PHYSICAL-LABEL: func.func @cnn_to_tensor_merged
// PHYSICAL: inlay.abs {{.*}} -> tensor<1x48x4xf32>
// PHYSICAL-NEXT: inlay.transpose {{.*}} : (tensor<1x48x4xf32>) -> tensor<1x4x48xf32>
// PHYSICAL-NEXT: return
func.func @cnn_to_tensor_merged(%x: !x) -> !m {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %2 = inlay.abs %1 : (!m) -> !m
  return %2 : !m
}

// Not only Reshapes: an addition of a Feature to a Tensor gives a Feature.
// CHECK-LABEL: func.func @an_addition_at_the_border
// CHECK: %[[T:.*]] = inlay.reshape %arg1 {{.*}}<Tensor>>
// CHECK: %[[R:.*]] = inlay.relayout %[[T]]
// CHECK-NEXT: inlay.add {{.*}}, %[[R]] : {{.*}} -> {{.*}}<NCHW as NHWC>>
func.func @an_addition_at_the_border(%x: !x, %t: !m) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %t {shape = array<i64: 1, 4, 6, 8>} : (!m) -> !x
  %2 = inlay.add %0, %1 : (!x, !x) -> !x
  return %2 : !x
}
