// RUN: %inlay-opt %s -inlay-rewrite -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @one_view
// CHECK-NEXT: %[[Y:.*]] = inlay.reshape %arg0 {shape = array<i64: 4, -1>} : (tensor<2x?x6xf32>) -> tensor<4x?xf32>
// CHECK-NEXT: return %[[Y]]
func.func @one_view(%x: tensor<2x?x6xf32>) -> tensor<4x?xf32> {
  %0 = inlay.unsqueeze %x {axes = array<i64: 0>} : (tensor<2x?x6xf32>) -> tensor<1x2x?x6xf32>
  %1 = inlay.squeeze %0 {axes = array<i64: 0>} : (tensor<1x2x?x6xf32>) -> tensor<2x?x6xf32>
  %2 = inlay.reshape %1 {shape = array<i64: 4, -1>} : (tensor<2x?x6xf32>) -> tensor<4x?xf32>
  return %2 : tensor<4x?xf32>
}

// -----

// CHECK-LABEL: func.func @no_view_at_all
// CHECK-NEXT: return %arg0
func.func @no_view_at_all(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %0 = inlay.reshape %x {shape = array<i64: 3, 4>} : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %1 = inlay.reshape %0 {shape = array<i64: 2, 6>} : (tensor<3x4xf32>) -> tensor<2x6xf32>
  return %1 : tensor<2x6xf32>
}

// -----

// Two unknown extents; a view that somebody else needs; no elements.
// CHECK-LABEL: func.func @stay
// CHECK-COUNT-6: inlay.reshape
// CHECK: return
func.func @stay(%x: tensor<?x?xf32>, %y: tensor<2x6xf32>, %z: tensor<2x0xf32>)
    -> (tensor<?x?xf32>, tensor<12xf32>, tensor<3x4xf32>, tensor<0x5xf32>) {
  %0 = inlay.reshape %x {shape = array<i64: 0, 1, -1>} : (tensor<?x?xf32>) -> tensor<?x1x?xf32>
  %1 = inlay.reshape %0 {shape = array<i64: 0, -1>} : (tensor<?x1x?xf32>) -> tensor<?x?xf32>
  %2 = inlay.reshape %y {shape = array<i64: 3, 4>} : (tensor<2x6xf32>) -> tensor<3x4xf32>
  %3 = inlay.reshape %2 {shape = array<i64: 12>} : (tensor<3x4xf32>) -> tensor<12xf32>
  %4 = inlay.reshape %z {shape = array<i64: 5, 0>, allowzero = 1 : i64} : (tensor<2x0xf32>) -> tensor<5x0xf32>
  %5 = inlay.reshape %4 {shape = array<i64: 0, 5>, allowzero = 1 : i64} : (tensor<5x0xf32>) -> tensor<0x5xf32>
  return %1, %3, %2, %5 : tensor<?x?xf32>, tensor<12xf32>, tensor<3x4xf32>, tensor<0x5xf32>
}

// A loop whose result is only asked for its shape is dead then, but it is not
// for rewriting to take its operators away.
// CHECK-LABEL: @behind_a_loop
// CHECK: inlay.loop
func.func @behind_a_loop(%x: tensor<4x2x6xf32>, %y: tensor<4x2x6xf32>) -> tensor<4x2x6xf32> {
  %n = inlay.constant dense<3> : tensor<i64>
  %l = inlay.loop(trip %n carry %y) : (tensor<i64>, tensor<4x2x6xf32>) -> tensor<4x2x6xf32> {
  ^bb0(%i: tensor<i64>, %c: tensor<i1>, %a: tensor<4x2x6xf32>):
    %t = inlay.constant dense<true> : tensor<i1>
    %s = inlay.sub %a, %a : (tensor<4x2x6xf32>, tensor<4x2x6xf32>) -> tensor<4x2x6xf32>
    inlay.yield %t, %s : tensor<i1>, tensor<4x2x6xf32>
  }
  %u = inlay.unsqueeze %x {axes = array<i64: 3, 4>} : (tensor<4x2x6xf32>) -> tensor<4x2x6x1x1xf32>
  %s = inlay.shape %l : (tensor<4x2x6xf32>) -> tensor<3xi64>
  %r = inlay.reshape %u, shape %s : (tensor<4x2x6x1x1xf32>, tensor<3xi64>) -> tensor<4x2x6xf32>
  return %r : tensor<4x2x6xf32>
}
