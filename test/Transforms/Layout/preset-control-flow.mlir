// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region | FileCheck %s --check-prefix=REGION
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s --check-prefix=PHYSICAL

!x = tensor<2x4x6x8xf32>
!w = tensor<4x4x1x1xf32>

// Branches, the value that they capture, and the result are stored alike.
// CHECK-LABEL: func.func @branches_of_an_if
// CHECK: inlay.relayout %arg1
// CHECK-NEXT: %[[A:.*]] = inlay.conv
// CHECK-NEXT: %[[B:.*]] = inlay.if %arg0 : {{.*}} -> {{.*}}<NCHW as NHWC>> {
// CHECK-NEXT: inlay.relu %[[A]]
// CHECK-NEXT: inlay.yield
// CHECK: inlay.yield %[[A]]
// CHECK: %[[C:.*]] = inlay.conv %[[B]]
// CHECK-NEXT: inlay.relayout %[[C]]
// REGION-LABEL: func.func @branches_of_an_if
// REGION: inlay.if %arg0 : {{.*}} -> tensor<2x4x6x8xf32, #inlay.layout<NCHW>> {
// REGION: inlay.relayout
// REGION-NEXT: inlay.yield
// PHYSICAL-LABEL: func.func @branches_of_an_if
// PHYSICAL: inlay.if %arg0 : (tensor<i1>) -> tensor<2x6x8x4xf32>
func.func @branches_of_an_if(%c: tensor<i1>, %x: !x) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.if %c : (tensor<i1>) -> !x {
    %a = inlay.relu %0 : (!x) -> !x
    inlay.yield %a : !x
  } else {
    inlay.yield %0 : !x
  }
  %2 = inlay.conv %1, %w : (!x, !w) -> !x
  return %2 : !x
}

// What a loop carries is converted once, outside, when it runs ten times.
// CHECK-LABEL: func.func @values_that_a_loop_carries
// CHECK: %[[X:.*]] = inlay.relayout %arg0
// CHECK-NEXT: %[[Y:.*]] = inlay.loop(trip %{{.*}} carry %[[X]])
// CHECK-NOT: inlay.relayout
// CHECK: inlay.yield
// CHECK: inlay.relayout %[[Y]]
// REGION-LABEL: func.func @values_that_a_loop_carries
// REGION: inlay.loop(trip %{{.*}} carry %arg0)
// REGION: inlay.relayout
// REGION-NEXT: inlay.conv
// REGION-NEXT: inlay.relayout
// REGION-NEXT: inlay.yield
// PHYSICAL-LABEL: func.func @values_that_a_loop_carries
// PHYSICAL: inlay.loop({{.*}}) : (tensor<i64>, tensor<2x6x8x4xf32>) -> tensor<2x6x8x4xf32>
func.func @values_that_a_loop_carries(%x: !x) -> !x {
  %n = inlay.constant dense<10> : tensor<i64>
  %w = inlay.constant dense<1.0> : !w
  %y = inlay.loop(trip %n carry %x) : (tensor<i64>, !x) -> !x {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: !x):
    %s = inlay.conv %v, %w : (!x, !w) -> !x
    inlay.yield %c, %s : tensor<i1>, !x
  }
  return %y : !x
}
