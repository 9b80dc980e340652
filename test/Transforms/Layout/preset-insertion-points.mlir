// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region -inlay-materialize-layouts | FileCheck %s --check-prefix=PHYSICAL

// Where relayouts go: for the outputs of a region first, then for its inputs.

!x = tensor<1x4x6x8xf32>
!w = tensor<4x4x3x3xf32>
!m = tensor<1x4x48xf32>

// Before an output node, which keeps the layout that it had; what else reads
// the value reads it as the region stores it.
// CHECK-LABEL: func.func @before_an_output_node
// CHECK-SAME: -> (tensor<1x4x6x8xf32, #inlay.layout<NCHW>>, tensor<1x4x6x8xf32, #inlay.layout<NCHW>>)
// CHECK: %[[A:.*]] = inlay.conv
// CHECK: %[[B:.*]] = inlay.relu %[[A]] : {{.*}}<NCHW as NHWC>>
// CHECK-DAG: %[[P:.*]] = inlay.relayout %[[A]] {{.*}} -> {{.*}}<NCHW>>
// CHECK-DAG: %[[Q:.*]] = inlay.relayout %[[B]] {{.*}} -> {{.*}}<NCHW>>
// CHECK: return %[[P]], %[[Q]]
func.func @before_an_output_node(%x: !x) -> (!x, !x) {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w {pads = array<i64: 1, 1, 1, 1>} : (!x, !w) -> !x
  %1 = inlay.relu %0 : (!x) -> !x
  return %0, %1 : !x, !x
}

// After an input node, which keeps its layout.
// CHECK-LABEL: func.func @after_an_input_node
// CHECK-SAME: %arg0: tensor<1x4x6x8xf32, #inlay.layout<NCHW>>
// CHECK-SAME: %arg1: tensor<4x4x3x3xf32, #inlay.layout<OIHW>>
// CHECK-DAG: %[[X:.*]] = inlay.relayout %arg0 : {{.*}}<NCHW>>) -> {{.*}}<NCHW as NHWC>>
// CHECK-DAG: %[[W:.*]] = inlay.relayout %arg1 : {{.*}}<OIHW>>) -> {{.*}}<OIHW as HWOI>>
// CHECK: inlay.conv %[[X]], %[[W]]
// PHYSICAL-LABEL: func.func @after_an_input_node
// PHYSICAL-SAME: %arg0: tensor<1x4x6x8xf32>
// PHYSICAL-SAME: %arg1: tensor<4x4x3x3xf32>
func.func @after_an_input_node(%x: !x, %w: !w) -> !x {
  %0 = inlay.conv %x, %w {pads = array<i64: 1, 1, 1, 1>} : (!x, !w) -> !x
  return %0 : !x
}

// After a constant node, which keeps its layout; the copy is made ahead.
// CHECK-LABEL: func.func @after_a_constant_node
// CHECK: %[[C:.*]] = inlay.constant {{.*}}#inlay.layout<OIHW>>
// CHECK-NEXT: %[[W:.*]] = inlay.relayout %[[C]] : {{.*}}<OIHW>>) -> {{.*}}<OIHW as HWOI>>
// CHECK: inlay.conv {{.*}}, %[[W]]
// PHYSICAL-LABEL: func.func @after_a_constant_node
// PHYSICAL-NEXT: inlay.constant {{.*}} : tensor<3x3x4x4xf32>
// PHYSICAL-NEXT: inlay.transpose %arg0
// PHYSICAL-NEXT: inlay.in_layout
func.func @after_a_constant_node(%x: !x) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w {pads = array<i64: 1, 1, 1, 1>} : (!x, !w) -> !x
  return %0 : !x
}

// Otherwise at the border: behind the node that leaves a region, for what the
// nodes behind it had, and before the node that enters the next one.
// CHECK-LABEL: func.func @at_the_border_of_a_region
// CHECK: %[[A:.*]] = inlay.conv
// CHECK-NEXT: %[[OUT:.*]] = inlay.relayout %[[A]] : {{.*}}<NCHW as NHWC>>) -> {{.*}}<NCHW>>
// CHECK-NEXT: %[[B:.*]] = inlay.reshape %[[OUT]] {{.*}}<NCHW>>) -> {{.*}}<Tensor>>
// CHECK-NEXT: %[[IN:.*]] = inlay.relayout %[[B]]
// CHECK-NEXT: %[[C:.*]] = inlay.reshape %[[IN]] {{.*}} -> {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: inlay.conv %[[C]]
func.func @at_the_border_of_a_region(%x: !x) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w {pads = array<i64: 1, 1, 1, 1>} : (!x, !w) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  %2 = inlay.reshape %1 {shape = array<i64: 1, 4, 6, 8>} : (!m) -> !x
  %3 = inlay.conv %2, %w {pads = array<i64: 1, 1, 1, 1>} : (!x, !w) -> !x
  return %3 : !x
}
