// RUN: %inlay-opt %s -inlay-simplify -split-input-file | FileCheck %s

// What a storage order was chosen for keeps it.
!n = tensor<2x2xf32, #inlay.layout<Tensor as (1,0)>>
// CHECK-LABEL: func.func @keeps_storage_orders
// CHECK: %[[A:.*]] = inlay.relayout {{.*}} -> tensor<2x2xf32, #inlay.layout<Tensor as (1,0)>>
// CHECK: %[[B:.*]] = inlay.neg %[[A]] {{.*}} -> tensor<2x2xf32, #inlay.layout<Tensor as (1,0)>>
// CHECK: return %[[B]] : tensor<2x2xf32, #inlay.layout<Tensor as (1,0)>>
func.func @keeps_storage_orders() -> !n {
  %c = inlay.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a = inlay.relayout %c : (tensor<2x2xf32>) -> !n
  %b = inlay.neg %a : (!n) -> !n
  return %b : !n
}

// -----

// CHECK-LABEL: func.func @bypasses_relayouts_that_change_nothing
// CHECK-NEXT: return %arg0
func.func @bypasses_relayouts_that_change_nothing(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %y = inlay.relayout %x : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// A body does not see what is around it.
// CHECK-LABEL: func.func @merges_nothing_across_isolated_bodies
// CHECK: inlay.constant dense<2.0
// CHECK: inlay.in_layout
// CHECK: inlay.constant dense<2.0
func.func @merges_nothing_across_isolated_bodies(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %c = inlay.constant dense<2.0> : tensor<2x2xf32>
  %a = inlay.add %x, %c : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = inlay.in_layout "t" "Mul"(%a) layouts ["", ""] : (tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%b: tensor<2x2xf32>):
    %d = inlay.constant dense<2.0> : tensor<2x2xf32>
    %m = inlay.mul %b, %d : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    inlay.yield %m : tensor<2x2xf32>
  }
  return %y : tensor<2x2xf32>
}
