// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=per-op | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=per-op -inlay-materialize-layouts | FileCheck %s --check-prefix=PHYSICAL
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset=strategy=per-op -inlay-cancel-relayouts | FileCheck %s --check-prefix=CANCELLED

// The simplest way: a relayout before and after every key operator.

!x = tensor<1x4x6x8xf32>
!w = tensor<4x4x1x1xf32>

// The drawing: node1 and node2, with four transposes, which is 2n of them. The
// relayout of a constant moves nothing at run time.
// CHECK-LABEL: func.func @the_simplest_way_two_convolutions
// CHECK: %[[W:.*]] = inlay.relayout %{{.*}} -> tensor<4x4x1x1xf32, #inlay.layout<OIHW as HWOI>>
// CHECK: %[[T1:.*]] = inlay.relayout %arg0 : {{.*}}<NCHW>>) -> {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: %[[N1:.*]] = inlay.conv %[[T1]], %[[W]]
// CHECK-NEXT: %[[T2:.*]] = inlay.relayout %[[N1]] : {{.*}}<NCHW as NHWC>>) -> {{.*}}<NCHW>>
// CHECK-NEXT: %[[T3:.*]] = inlay.relayout %[[T2]] : {{.*}}<NCHW>>) -> {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: %[[N2:.*]] = inlay.conv %[[T3]], %[[W]]
// CHECK-NEXT: %[[T4:.*]] = inlay.relayout %[[N2]] : {{.*}}<NCHW as NHWC>>) -> {{.*}}<NCHW>>
// CHECK-NEXT: return %[[T4]]
// PHYSICAL-LABEL: func.func @the_simplest_way_two_convolutions
// PHYSICAL: inlay.constant {{.*}}tensor<1x1x4x4xf32>
// PHYSICAL: inlay.transpose %arg0 {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x4x6x8xf32>) -> tensor<1x6x8x4xf32>
// PHYSICAL-NEXT: inlay.in_layout "nhwc" "Conv"
// PHYSICAL: inlay.yield
// PHYSICAL-NEXT: }
// PHYSICAL-NEXT: inlay.transpose {{.*}}{perm = array<i64: 0, 3, 1, 2>} : (tensor<1x6x8x4xf32>) -> tensor<1x4x6x8xf32>
// PHYSICAL-NEXT: inlay.transpose {{.*}}{perm = array<i64: 0, 2, 3, 1>}
// PHYSICAL-NEXT: inlay.in_layout "nhwc" "Conv"
// PHYSICAL: inlay.yield
// PHYSICAL-NEXT: }
// PHYSICAL-NEXT: inlay.transpose {{.*}}{perm = array<i64: 0, 3, 1, 2>}
// PHYSICAL-NEXT: return
// The later stage removes what is redundant.
// CANCELLED-LABEL: func.func @the_simplest_way_two_convolutions
// CANCELLED: inlay.relayout %arg0
// CANCELLED-NEXT: %[[C:.*]] = inlay.conv
// CANCELLED-NEXT: %[[D:.*]] = inlay.conv %[[C]]
// CANCELLED-NEXT: inlay.relayout %[[D]]
// CANCELLED-NEXT: return
func.func @the_simplest_way_two_convolutions(%x: !x) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.conv %0, %w : (!x, !w) -> !x
  return %1 : !x
}

// Weights that are inputs go from OIHW to HWOI, before each that needs them.
!k = tensor<4x4x3x3xf32>
// CHECK-LABEL: func.func @weights_become_hwoi
// CHECK-DAG: inlay.relayout %arg1 : {{.*}}<OIHW>>) -> {{.*}}<OIHW as HWOI>>
// CHECK-DAG: inlay.relayout %arg1 : {{.*}}<OIHW>>) -> {{.*}}<OIHW as HWOI>>
// CHECK: inlay.conv
// PHYSICAL-LABEL: func.func @weights_become_hwoi
// PHYSICAL: inlay.transpose %arg1 {perm = array<i64: 2, 3, 0, 1>} : (tensor<4x4x3x3xf32>) -> tensor<3x3x4x4xf32>
func.func @weights_become_hwoi(%x: !x, %w: !k) -> !x {
  %0 = inlay.conv %x, %w {pads = array<i64: 1, 1, 1, 1>} : (!x, !k) -> !x
  %1 = inlay.conv %0, %w {pads = array<i64: 1, 1, 1, 1>} : (!x, !k) -> !x
  return %1 : !x
}

// Only key operators are isolated; the others stay as they are.
// CHECK-LABEL: func.func @other_operators_keep_their_layout
// CHECK: %[[A:.*]] = inlay.relu %arg0 : {{.*}}<NCHW>>) -> {{.*}}<NCHW>>
// CHECK-NEXT: inlay.relayout %[[A]]
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: %[[B:.*]] = inlay.relayout
// CHECK-NEXT: inlay.average_pool %[[B]] {{.*}}<NCHW>>) -> {{.*}}<NCHW>>
// CHECK-NEXT: return
func.func @other_operators_keep_their_layout(%x: !x) -> tensor<1x4x3x4xf32> {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.relu %x : (!x) -> !x
  %1 = inlay.conv %0, %w : (!x, !w) -> !x
  %2 = inlay.average_pool %1 {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (!x) -> tensor<1x4x3x4xf32>
  return %2 : tensor<1x4x3x4xf32>
}

// No key operator, nothing to do.
// CHECK-LABEL: func.func @nothing_without_key_operators
// CHECK-NOT: inlay.relayout
// CHECK: return
func.func @nothing_without_key_operators(%x: !x) -> !x {
  %0 = inlay.relu %x : (!x) -> !x
  return %0 : !x
}
