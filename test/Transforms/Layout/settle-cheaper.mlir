// RUN: %inlay-opt %s -split-input-file --pass-pipeline="builtin.module(inlay-set-target{target=none},inlay-settle-layouts{only-if-cheaper=true})" | FileCheck %s
// RUN: %inlay-opt %s -split-input-file --pass-pipeline="builtin.module(inlay-set-target{target=none},inlay-settle-layouts)" | FileCheck %s --check-prefix=ANY

// Before or behind the operators, it is one copy of the same bytes: the model
// stays as it was given.
// CHECK-LABEL: func.func @as_good
// CHECK-SAME: is_applied = 0
// CHECK-SAME: kept = {bytes = 96 : i64, count = 1 : i64}
// CHECK-NEXT: inlay.relu
// CHECK-NEXT: inlay.transpose
// CHECK-NEXT: inlay.softmax {{.*}} : (tensor<2x4x3xf32>)
// ANY-LABEL: func.func @as_good
// ANY-SAME: is_applied = 1
func.func @as_good(%x: tensor<2x3x4xf32>) -> tensor<2x4x3xf32> {
  %0 = inlay.relu %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %1 = inlay.transpose %0 {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %2 = inlay.softmax %1 : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %3 = inlay.sigmoid %2 : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return %3 : tensor<2x4x3xf32>
}

// -----

// Less to move: written either way.
// CHECK-LABEL: func.func @better
// CHECK-SAME: is_applied = 1
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @better(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = inlay.transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %1 = inlay.relu %0 : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %2 = inlay.transpose %1 {perm = array<i64: 0, 2, 1>} : (tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
  return %2 : tensor<2x3x4xf32>
}
