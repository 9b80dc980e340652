// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region-plus | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region-plus -inlay-materialize-layouts | FileCheck %s --check-prefix=PHYSICAL

// The second classification: a Tensor region joins the regions of its inputs
// when they are all of one class (Feature, Weight) and of the same layout.

!x = tensor<1x4x6x8xf32>
!y = tensor<1x6x8x4xf32>
!w = tensor<4x4x1x1xf32>
!m = tensor<1x4x48xf32>

// CHECK-LABEL: func.func @merges_a_tensor_region_with_all_its_inputs
// CHECK: inlay.relayout %arg0
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.relayout %arg1
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.reshape {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: inlay.reshape {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: %[[C:.*]] = inlay.add {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: inlay.relayout %[[C]] {{.*}} -> {{.*}}<Tensor>>
// CHECK-NEXT: return
// PHYSICAL-LABEL: func.func @merges_a_tensor_region_with_all_its_inputs
// PHYSICAL: inlay.reshape {{.*}} : (tensor<1x6x8x4xf32>) -> tensor<1x48x4xf32>
// PHYSICAL-NEXT: inlay.reshape {{.*}} : (tensor<1x6x8x4xf32>) -> tensor<1x48x4xf32>
// PHYSICAL-NEXT: inlay.add {{.*}} -> tensor<1x48x4xf32>
// PHYSICAL-NEXT: inlay.transpose {{.*}} -> tensor<1x4x48xf32>
func.func @merges_a_tensor_region_with_all_its_inputs(%x: !x, %y: !x) -> !m {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.conv %y, %w : (!x, !w) -> !x
  %2 = inlay.reshape %0 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %3 = inlay.reshape %1 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %4 = inlay.add %2, %3 : (!m, !m) -> !m
  return %4 : !m
}

// Not when an input of the region is an Input of class Tensor.
// CHECK-LABEL: func.func @does_not_merge_with_an_input_of_class_tensor
// CHECK: %[[A:.*]] = inlay.conv
// CHECK-NEXT: %[[B:.*]] = inlay.relayout %[[A]] {{.*}} -> {{.*}}<NCHW>>
// CHECK-NEXT: inlay.reshape %[[B]] {{.*}}<Tensor>>
// CHECK-NEXT: inlay.add {{.*}}, %arg1 : {{.*}}<Tensor>>
// CHECK-NEXT: return
func.func @does_not_merge_with_an_input_of_class_tensor(%x: !x, %t: !m) -> !m {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %2 = inlay.add %1, %t : (!m, !m) -> !m
  return %2 : !m
}

// Not when one is a Const of class Tensor.
// CHECK-LABEL: func.func @does_not_merge_with_a_const_of_class_tensor
// CHECK: %[[A:.*]] = inlay.conv
// CHECK-NEXT: %[[B:.*]] = inlay.relayout %[[A]] {{.*}} -> {{.*}}<NCHW>>
// CHECK-NEXT: inlay.reshape %[[B]] {{.*}}<Tensor>>
// CHECK-NEXT: inlay.add {{.*}}<Tensor>>
// CHECK-NEXT: return
func.func @does_not_merge_with_a_const_of_class_tensor(%x: !x) -> !m {
  %w = inlay.constant dense<1.0> : !w
  %t = inlay.constant dense<2.0> : !m
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %2 = inlay.add %1, %t : (!m, !m) -> !m
  return %2 : !m
}

// Not when the layouts of Features differ: one branch is NHWC in the model, the
// other NCHW, and only the latter is converted.
// CHECK-LABEL: func.func @does_not_merge_features_of_different_layouts
// CHECK: %[[A:.*]] = inlay.conv
// CHECK: %[[H:.*]] = inlay.abs {{.*}}<NHWC>>) -> {{.*}}<NHWC>>
// CHECK-NEXT: %[[B:.*]] = inlay.relayout %[[A]] {{.*}} -> {{.*}}<NCHW>>
// CHECK-NEXT: %[[L:.*]] = inlay.reshape %[[B]] {{.*}}<Tensor>>
// CHECK-NEXT: %[[R:.*]] = inlay.reshape %[[H]] {{.*}}<Tensor>>
// CHECK-NEXT: inlay.add %[[L]], %[[R]] : {{.*}}<Tensor>>
// CHECK-NEXT: return
func.func @does_not_merge_features_of_different_layouts(%x: !x) -> !m {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.conv %x, %w : (!x, !w) -> !x
  %t = inlay.transpose %1 {perm = array<i64: 0, 2, 3, 1>} : (!x) -> !y
  %h = inlay.abs %t : (!y) -> !y
  %2 = inlay.reshape %0 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %3 = inlay.reshape %h {shape = array<i64: 1, 4, 48>} : (!y) -> !m
  %4 = inlay.add %2, %3 : (!m, !m) -> !m
  return %4 : !m
}

// An Input of class Feature does not keep a region from merging: it is stored
// as the class demands.
// CHECK-LABEL: func.func @merges_with_an_input_of_class_feature
// CHECK: %[[T:.*]] = inlay.relayout %arg0
// CHECK-NEXT: %[[A:.*]] = inlay.conv %[[T]]
// CHECK-NEXT: inlay.reshape %[[A]] {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: inlay.reshape %[[T]] {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: %[[C:.*]] = inlay.add {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: inlay.relayout %[[C]]
// CHECK-NEXT: return
func.func @merges_with_an_input_of_class_feature(%x: !x) -> !m {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %2 = inlay.reshape %x {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %3 = inlay.add %1, %2 : (!m, !m) -> !m
  return %3 : !m
}
