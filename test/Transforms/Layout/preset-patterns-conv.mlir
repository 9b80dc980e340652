// RUN: %inlay-opt %s -inlay-set-target=target=%S/Inputs/slow-relu.yaml -inlay-layout-transmit -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s
// RUN: sed /patterns/d %S/Inputs/slow-relu.yaml > %t.yaml
// RUN: %inlay-opt %s -inlay-set-target=target=%t.yaml -inlay-layout-transmit -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s --check-prefix=APART

// The Relu would be faster behind the transpose, but not as fast as in the
// convolution.
// CHECK-LABEL: func.func @activation_stays_behind_its_convolution
// CHECK: %[[C:.*]] = inlay.conv
// CHECK-NEXT: %[[R:.*]] = inlay.relu %[[C]]
// CHECK-NEXT: inlay.transpose %[[R]]
// CHECK-NEXT: return
// APART-LABEL: func.func @activation_stays_behind_its_convolution
// APART: %[[C:.*]] = inlay.conv
// APART-NEXT: %[[T:.*]] = inlay.transpose %[[C]]
// APART-NEXT: inlay.relu %[[T]]
// APART-NEXT: return
!x = tensor<1x8x16x16xf32>
!w = tensor<8x8x1x1xf32>
!y = tensor<1x16x16x8xf32>
func.func @activation_stays_behind_its_convolution(%x: !x, %w: !w) -> !y {
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %r = inlay.relu %c : (!x) -> !x
  %t = inlay.transpose %r {perm = array<i64: 0, 2, 3, 1>} : (!x) -> !y
  return %t : !y
}


// Somebody else needs what the convolution gives: the two are not computed as
// one, and the Relu goes where it is fast.
// CHECK-LABEL: func.func @activation_of_two_users_goes
// CHECK: %[[C:.*]] = inlay.conv
// CHECK-NEXT: %[[T:.*]] = inlay.transpose %[[C]]
// CHECK-NEXT: %[[R:.*]] = inlay.relu %[[T]]
// CHECK-NEXT: return %[[R]], %[[C]]
!x1 = tensor<1x8x16x16xf32>
!w1 = tensor<8x8x1x1xf32>
!y1 = tensor<1x16x16x8xf32>
func.func @activation_of_two_users_goes(%x: !x1, %w: !w1) -> (!y1, !x1) {
  %c = inlay.conv %x, %w : (!x1, !w1) -> !x1
  %r = inlay.relu %c : (!x1) -> !x1
  %t = inlay.transpose %r {perm = array<i64: 0, 2, 3, 1>} : (!x1) -> !y1
  return %t, %c : !y1, !x1
}


// Both in another order, with nothing between them: rows and columns have
// changed places.
// CHECK-LABEL: func.func @activation_is_moved_with_its_convolution
// CHECK-NOT: inlay.transpose
// CHECK: %[[C:.*]] = inlay.conv {{.*}} -> tensor<1x8x4x16xf32>
// CHECK-NEXT: inlay.sigmoid %[[C]]
// CHECK-NOT: inlay.transpose
// CHECK: return
!x2 = tensor<1x8x16x4xf32>
!w2 = tensor<8x8x1x1xf32>
!y2 = tensor<1x8x4x16xf32>
func.func @activation_is_moved_with_its_convolution(%in: !y2) -> !y2 {
  %w = inlay.constant dense<2.0> : !w2
  %x = inlay.transpose %in {perm = array<i64: 0, 1, 3, 2>} : (!y2) -> !x2
  %c = inlay.conv %x, %w : (!x2, !w2) -> !x2
  %r = inlay.sigmoid %c : (!x2) -> !x2
  %t = inlay.transpose %r {perm = array<i64: 0, 1, 3, 2>} : (!x2) -> !y2
  return %t : !y2
}
