// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region -inlay-cancel-relayouts -inlay-materialize-layouts | FileCheck %s

// A group that is there already is finished: it reads and gives row-major
// tensors, its transposes stay, and what has to be moved is moved outside.
// CHECK-LABEL: func.func @leaves_groups
// CHECK: %[[C:.*]] = inlay.in_layout "nhwc" "Conv"
// CHECK: %[[T:.*]] = inlay.transpose %[[C]] {perm = array<i64: 0, 3, 1, 2>}
// CHECK-NEXT: %[[G:.*]] = inlay.group "opu" "group_0" stages ["", "compare"] : tensor<1x4x4x5xf32> {
// CHECK-NEXT: %[[P:.*]] = inlay.transpose %[[T]] {perm = array<i64: 0, 2, 3, 1>}
// CHECK-NEXT: %[[R:.*]] = inlay.relu %[[P]]
// CHECK-NEXT: inlay.yield %[[R]]
// CHECK: return %[[G]]
!x = tensor<1x3x4x4xf32>
!y = tensor<1x5x4x4xf32>
!p = tensor<1x4x4x5xf32>
func.func @leaves_groups(%x: !x, %w: tensor<5x3x1x1xf32>) -> !p {
  %c = inlay.conv %x, %w : (!x, tensor<5x3x1x1xf32>) -> !y
  %g = inlay.group "opu" "group_0" stages ["", "compare"] : !p {
    %p = inlay.transpose %c {perm = array<i64: 0, 2, 3, 1>} : (!y) -> !p
    %r = inlay.relu %p : (!p) -> !p
    inlay.yield %r : !p
  }
  return %g : !p
}
