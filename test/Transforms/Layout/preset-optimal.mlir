// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s --check-prefix=PHYSICAL
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset > %t.once
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset -inlay-cancel-relayouts | diff %t.once -

// The least bytes under a target. Nothing is left to cancel: the last two lines
// say that the clean-up stage changes nothing.

!x = tensor<2x4x6x8xf32>
!w = tensor<4x4x1x1xf32>

// The relayout goes to the smallest place on the path.
// CHECK-LABEL: func.func @the_smallest_place_on_the_path
// CHECK: inlay.conv
// CHECK-NEXT: inlay.relu
// CHECK-NEXT: inlay.average_pool
// CHECK-NEXT: inlay.relayout {{.*}} -> tensor<2x4x3x4xf32, #inlay.layout<NCHW>>
// CHECK-NEXT: inlay.concat
// CHECK-NEXT: return
func.func @the_smallest_place_on_the_path(%x: !x) -> tensor<2x8x3x4xf32> {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.relu %0 : (!x) -> !x
  %2 = inlay.average_pool %1 {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (!x) -> tensor<2x4x3x4xf32>
  %3 = inlay.concat %2, %2 {axis = 1 : i64} : (tensor<2x4x3x4xf32>, tensor<2x4x3x4xf32>) -> tensor<2x8x3x4xf32>
  return %3 : tensor<2x8x3x4xf32>
}

// One copy for all that need it.
// CHECK-LABEL: func.func @one_relayout_per_value_and_order
// CHECK: %[[A:.*]] = inlay.conv
// CHECK-NEXT: %[[R:.*]] = inlay.relayout %[[A]]
// CHECK-NOT: inlay.relayout
// CHECK: inlay.reshape %[[R]]
// CHECK: inlay.abs %[[R]]
// CHECK: return
func.func @one_relayout_per_value_and_order(%x: !x) -> (tensor<2x6x32xf32>, tensor<2x6x32xf32>) {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 2, 6, 32>} : (!x) -> tensor<2x6x32xf32>
  %2 = inlay.abs %0 : (!x) -> !x
  %3 = inlay.reshape %2 {shape = array<i64: 2, 6, 32>} : (!x) -> tensor<2x6x32xf32>
  return %1, %3 : tensor<2x6x32xf32>, tensor<2x6x32xf32>
}

// Flatten -> Gemm: the rows of the weight are permuted, which is free.
// CHECK-LABEL: func.func @flatten_into_gemm_by_permuting_the_weight
// CHECK: inlay.constant {{.*}}tensor<60x7xf32
// CHECK-NEXT: %[[W:.*]] = inlay.relayout {{.*}} split 0=3*20>>
// CHECK: inlay.relayout %arg0
// CHECK-NEXT: %[[A:.*]] = inlay.conv
// CHECK-NEXT: %[[F:.*]] = inlay.flatten %[[A]] : {{.*}} split 1=3*20>>
// CHECK-NEXT: inlay.gemm %[[F]], %[[W]]
// CHECK-NEXT: return
// PHYSICAL-LABEL: func.func @flatten_into_gemm_by_permuting_the_weight
// PHYSICAL: inlay.yield
// PHYSICAL-NEXT: }
// PHYSICAL-NEXT: inlay.reshape {{.*}} : (tensor<2x4x5x3xf32>) -> tensor<2x60xf32>
// PHYSICAL-NEXT: inlay.gemm {{.*}} : (tensor<2x60xf32>, tensor<60x7xf32>) -> tensor<2x7xf32>
// PHYSICAL-NEXT: return
func.func @flatten_into_gemm_by_permuting_the_weight(%x: tensor<2x3x4x5xf32>) -> tensor<2x7xf32> {
  %w = inlay.constant dense<1.0> : tensor<3x3x1x1xf32>
  %k = inlay.constant dense<1.0> : tensor<60x7xf32>
  %0 = inlay.conv %x, %w : (tensor<2x3x4x5xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  %1 = inlay.flatten %0 {axis = 1 : i64} : (tensor<2x3x4x5xf32>) -> tensor<2x60xf32>
  %2 = inlay.gemm %1, %k : (tensor<2x60xf32>, tensor<60x7xf32>) -> tensor<2x7xf32>
  return %2 : tensor<2x7xf32>
}

// Its twin: a weight that is an input cannot be permuted ahead. The flattened
// data or the weight is moved, whichever is smaller.
// CHECK-LABEL: func.func @flatten_into_gemm_with_a_weight_that_is_an_input
// CHECK: inlay.conv
// CHECK-NEXT: inlay.relayout
// CHECK-NEXT: inlay.flatten
// CHECK-NEXT: inlay.gemm {{.*}}, %arg1
// CHECK-NEXT: return
func.func @flatten_into_gemm_with_a_weight_that_is_an_input(%x: tensor<2x3x4x5xf32>, %k: tensor<60x7xf32>) -> tensor<2x7xf32> {
  %w = inlay.constant dense<1.0> : tensor<3x3x1x1xf32>
  %0 = inlay.conv %x, %w : (tensor<2x3x4x5xf32>, tensor<3x3x1x1xf32>) -> tensor<2x3x4x5xf32>
  %1 = inlay.flatten %0 {axis = 1 : i64} : (tensor<2x3x4x5xf32>) -> tensor<2x60xf32>
  %2 = inlay.gemm %1, %k : (tensor<2x60xf32>, tensor<60x7xf32>) -> tensor<2x7xf32>
  return %2 : tensor<2x7xf32>
}

// Channel shuffle between convolutions: the second one's weight has its input
// channels as the first one writes them.
// CHECK-LABEL: func.func @channel_shuffle_between_nhwc_convolutions
// CHECK: inlay.relayout {{.*}}<OIHW as HWOI0I1 split I=2*2>>
// CHECK: inlay.relayout %arg0
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.reshape {{.*}}<Tensor as (0,3,4,1,2)>>
// CHECK-NEXT: inlay.transpose {{.*}}<Tensor as (0,3,4,1,2)>>) -> {{.*}}<Tensor as (0,3,4,2,1)>>
// CHECK-NEXT: inlay.reshape {{.*}}<NCHW as NHWC0C1 split C=2*2>>
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.relayout
// CHECK-NEXT: return
// PHYSICAL-LABEL: func.func @channel_shuffle_between_nhwc_convolutions
// PHYSICAL: inlay.transpose %arg0
// PHYSICAL-NEXT: inlay.in_layout
// PHYSICAL-NOT: inlay.transpose {{.*}}{perm = array<i64: 0, 1, 2, 4, 3>}
// PHYSICAL: inlay.in_layout "nhwc" "Conv"{{.*}} ["NHWC", "HWOI", "NHWC"]
func.func @channel_shuffle_between_nhwc_convolutions(%x: !x) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 2, 2, 2, 6, 8>} : (!x) -> tensor<2x2x2x6x8xf32>
  %2 = inlay.transpose %1 {perm = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x2x6x8xf32>) -> tensor<2x2x2x6x8xf32>
  %3 = inlay.reshape %2 {shape = array<i64: 2, 4, 6, 8>} : (tensor<2x2x2x6x8xf32>) -> !x
  %4 = inlay.conv %3, %w : (!x, !w) -> !x
  return %4 : !x
}

// Of convolutions in groups each wants the channels of a group side by side:
// one move, of the channels' factors.
// CHECK-LABEL: func.func @channel_shuffle_between_groups
// CHECK: inlay.relayout %arg0
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.reshape {{.*}}<Tensor as (0,3,4,1,2)>>
// CHECK-NEXT: inlay.transpose {{.*}}<Tensor as (0,3,4,1,2)>>) -> {{.*}}<Tensor as (0,3,4,2,1)>>
// CHECK-NEXT: inlay.relayout {{.*}}<Tensor as (0,3,4,1,2)>>
// CHECK-NEXT: inlay.reshape {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: inlay.conv
// PHYSICAL-LABEL: func.func @channel_shuffle_between_groups
// PHYSICAL: inlay.reshape {{.*}} : (tensor<2x6x8x4xf32>) -> tensor<2x6x8x2x2xf32>
// PHYSICAL-NEXT: inlay.transpose {{.*}}{perm = array<i64: 0, 1, 2, 4, 3>}
// PHYSICAL-NEXT: inlay.reshape {{.*}} : (tensor<2x6x8x2x2xf32>) -> tensor<2x6x8x4xf32>
// PHYSICAL-NEXT: inlay.in_layout
func.func @channel_shuffle_between_groups(%x: !x) -> !x {
  %w = inlay.constant dense<1.0> : tensor<4x2x1x1xf32>
  %0 = inlay.conv %x, %w {group = 2 : i64} : (!x, tensor<4x2x1x1xf32>) -> !x
  %1 = inlay.reshape %0 {shape = array<i64: 2, 2, 2, 6, 8>} : (!x) -> tensor<2x2x2x6x8xf32>
  %2 = inlay.transpose %1 {perm = array<i64: 0, 2, 1, 3, 4>} : (tensor<2x2x2x6x8xf32>) -> tensor<2x2x2x6x8xf32>
  %3 = inlay.reshape %2 {shape = array<i64: 2, 4, 6, 8>} : (tensor<2x2x2x6x8xf32>) -> !x
  %4 = inlay.conv %3, %w {group = 2 : i64} : (!x, tensor<4x2x1x1xf32>) -> !x
  return %4 : !x
}

// A relayout that only moves dimensions of one element is free.
// CHECK-LABEL: func.func @behind_a_global_pool_nothing_moves
// CHECK: inlay.relayout %arg0
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.global_average_pool
// PHYSICAL-LABEL: func.func @behind_a_global_pool_nothing_moves
// PHYSICAL: inlay.in_layout "nhwc" "GlobalAveragePool"
// PHYSICAL: inlay.yield
// PHYSICAL-NEXT: }
// PHYSICAL-NEXT: inlay.reshape {{.*}} : (tensor<2x1x1x4xf32>) -> tensor<2x4x1x1xf32>
// PHYSICAL-NEXT: return
func.func @behind_a_global_pool_nothing_moves(%x: !x) -> tensor<2x4x1x1xf32> {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.global_average_pool %0 : (!x) -> tensor<2x4x1x1xf32>
  return %1 : tensor<2x4x1x1xf32>
}

// Any rank: NCW and NCDHW.
// CHECK-LABEL: func.func @features_of_other_ranks
// CHECK: inlay.relayout {{.*}}<NCW as NWC>>
// CHECK: inlay.relayout {{.*}}<NCDHW as NDHWC>>
func.func @features_of_other_ranks(%x: tensor<1x4x8xf32>, %y: tensor<1x4x2x3x5xf32>) -> (tensor<1x4x8xf32>, tensor<1x4x2x3x5xf32>) {
  %w = inlay.constant dense<1.0> : tensor<4x4x1xf32>
  %v = inlay.constant dense<1.0> : tensor<4x4x1x1x1xf32>
  %0 = inlay.conv %x, %w : (tensor<1x4x8xf32>, tensor<4x4x1xf32>) -> tensor<1x4x8xf32>
  %1 = inlay.conv %y, %v : (tensor<1x4x2x3x5xf32>, tensor<4x4x1x1x1xf32>) -> tensor<1x4x2x3x5xf32>
  return %0, %1 : tensor<1x4x8xf32>, tensor<1x4x2x3x5xf32>
}

// Data of one element per channel lies in NHWC as in NCHW: it is the target's
// convolution all the same.
// PHYSICAL-LABEL: func.func @one_element_per_channel
// PHYSICAL: inlay.in_layout "nhwc" "Conv"
func.func @one_element_per_channel(%x: tensor<2x4x1x1xf32>) -> tensor<2x4x1x1xf32> {
  %w = inlay.constant dense<1.0> : !w
  %0 = inlay.conv %x, %w : (tensor<2x4x1x1xf32>, !w) -> tensor<2x4x1x1xf32>
  return %0 : tensor<2x4x1x1xf32>
}
