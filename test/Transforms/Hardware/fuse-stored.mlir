// RUN: %inlay-opt %s -split-input-file -mlir-print-debuginfo=false -inlay-set-target=target=opu -inlay-fuse-hardware | FileCheck %s
// RUN: %inlay-opt %s -split-input-file -inlay-set-target=target=opu -inlay-fuse-hardware=remarks=true 2>&1 | FileCheck %s --check-prefix=BYTES

// BYTES: bytes that cross borders: 2304 before, 1152 after
// BYTES: bytes that cross borders: 2304 before, 1728 after
// BYTES: bytes that cross borders: 3456 before, 1152 after

// A transpose that storage orders make up for is no operator: it moves no bytes
// and is copied into the group of who uses it there. Who uses it outside reads
// what the group writes, once.

// CHECK-LABEL: func.func @transpose_without_move
// CHECK:      %[[G:.*]] = inlay.group "opu" "group_0"
// CHECK-NEXT:   %[[R:.*]] = inlay.relu
// CHECK-NEXT:   %[[T:.*]] = inlay.transpose %[[R]]
// CHECK-NEXT:   %[[S:.*]] = inlay.relu %[[T]]
// CHECK-NEXT:   inlay.yield %[[S]] :
// CHECK-NOT:  inlay.transpose
// CHECK:      return
!a = tensor<1x4x6x6xf32>
!b = tensor<1x6x6x4xf32, #inlay.layout<Tensor as (0,3,1,2)>>
func.func @transpose_without_move(%x: !a) -> !b {
  %r = inlay.relu %x : (!a) -> !a
  %t = inlay.transpose %r {perm = array<i64: 0, 2, 3, 1>} : (!a) -> !b
  %s = inlay.relu %t : (!b) -> !b
  return %s : !b
}

// -----

// CHECK-LABEL: func.func @transpose_without_move_at_the_border
// CHECK:      %[[G:.*]]:2 = inlay.group "opu" "group_0"
// CHECK:        inlay.transpose
// CHECK:        inlay.yield
// CHECK:      %[[T:.*]] = inlay.transpose %[[G]]#0
// CHECK:      return %[[G]]#1, %[[T]]
!a = tensor<1x4x6x6xf32>
!b = tensor<1x6x6x4xf32, #inlay.layout<Tensor as (0,3,1,2)>>
func.func @transpose_without_move_at_the_border(%x: !a) -> (!b, !b) {
  %r = inlay.relu %x : (!a) -> !a
  %t = inlay.transpose %r {perm = array<i64: 0, 2, 3, 1>} : (!a) -> !b
  %s = inlay.relu %t : (!b) -> !b
  return %s, %t : !b, !b
}

// -----

// One that moves elements is an operator that the group collects.

// CHECK-LABEL: func.func @transpose_that_moves
// CHECK:      inlay.group "opu" "group_0" stages ["compare", "", "compare"]
!a = tensor<1x4x6x6xf32>
!b = tensor<1x6x6x4xf32>
func.func @transpose_that_moves(%x: !a) -> !b {
  %r = inlay.relu %x : (!a) -> !a
  %t = inlay.transpose %r {perm = array<i64: 0, 2, 3, 1>} : (!a) -> !b
  %s = inlay.relu %t : (!b) -> !b
  return %s : !b
}
