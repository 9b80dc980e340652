// RUN: %inlay-opt %s -inlay-materialize-layouts -split-input-file | FileCheck %s

!x = tensor<1x3x4x4xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @stores_results_of_branches
// CHECK: %[[Y:.*]] = inlay.if %arg0 : (tensor<i1>) -> tensor<1x4x4x3xf32> {
// CHECK: %[[A:.*]] = inlay.relu %arg1 : (tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
// CHECK: inlay.yield %[[A]] : tensor<1x4x4x3xf32>
// CHECK: } else {
// CHECK: inlay.yield %arg1 : tensor<1x4x4x3xf32>
// CHECK: inlay.abs %[[Y]] : (tensor<1x4x4x3xf32>)
func.func @stores_results_of_branches(%c: tensor<i1>, %x: !x) -> !x {
  %b = inlay.if %c : (tensor<i1>) -> !x {
    %a = inlay.relu %x : (!x) -> !x
    inlay.yield %a : !x
  } else {
    inlay.yield %x : !x
  }
  %y = inlay.abs %b : (!x) -> !x
  return %y : !x
}

// -----

!x = tensor<1x3x4x4xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @stores_values_that_a_loop_carries
// CHECK: inlay.loop(trip %arg0 carry %arg1) : (tensor<i64>, tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32> {
// CHECK: ^bb0(%{{.*}}: tensor<i64>{{.*}}, %{{.*}}: tensor<i1>{{.*}}, %[[V:.*]]: tensor<1x4x4x3xf32>
// CHECK: %[[S:.*]] = inlay.add %[[V]], %arg2 : (tensor<1x4x4x3xf32>, tensor<1x4x4x3xf32>)
// CHECK: inlay.yield %{{.*}}, %[[S]] : tensor<i1>, tensor<1x4x4x3xf32>
func.func @stores_values_that_a_loop_carries(%n: tensor<i64>, %x: !x, %captured: !x) -> !x {
  %y = inlay.loop(trip %n carry %x) : (tensor<i64>, !x) -> !x {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: !x):
    %s = inlay.add %v, %captured : (!x, !x) -> !x
    inlay.yield %c, %s : tensor<i1>, !x
  }
  return %y : !x
}

// -----

// A relayout inside a subgraph of a value outside of it.
!x = tensor<1x3x4x4xf32, #inlay.layout<NCHW as NHWC>>
// CHECK-LABEL: func.func @relays_captured_values_where_they_are_needed
// CHECK: inlay.if
// CHECK: %[[T:.*]] = inlay.transpose %arg1 {perm = array<i64: 0, 2, 3, 1>}
// CHECK: inlay.relu %[[T]]
func.func @relays_captured_values_where_they_are_needed(%c: tensor<i1>, %x: tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32> {
  %y = inlay.if %c : (tensor<i1>) -> tensor<1x3x4x4xf32> {
    %t = inlay.relayout %x : (tensor<1x3x4x4xf32>) -> !x
    %a = inlay.relu %t : (!x) -> !x
    %b = inlay.relayout %a : (!x) -> tensor<1x3x4x4xf32>
    inlay.yield %b : tensor<1x3x4x4xf32>
  } else {
    inlay.yield %x : tensor<1x3x4x4xf32>
  }
  return %y : tensor<1x3x4x4xf32>
}

// -----

// What a scan collects is row-major; its state is stored as its type says.
!s = tensor<2x3xf32, #inlay.layout<Tensor as (1,0)>>
// CHECK-LABEL: func.func @stores_the_state_of_a_scan
// CHECK: inlay.scan(%arg0, %arg1) {{.*}}: (tensor<3x2xf32>, tensor<4x2xf32>) -> (tensor<3x2xf32>, tensor<4x2xf32>) {
func.func @stores_the_state_of_a_scan(%s: !s, %x: tensor<4x2xf32>) -> (!s, tensor<4x2xf32>) {
  %y:2 = inlay.scan(%s, %x) {num_scan_inputs = 1 : i64} : (!s, tensor<4x2xf32>) -> (!s, tensor<4x2xf32>) {
  ^bb0(%state: !s, %slice: tensor<2xf32>):
    %next = inlay.abs %state : (!s) -> !s
    inlay.yield %next, %slice : !s, tensor<2xf32>
  }
  return %y#0, %y#1 : !s, tensor<4x2xf32>
}
