// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region-plus | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region -inlay-cancel-relayouts | FileCheck %s --check-prefix=CANCELLED
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=region -inlay-materialize-layouts | FileCheck %s --check-prefix=PHYSICAL

// A transpose of the model is a region of its own, with relayouts before and
// behind it. What a transpose moves is written as a relayout of its result.

!x = tensor<1x4x6x8xf32>
!t = tensor<1x4x8x6xf32>
!y = tensor<1x6x8x4xf32>
!w = tensor<4x4x1x1xf32>

// Three in a row, of which the later stage leaves one.
// CHECK-LABEL: func.func @three_transposes_in_a_row
// CHECK: %[[A:.*]] = inlay.conv
// CHECK-NEXT: %[[ONE:.*]] = inlay.relayout %[[A]] : {{.*}} -> {{.*}}<NCHW>>
// CHECK-NEXT: %[[T:.*]] = inlay.transpose %[[ONE]]
// CHECK-NEXT: %[[TWO:.*]] = inlay.relayout %[[T]] : {{.*}} -> {{.*}}<NCHW>>
// CHECK-NEXT: %[[THREE:.*]] = inlay.relayout %[[TWO]] : {{.*}} -> {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: inlay.conv %[[THREE]]
// PHYSICAL-LABEL: func.func @three_transposes_in_a_row
// PHYSICAL: inlay.yield
// PHYSICAL-NEXT: }
// PHYSICAL-NEXT: inlay.transpose {{.*}}{perm = array<i64: 0, 3, 1, 2>}
// PHYSICAL-NEXT: inlay.transpose {{.*}}{perm = array<i64: 0, 1, 3, 2>}
// PHYSICAL-NEXT: inlay.transpose {{.*}}{perm = array<i64: 0, 2, 3, 1>}
// PHYSICAL-NEXT: inlay.in_layout
// CANCELLED-LABEL: func.func @three_transposes_in_a_row
// CANCELLED: %[[A:.*]] = inlay.conv
// CANCELLED-NEXT: %[[T:.*]] = inlay.transpose %[[A]] {{.*}}<NCHW as NHWC>>) -> {{.*}}<NCHW as NWHC>>
// CANCELLED-NEXT: %[[R:.*]] = inlay.relayout %[[T]]
// CANCELLED-NEXT: inlay.conv %[[R]]
func.func @three_transposes_in_a_row(%x: !x) -> !t {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.transpose %0 {perm = array<i64: 0, 1, 3, 2>} : (!x) -> !t
  %2 = inlay.conv %1, %w : (!t, !w) -> !t
  return %2 : !t
}

// All are gone where the model has the layout that the target wants.
// CHECK-LABEL: func.func @all_cancel_in_a_model_that_is_nhwc
// CHECK-COUNT-4: inlay.relayout
// CHECK: return
// CANCELLED-LABEL: func.func @all_cancel_in_a_model_that_is_nhwc
// CANCELLED: inlay.transpose %arg0 {{.*}}<NHWC>>) -> {{.*}}<NCHW as NHWC>>
// CANCELLED-NEXT: inlay.conv
// CANCELLED-NEXT: inlay.transpose {{.*}}<NCHW as NHWC>>) -> {{.*}}<NHWC>>
// CANCELLED-NEXT: return
func.func @all_cancel_in_a_model_that_is_nhwc(%x: !y) -> !y {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.transpose %x {perm = array<i64: 0, 3, 1, 2>} : (!y) -> !x
  %1 = inlay.conv %0, %w : (!x, !w) -> !x
  %2 = inlay.transpose %1 {perm = array<i64: 0, 2, 3, 1>} : (!x) -> !y
  return %2 : !y
}

// Transposes do not join each other either.
// CHECK-LABEL: func.func @transposes_do_not_join_each_other
// CHECK: inlay.transpose
// CHECK-NEXT: inlay.relayout
// CHECK-NEXT: inlay.transpose
// CHECK-NEXT: inlay.relayout
// CHECK-NEXT: return
// CANCELLED-LABEL: func.func @transposes_do_not_join_each_other
// CANCELLED-NEXT: inlay.transpose
// CANCELLED-NEXT: inlay.transpose
// CANCELLED-NEXT: return
func.func @transposes_do_not_join_each_other(%x: !y) -> !y {
  %0 = inlay.transpose %x {perm = array<i64: 0, 3, 1, 2>} : (!y) -> !x
  %1 = inlay.transpose %0 {perm = array<i64: 0, 2, 3, 1>} : (!x) -> !y
  return %1 : !y
}
