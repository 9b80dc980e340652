// RUN: %inlay-opt %s -inlay-set-target=target=ort -inlay-layout-transmit -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s
// RUN: %inlay-opt %s -inlay-set-target=target=none -inlay-layout-transmit -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s --check-prefix=BYTES

// Two copies take less time than a Softmax off the last axis.
// CHECK-LABEL: func.func @softmax_stays_on_the_last_axis
// CHECK-NEXT: inlay.transpose
// CHECK-NEXT: inlay.softmax
// CHECK-NEXT: inlay.transpose
// BYTES-LABEL: func.func @softmax_stays_on_the_last_axis
// BYTES-NEXT: inlay.softmax %arg0 {axis = 1 : i64}
// BYTES-NEXT: return
func.func @softmax_stays_on_the_last_axis(%x: tensor<64x128x128xf32>) -> tensor<64x128x128xf32> {
  %0 = inlay.transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<64x128x128xf32>) -> tensor<64x128x128xf32>
  %1 = inlay.softmax %0 : (tensor<64x128x128xf32>) -> tensor<64x128x128xf32>
  %2 = inlay.transpose %1 {perm = array<i64: 0, 2, 1>} : (tensor<64x128x128xf32>) -> tensor<64x128x128xf32>
  return %2 : tensor<64x128x128xf32>
}

// What no kernel is slower for goes all the same.
// CHECK-LABEL: func.func @nothing_is_slower
// CHECK-NEXT: inlay.relu %arg0
// CHECK-NEXT: return
func.func @nothing_is_slower(%x: tensor<64x128x128xf32>) -> tensor<64x128x128xf32> {
  %0 = inlay.transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<64x128x128xf32>) -> tensor<64x128x128xf32>
  %1 = inlay.relu %0 : (tensor<64x128x128xf32>) -> tensor<64x128x128xf32>
  %2 = inlay.transpose %1 {perm = array<i64: 0, 2, 1>} : (tensor<64x128x128xf32>) -> tensor<64x128x128xf32>
  return %2 : tensor<64x128x128xf32>
}
