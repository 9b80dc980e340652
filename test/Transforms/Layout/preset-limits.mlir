// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s

// More orders than one begins with come into question: limits are raised until
// none is left out.

// CHECK-LABEL: func.func @nine_orders_of_a_chain_that_ends_as_it_began
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @nine_orders_of_a_chain_that_ends_as_it_began(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %0 = inlay.transpose %x {perm = array<i64: 1, 0, 3, 2>} : (tensor<2x3x4x5xf32>) -> tensor<3x2x5x4xf32>
  %1 = inlay.sigmoid %0 : (tensor<3x2x5x4xf32>) -> tensor<3x2x5x4xf32>
  %2 = inlay.transpose %1 {perm = array<i64: 3, 1, 0, 2>} : (tensor<3x2x5x4xf32>) -> tensor<4x2x3x5xf32>
  %3 = inlay.sigmoid %2 : (tensor<4x2x3x5xf32>) -> tensor<4x2x3x5xf32>
  %4 = inlay.transpose %3 {perm = array<i64: 0, 3, 1, 2>} : (tensor<4x2x3x5xf32>) -> tensor<4x5x2x3xf32>
  %5 = inlay.sigmoid %4 : (tensor<4x5x2x3xf32>) -> tensor<4x5x2x3xf32>
  %6 = inlay.transpose %5 {perm = array<i64: 3, 1, 2, 0>} : (tensor<4x5x2x3xf32>) -> tensor<3x5x2x4xf32>
  %7 = inlay.sigmoid %6 : (tensor<3x5x2x4xf32>) -> tensor<3x5x2x4xf32>
  %8 = inlay.transpose %7 {perm = array<i64: 1, 3, 0, 2>} : (tensor<3x5x2x4xf32>) -> tensor<5x4x3x2xf32>
  %9 = inlay.sigmoid %8 : (tensor<5x4x3x2xf32>) -> tensor<5x4x3x2xf32>
  %10 = inlay.transpose %9 {perm = array<i64: 3, 0, 2, 1>} : (tensor<5x4x3x2xf32>) -> tensor<2x5x3x4xf32>
  %11 = inlay.sigmoid %10 : (tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32>
  %12 = inlay.transpose %11 {perm = array<i64: 1, 0, 2, 3>} : (tensor<2x5x3x4xf32>) -> tensor<5x2x3x4xf32>
  %13 = inlay.sigmoid %12 : (tensor<5x2x3x4xf32>) -> tensor<5x2x3x4xf32>
  %14 = inlay.transpose %13 {perm = array<i64: 1, 3, 2, 0>} : (tensor<5x2x3x4xf32>) -> tensor<2x4x3x5xf32>
  %15 = inlay.sigmoid %14 : (tensor<2x4x3x5xf32>) -> tensor<2x4x3x5xf32>
  %16 = inlay.transpose %15 {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x4x3x5xf32>) -> tensor<2x3x4x5xf32>
  return %16 : tensor<2x3x4x5xf32>
}

// Its twin ends otherwise: one transpose is left.
// CHECK-LABEL: func.func @the_same_chain_that_ends_otherwise
// CHECK-COUNT-1: inlay.transpose {{.*}}{perm = array<i64: 0, 2, 1, 3>}
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @the_same_chain_that_ends_otherwise(%x: tensor<2x3x4x5xf32>) -> tensor<2x4x3x5xf32> {
  %0 = inlay.transpose %x {perm = array<i64: 1, 0, 3, 2>} : (tensor<2x3x4x5xf32>) -> tensor<3x2x5x4xf32>
  %1 = inlay.sigmoid %0 : (tensor<3x2x5x4xf32>) -> tensor<3x2x5x4xf32>
  %2 = inlay.transpose %1 {perm = array<i64: 3, 1, 0, 2>} : (tensor<3x2x5x4xf32>) -> tensor<4x2x3x5xf32>
  %3 = inlay.sigmoid %2 : (tensor<4x2x3x5xf32>) -> tensor<4x2x3x5xf32>
  %4 = inlay.transpose %3 {perm = array<i64: 0, 3, 1, 2>} : (tensor<4x2x3x5xf32>) -> tensor<4x5x2x3xf32>
  %5 = inlay.sigmoid %4 : (tensor<4x5x2x3xf32>) -> tensor<4x5x2x3xf32>
  %6 = inlay.transpose %5 {perm = array<i64: 3, 1, 2, 0>} : (tensor<4x5x2x3xf32>) -> tensor<3x5x2x4xf32>
  %7 = inlay.sigmoid %6 : (tensor<3x5x2x4xf32>) -> tensor<3x5x2x4xf32>
  %8 = inlay.transpose %7 {perm = array<i64: 1, 3, 0, 2>} : (tensor<3x5x2x4xf32>) -> tensor<5x4x3x2xf32>
  %9 = inlay.sigmoid %8 : (tensor<5x4x3x2xf32>) -> tensor<5x4x3x2xf32>
  %10 = inlay.transpose %9 {perm = array<i64: 3, 0, 2, 1>} : (tensor<5x4x3x2xf32>) -> tensor<2x5x3x4xf32>
  %11 = inlay.sigmoid %10 : (tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32>
  %12 = inlay.transpose %11 {perm = array<i64: 1, 0, 2, 3>} : (tensor<2x5x3x4xf32>) -> tensor<5x2x3x4xf32>
  %13 = inlay.sigmoid %12 : (tensor<5x2x3x4xf32>) -> tensor<5x2x3x4xf32>
  %14 = inlay.transpose %13 {perm = array<i64: 1, 3, 2, 0>} : (tensor<5x2x3x4xf32>) -> tensor<2x4x3x5xf32>
  return %14 : tensor<2x4x3x5xf32>
}
