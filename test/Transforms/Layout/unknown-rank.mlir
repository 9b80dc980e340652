// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s

// CHECK-LABEL: func.func @a_transpose_of_unknown_rank_stays
// CHECK: inlay.transpose %arg0 {{.*}} : (tensor<*xf32>) -> tensor<?x?xf32
func.func @a_transpose_of_unknown_rank_stays(%x: tensor<*xf32>) -> tensor<?x?xf32> {
  %y = inlay.transpose %x {perm = array<i64: 1, 0>} : (tensor<*xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}
