// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region -inlay-materialize-layouts | FileCheck %s --check-prefix=PHYSICAL

// The first classification: an operator joins those of its inputs that are of
// its own class. A relayout stands where two that are not joined meet, and
// nowhere else.

!x = tensor<1x4x6x8xf32>
!w = tensor<4x4x1x1xf32>
!m = tensor<1x4x48xf32>

// One input, of one's own class.
// CHECK-LABEL: func.func @joins_its_input_of_the_same_class
// CHECK: inlay.relayout %arg0
// CHECK-NEXT: %[[A:.*]] = inlay.conv
// CHECK-NEXT: %[[B:.*]] = inlay.relu %[[A]] : {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: inlay.relayout %[[B]]
// CHECK-NEXT: return
func.func @joins_its_input_of_the_same_class(%x: !x) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.relu %0 : (!x) -> !x
  return %1 : !x
}

// Its twin: the input is of another class.
// CHECK-LABEL: func.func @does_not_join_its_input_of_another_class
// CHECK: %[[A:.*]] = inlay.conv
// CHECK-NEXT: %[[B:.*]] = inlay.relayout %[[A]] {{.*}} -> {{.*}}<NCHW>>
// CHECK-NEXT: inlay.reshape %[[B]] {{.*}}<Tensor>>
// CHECK-NEXT: return
func.func @does_not_join_its_input_of_another_class(%x: !x) -> !m {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 1, 4, 48>} : (!x) -> !m
  return %1 : !m
}

// Several inputs, all of one's own class: one region with all of them.
// CHECK-LABEL: func.func @joins_all_inputs_of_the_same_class
// CHECK: inlay.relayout %arg0
// CHECK-NEXT: %[[A:.*]] = inlay.conv
// CHECK-NEXT: inlay.relayout %arg1
// CHECK-NEXT: %[[B:.*]] = inlay.conv
// CHECK-NEXT: %[[C:.*]] = inlay.concat %[[A]], %[[B]] {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: inlay.relayout %[[C]]
// CHECK-NEXT: return
// PHYSICAL-LABEL: func.func @joins_all_inputs_of_the_same_class
// PHYSICAL: inlay.concat {{.*}} {axis = 3 : i64} : (tensor<1x6x8x4xf32>, tensor<1x6x8x4xf32>) -> tensor<1x6x8x8xf32>
func.func @joins_all_inputs_of_the_same_class(%x: !x, %y: !x) -> tensor<1x8x6x8xf32> {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.conv %y, %w : (!x, !w) -> !x
  %2 = inlay.concat %0, %1 {axis = 1 : i64} : (!x, !x) -> tensor<1x8x6x8xf32>
  return %2 : tensor<1x8x6x8xf32>
}

// Several inputs, some of one's own class: it joins these, the others stay.
// CHECK-LABEL: func.func @joins_only_the_inputs_of_the_same_class
// CHECK: inlay.relayout %arg0
// CHECK-NEXT: %[[A:.*]] = inlay.conv
// CHECK-NEXT: %[[B:.*]] = inlay.reshape %arg1 {{.*}}<Tensor>>) -> {{.*}}<Tensor>>
// CHECK-NEXT: %[[R:.*]] = inlay.relayout %[[B]]
// CHECK-NEXT: %[[C:.*]] = inlay.add %[[A]], %[[R]] : {{.*}} -> {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: inlay.relayout %[[C]]
// CHECK-NEXT: return
// PHYSICAL-LABEL: func.func @joins_only_the_inputs_of_the_same_class
// PHYSICAL: inlay.reshape %arg1 {{.*}} -> tensor<1x4x6x8xf32>
// PHYSICAL-NEXT: inlay.transpose {{.*}} -> tensor<1x6x8x4xf32>
// PHYSICAL-NEXT: inlay.add {{.*}} -> tensor<1x6x8x4xf32>
func.func @joins_only_the_inputs_of_the_same_class(%x: !x, %t: !m) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %t {shape = array<i64: 1, 4, 6, 8>} : (!m) -> !x
  %2 = inlay.add %0, %1 : (!x, !x) -> !x
  return %2 : !x
}

// An input of the graph is a node like any other: those that read it are one
// region, and share the relayout behind it.
// CHECK-LABEL: func.func @joins_those_that_read_one_input
// CHECK: %[[T:.*]] = inlay.relayout %arg0
// CHECK-NEXT: inlay.conv %[[T]]
// CHECK-NEXT: inlay.conv %[[T]]
// CHECK-NOT: inlay.relayout %arg0
// CHECK: return
func.func @joins_those_that_read_one_input(%x: !x) -> (!x, !x) {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.conv %x, %w : (!x, !w) -> !x
  return %0, %1 : !x, !x
}
