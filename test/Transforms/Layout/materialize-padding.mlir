// RUN: %inlay-opt %s -inlay-set-target=target=ascend -inlay-materialize-layouts -split-input-file | FileCheck %s

// Blocked orders become Pad, Reshape, Transpose and Slice.

!x = tensor<1x50x7x7xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
// CHECK-LABEL: func.func @pads_cuts_and_moves
// CHECK-SAME: %[[X:.*]]: tensor<1x50x7x7xf32>
// CHECK: %[[P:.*]] = inlay.pad %[[X]] {pads = array<i64: 0, 0, 0, 0, 0, 14, 0, 0>} {{.*}} -> tensor<1x64x7x7xf32>
// CHECK-NEXT: %[[R:.*]] = inlay.reshape %[[P]] {{.*}} -> tensor<1x4x16x7x7xf32>
// CHECK-NEXT: %[[T:.*]] = inlay.transpose %[[R]] {perm = array<i64: 0, 1, 3, 4, 2>} {{.*}} -> tensor<1x4x7x7x16xf32>
// CHECK-NEXT: return %[[T]]
func.func @pads_cuts_and_moves(%x: tensor<1x50x7x7xf32>) -> !x {
  %y = inlay.relayout %x : (tensor<1x50x7x7xf32>) -> !x
  return %y : !x
}

// CHECK-LABEL: func.func @moves_joins_and_slices
// CHECK-SAME: %[[X:.*]]: tensor<1x4x7x7x16xf32>
// CHECK: %[[T:.*]] = inlay.transpose %[[X]] {perm = array<i64: 0, 1, 4, 2, 3>}
// CHECK-NEXT: %[[R:.*]] = inlay.reshape %[[T]] {{.*}} -> tensor<1x64x7x7xf32>
// CHECK-NEXT: %[[S:.*]] = inlay.slice %[[R]] {axes = array<i64: 1>, ends = array<i64: 50>, starts = array<i64: 0>}
// CHECK-NEXT: return %[[S]]
func.func @moves_joins_and_slices(%x: !x) -> tensor<1x50x7x7xf32> {
  %y = inlay.relayout %x : (!x) -> tensor<1x50x7x7xf32>
  return %y : tensor<1x50x7x7xf32>
}

// Only elements are moved where one block holds them all.
!s = tensor<1x3x7x7xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
// CHECK-LABEL: func.func @pads_behind_the_move
// CHECK: inlay.transpose {{.*}} -> tensor<1x7x7x3xf32>
// CHECK-NEXT: inlay.reshape
// CHECK-NEXT: inlay.pad {{.*}} -> tensor<1x1x7x7x16xf32>
// CHECK-NEXT: return
func.func @pads_behind_the_move(%x: tensor<1x3x7x7xf32>) -> !s {
  %y = inlay.relayout %x : (tensor<1x3x7x7xf32>) -> !s
  return %y : !s
}

// CHECK-LABEL: func.func @slices_before_the_move
// CHECK: inlay.slice {{.*}} -> tensor<1x1x7x7x3xf32>
// CHECK-NEXT: inlay.reshape
// CHECK-NEXT: inlay.transpose {{.*}} -> tensor<1x3x7x7xf32>
// CHECK-NEXT: return
func.func @slices_before_the_move(%x: !s) -> tensor<1x3x7x7xf32> {
  %y = inlay.relayout %x : (!s) -> tensor<1x3x7x7xf32>
  return %y : tensor<1x3x7x7xf32>
}

// A mask: the last block is cut and padded with zeros.
!a = tensor<1x50x7x7xf32, #inlay.layout<NCHW as NC1HWC0 block 16>>
// CHECK-LABEL: func.func @clears_padding_where_it_lies
// CHECK-SAME: %[[X:.*]]: tensor<1x4x7x7x16xf32>
// CHECK: %[[F:.*]] = inlay.slice %[[X]] {axes = array<i64: 1>, ends = array<i64: 3>, starts = array<i64: 0>}
// CHECK-NEXT: %[[L:.*]] = inlay.slice %[[X]] {axes = array<i64: 1>, ends = array<i64: 4>, starts = array<i64: 3>}
// CHECK-NEXT: %[[C:.*]] = inlay.slice %[[L]] {axes = array<i64: 4>, ends = array<i64: 2>, starts = array<i64: 0>}
// CHECK-NEXT: %[[P:.*]] = inlay.pad %[[C]]
// CHECK-NEXT: inlay.concat %[[F]], %[[P]] {axis = 1 : i64}
func.func @clears_padding_where_it_lies(%x: !a) -> !x {
  %y = inlay.relayout %x : (!a) -> !x
  return %y : !x
}

// The twin: nothing is to be done where zeros may be anything.
// CHECK-LABEL: func.func @zeros_are_anything
// CHECK-NEXT: return %{{.*}} : tensor<1x4x7x7x16xf32>
func.func @zeros_are_anything(%x: !x) -> !a {
  %y = inlay.relayout %x : (!x) -> !a
  return %y : !a
}

// Blocks of another size: through ONNX's order.
!b = tensor<1x50x7x7xf32, #inlay.layout<NCHW as NC1HWC0 block 32 pad zero>>
// CHECK-LABEL: func.func @blocks_of_another_size
// CHECK: inlay.slice
// CHECK: inlay.pad
// CHECK: -> tensor<1x2x7x7x32xf32>
func.func @blocks_of_another_size(%x: !x) -> !b {
  %y = inlay.relayout %x : (!x) -> !b
  return %y : !b
}

// Constants are blocked when they are read, not before.
// CHECK-LABEL: func.func @constants_are_padded_ahead
// CHECK: inlay.constant #inlay.stored<dense<1.000000e+00> : tensor<20x20x3x3xf32>, <OIHW as I1HWO1O0I0 block 16 pad zero>> : tensor<2x3x3x2x16x16xf32>
// CHECK-NEXT: return
!w = tensor<20x20x3x3xf32, #inlay.layout<OIHW as I1HWO1O0I0 block 16 pad zero>>
func.func @constants_are_padded_ahead() -> !w {
  %w = inlay.constant dense<1.0> : tensor<20x20x3x3xf32>
  %y = inlay.relayout %w : (tensor<20x20x3x3xf32>) -> !w
  return %y : !w
}

// -----

// The function of a convolution works on the lanes as they come, and writes
// zeros to those that are no channels.

!x = tensor<?x20x4x4xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
!w = tensor<24x20x1x1xf32, #inlay.layout<OIHW as I1HWO1O0I0 block 16 pad zero>>
!y = tensor<?x24x4x4xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
// CHECK-LABEL: func.func @convolutions_use_all_lanes
// CHECK: inlay.in_layout "ascend" "Conv"({{.*}}) layouts ["NC1HWC0 block 16 pad zero", "I1HWO1O0I0 block 16 pad zero", "NC1HWC0 block 16 pad zero"]
// CHECK: %[[X:.*]] = inlay.reshape {{.*}} {shape = array<i64: 0, 32, 4, 4>}
// CHECK: %[[W:.*]] = inlay.reshape {{.*}} -> tensor<32x32x1x1xf32>
// CHECK-NEXT: %[[C:.*]] = inlay.conv %[[X]], %[[W]] : (tensor<?x32x4x4xf32>, tensor<32x32x1x1xf32>) -> tensor<?x32x4x4xf32>
// CHECK-NEXT: %[[S:.*]] = inlay.slice %[[C]] {{.*}} -> tensor<?x24x4x4xf32>
// CHECK-NEXT: inlay.pad %[[S]] {{.*}} -> tensor<?x32x4x4xf32>
// CHECK: inlay.yield
func.func @convolutions_use_all_lanes(%x: !x, %w: !w) -> !y {
  %y = inlay.conv %x, %w : (!x, !w) -> !y
  return %y : !y
}

// -----

!x = tensor<1x20x4x4xf32, #inlay.layout<NCHW as NC1HWC0 block 16>>
!y = tensor<1x20x2x2xf32, #inlay.layout<NCHW as NC1HWC0 block 16>>
// CHECK-LABEL: func.func @pools_leave_unknown_padding_alone
// CHECK: inlay.in_layout "ascend" "MaxPool"
// CHECK-NOT: inlay.slice
// CHECK-NOT: inlay.pad
// CHECK: return
func.func @pools_leave_unknown_padding_alone(%x: !x) -> !y {
  %y, %i = inlay.max_pool %x {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (!x) -> (!y, tensor<1x20x2x2xi64>)
  return %y : !y
}

// -----

// As many groups as lanes.
!x = tensor<1x20x4x4xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
!w = tensor<20x1x3x3xf32, #inlay.layout<OIHW as O1O0IHW block 16 pad zero>>
// CHECK-LABEL: func.func @depthwise_convolutions_have_a_group_per_lane
// CHECK: inlay.conv {{.*}} {group = 32 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x32x4x4xf32>, tensor<32x1x3x3xf32>)
func.func @depthwise_convolutions_have_a_group_per_lane(%x: !x, %w: !w) -> !x {
  %y = inlay.conv %x, %w {group = 20 : i64, pads = array<i64: 1, 1, 1, 1>} : (!x, !w) -> !x
  return %y : !x
}

// -----

!two = tensor<1x32x4x4xf32, #inlay.layout<NCHW as NC1HWC0 split C=2*16>>
!one = tensor<1x16x4x4xf32, #inlay.layout<NCHW as NC1HWC0 split C=1*16>>
!all = tensor<1x48x4x4xf32, #inlay.layout<NCHW as NC1HWC0 split C=3*16>>
// CHECK-LABEL: func.func @full_blocks_are_joined_and_cut
// CHECK: inlay.concat {{.*}} {axis = 1 : i64} : (tensor<1x2x4x4x16xf32>, tensor<1x1x4x4x16xf32>) -> tensor<1x3x4x4x16xf32>
// CHECK: inlay.split {{.*}} {axis = 1 : i64, split = array<i64: 1, 2>}
func.func @full_blocks_are_joined_and_cut(%x: !two, %y: !one) -> (!one, !two) {
  %z = inlay.concat %x, %y {axis = 1 : i64} : (!two, !one) -> !all
  %a, %b = inlay.split %z {axis = 1 : i64, split = array<i64: 16, 32>} : (!all) -> (!one, !two)
  return %a, %b : !one, !two
}

// -----

// C maps to C1 and C0, where there is no padding.
!x = tensor<1x32x4x4xf32, #inlay.layout<NCHW as NC1HWC0 split C=2*16>>
// CHECK-LABEL: func.func @reduces_over_blocks_and_lanes
// CHECK: inlay.reduce_sum {{.*}} {axes = array<i64: 1, 4>
func.func @reduces_over_blocks_and_lanes(%x: !x) -> tensor<1x4x4xf32> {
  %y = inlay.reduce_sum %x {axes = array<i64: 1>, keepdims = 0 : i64} : (!x) -> tensor<1x4x4xf32>
  return %y : tensor<1x4x4xf32>
}
