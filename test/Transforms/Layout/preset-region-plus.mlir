// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region-plus | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region-plus -inlay-materialize-layouts | FileCheck %s --check-prefix=PHYSICAL

// The advanced way plus: a Tensor region whose inputs are Features of the same
// layout joins them.

!x = tensor<1x4x6x8xf32>
!w = tensor<4x4x1x1xf32>
!m = tensor<1x4x48xf32>

// The drawing: two relayouts, of the four that the advanced way needs.
// CHECK-LABEL: func.func @the_advanced_way_plus_feature_tensor_feature
// CHECK: %[[T1:.*]] = inlay.relayout %arg0 : {{.*}}<NCHW>>) -> {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: %[[N1:.*]] = inlay.conv %[[T1]]
// CHECK-NEXT: %[[A:.*]] = inlay.reshape %[[N1]] {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: %[[B:.*]] = inlay.abs %[[A]] {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: %[[C:.*]] = inlay.reshape %[[B]] {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: %[[N2:.*]] = inlay.conv %[[C]]
// CHECK-NEXT: %[[T2:.*]] = inlay.relayout %[[N2]] : {{.*}}<NCHW as NHWC>>) -> {{.*}}<NCHW>>
// CHECK-NEXT: return %[[T2]]
// PHYSICAL-LABEL: func.func @the_advanced_way_plus_feature_tensor_feature
// PHYSICAL: inlay.transpose %arg0
// PHYSICAL-NEXT: inlay.in_layout "nhwc" "Conv"
// PHYSICAL: inlay.yield
// PHYSICAL-NEXT: }
// PHYSICAL-NEXT: inlay.reshape {{.*}} : (tensor<1x6x8x4xf32>) -> tensor<1x48x4xf32>
// PHYSICAL-NEXT: inlay.abs {{.*}} -> tensor<1x48x4xf32>
// PHYSICAL-NEXT: inlay.reshape {{.*}} : (tensor<1x48x4xf32>) -> tensor<1x6x8x4xf32>
// PHYSICAL-NEXT: inlay.in_layout "nhwc" "Conv"
// PHYSICAL: inlay.yield
// PHYSICAL-NEXT: }
// PHYSICAL-NEXT: inlay.transpose
// PHYSICAL-NEXT: return
func.func @the_advanced_way_plus_feature_tensor_feature(%x: !x) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %2 = inlay.abs %1 : (!m) -> !m
  %3 = inlay.reshape %2 {shape = array<i64: 1, 4, 6, 8>} : (!m) -> !x
  %4 = inlay.conv %3, %w : (!x, !w) -> !x
  return %4 : !x
}

// An operator that cannot work in the region's order splits it: what comes
// before joins, it does not, nor does what comes behind it. A Reshape that cuts
// 4 x 48 into 6 x 32 mixes channels and places.
// CHECK-LABEL: func.func @splits_a_region_where_an_operator_does_not_admit_the_order
// CHECK: inlay.relayout %arg0
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.reshape {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: inlay.abs {{.*}}<Tensor as (0,2,1)>>
// CHECK-NEXT: %[[R:.*]] = inlay.relayout {{.*}} -> tensor<1x4x48xf32, #inlay.layout<Tensor>>
// CHECK-NEXT: inlay.reshape %[[R]] {{.*}} -> tensor<1x6x32xf32, #inlay.layout<Tensor>>
// CHECK-NEXT: inlay.neg {{.*}} -> tensor<1x6x32xf32, #inlay.layout<Tensor>>
// CHECK-NEXT: return
func.func @splits_a_region_where_an_operator_does_not_admit_the_order(%x: !x) -> tensor<1x6x32xf32> {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %2 = inlay.abs %1 : (!m) -> !m
  %3 = inlay.reshape %2 {shape = array<i64: 1, 6, 32>} : (!m) -> tensor<1x6x32xf32>
  %4 = inlay.neg %3 : (tensor<1x6x32xf32>) -> tensor<1x6x32xf32>
  return %4 : tensor<1x6x32xf32>
}
