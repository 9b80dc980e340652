// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=ascend -inlay-layout-preset | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=ascend -inlay-layout-preset > %t.once
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=ascend -inlay-layout-preset -inlay-cancel-relayouts | diff %t.once -
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=%S/Inputs/nchw8c.yaml -inlay-layout-preset | FileCheck %s --check-prefix=OWN

// Blocked formats: f44 to f51 of docs/Requirements.md, by number. The same
// models in another target's blocks need no other code.

!x = tensor<1x3x8x8xf32>
!w = tensor<20x3x1x1xf32>
!v = tensor<20x20x1x1xf32>
!y = tensor<1x20x8x8xf32>

// CHECK-LABEL: func.func @s44_nothing_between_convolutions
// CHECK: inlay.conv {{.*}} -> tensor<1x20x8x8xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
// CHECK-NEXT: inlay.relu {{.*}} -> tensor<1x20x8x8xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
// CHECK-NEXT: inlay.conv
// OWN-LABEL: func.func @s44_nothing_between_convolutions
// OWN: inlay.relayout {{.*}} -> tensor<20x20x1x1xf32, #inlay.layout<OIHW as O1I1HWI0O0 block 8 pad zero>>
// OWN: inlay.conv {{.*}} -> tensor<1x20x8x8xf32, #inlay.layout<NCHW as NC1HWC0 block 8 pad zero>>
// OWN-NEXT: inlay.relu
// OWN-NEXT: inlay.conv
func.func @s44_nothing_between_convolutions(%x: !x) -> !y {
  %w = inlay.constant dense<1.0> : !w
  %v = inlay.constant dense<1.0> : !v
  %0 = inlay.conv %x, %w : (!x, !w) -> !y
  %1 = inlay.relu %0 : (!y) -> !y
  %2 = inlay.conv %1, %v : (!y, !v) -> !y
  return %2 : !y
}

// CHECK-LABEL: func.func @s44_softmax_is_between_two_relayouts
// CHECK: inlay.conv
// CHECK-NEXT: inlay.relayout {{.*}} -> tensor<1x20x8x8xf32, #inlay.layout<NCHW>>
// CHECK-NEXT: inlay.softmax
// CHECK-NEXT: inlay.relayout
// CHECK-NEXT: inlay.conv
func.func @s44_softmax_is_between_two_relayouts(%x: !x) -> !y {
  %w = inlay.constant dense<1.0> : !w
  %v = inlay.constant dense<1.0> : !v
  %0 = inlay.conv %x, %w : (!x, !w) -> !y
  %1 = inlay.softmax %0 {axis = 1 : i64} : (!y) -> !y
  %2 = inlay.conv %1, %v : (!y, !v) -> !y
  return %2 : !y
}

// Zeros become halves: what the sum of the convolution takes is masked.
// CHECK-LABEL: func.func @s46_padding_is_masked_before_sums
// CHECK: inlay.sigmoid {{.*}} -> tensor<1x20x8x8xf32, #inlay.layout<NCHW as NC1HWC0 block 16>>
// CHECK-NEXT: inlay.relayout {{.*}} -> tensor<1x20x8x8xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
// CHECK-NEXT: inlay.conv
func.func @s46_padding_is_masked_before_sums(%x: !x) -> !y {
  %w = inlay.constant dense<1.0> : !w
  %v = inlay.constant dense<1.0> : !v
  %0 = inlay.conv %x, %w : (!x, !w) -> !y
  %1 = inlay.sigmoid %0 : (!y) -> !y
  %2 = inlay.conv %1, %v : (!y, !v) -> !y
  return %2 : !y
}

// One mask for two.
// CHECK-LABEL: func.func @s46_masks_are_shared
// CHECK: %[[E:.*]] = inlay.exp
// CHECK: inlay.relayout %[[E]] {{.*}} pad zero
// CHECK-NOT: inlay.relayout
// CHECK: inlay.conv
// CHECK-NEXT: inlay.conv
func.func @s46_masks_are_shared(%x: !x) -> (tensor<1x20x1x1xf32>, tensor<1x20x1x1xf32>, tensor<1x20x1x1xf32>) {
  %w = inlay.constant dense<1.0> : !w
  %v = inlay.constant dense<1.0> : !v
  %u = inlay.constant dense<2.0> : !v
  %0 = inlay.conv %x, %w : (!x, !w) -> !y
  %1 = inlay.exp %0 : (!y) -> !y
  %2 = inlay.conv %1, %v : (!y, !v) -> !y
  %3 = inlay.conv %1, %u : (!y, !v) -> !y
  %4 = inlay.global_average_pool %1 : (!y) -> tensor<1x20x1x1xf32>
  %5 = inlay.global_average_pool %2 : (!y) -> tensor<1x20x1x1xf32>
  %6 = inlay.global_average_pool %3 : (!y) -> tensor<1x20x1x1xf32>
  return %4, %5, %6 : tensor<1x20x1x1xf32>, tensor<1x20x1x1xf32>, tensor<1x20x1x1xf32>
}

// CHECK-LABEL: func.func @s47_spatial_axes_keep_their_places
// CHECK: inlay.reduce_mean {{.*}} -> tensor<1x20x1x1xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
// CHECK-NEXT: inlay.conv
func.func @s47_spatial_axes_keep_their_places(%x: !x) -> tensor<1x20x1x1xf32> {
  %w = inlay.constant dense<1.0> : !w
  %v = inlay.constant dense<1.0> : !v
  %0 = inlay.conv %x, %w : (!x, !w) -> !y
  %1 = inlay.reduce_mean %0 {axes = array<i64: 2, 3>} : (!y) -> tensor<1x20x1x1xf32>
  %2 = inlay.conv %1, %v : (tensor<1x20x1x1xf32>, !v) -> tensor<1x20x1x1xf32>
  return %2 : tensor<1x20x1x1xf32>
}

// The vector is blocked ahead of time, the number stays as it is.
// CHECK-LABEL: func.func @s48_side_inputs
// CHECK: %[[B:.*]] = inlay.relayout {{.*}} -> tensor<20x1x1xf32, #inlay.layout<{{.*}} block 16 pad zero>>
// CHECK: inlay.mul %{{.*}}, %[[B]]
// CHECK-NEXT: inlay.mul %{{.*}}, %{{.*}} : ({{.*}}, tensor<f32{{.*}}) -> tensor<1x20x8x8xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
// CHECK-NEXT: inlay.conv
func.func @s48_side_inputs(%x: !x) -> !y {
  %w = inlay.constant dense<1.0> : !w
  %v = inlay.constant dense<1.0> : !v
  %b = inlay.constant dense<2.0> : tensor<20x1x1xf32>
  %s = inlay.constant dense<3.0> : tensor<f32>
  %0 = inlay.conv %x, %w : (!x, !w) -> !y
  %1 = inlay.mul %0, %b : (!y, tensor<20x1x1xf32>) -> !y
  %2 = inlay.mul %1, %s : (!y, tensor<f32>) -> !y
  %3 = inlay.conv %2, %v : (!y, !v) -> !y
  return %3 : !y
}

// The smaller operand is converted.
// CHECK-LABEL: func.func @s49_the_smaller_operand
// CHECK-SAME: %[[Z:[^:]*]]: tensor<1x20x1x1xf32
// CHECK: inlay.relayout %[[Z]]
// CHECK: inlay.add
// CHECK-NEXT: inlay.conv
func.func @s49_the_smaller_operand(%z: tensor<1x20x1x1xf32>, %x: !x) -> !y {
  %w = inlay.constant dense<1.0> : !w
  %v = inlay.constant dense<1.0> : !v
  %0 = inlay.conv %x, %w : (!x, !w) -> !y
  %1 = inlay.add %0, %z : (!y, tensor<1x20x1x1xf32>) -> !y
  %2 = inlay.conv %1, %v : (!y, !v) -> !y
  return %2 : !y
}

// Inputs and outputs are as they were; a residual block has nothing in it.
// CHECK-LABEL: func.func @s50_residual_blocks
// CHECK-SAME: tensor<1x3x8x8xf32, #inlay.layout<NCHW>>
// CHECK-SAME: -> tensor<1x20x8x8xf32, #inlay.layout<NCHW>>
// CHECK: %[[A:.*]] = inlay.conv
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.relu
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.add %[[A]]
// CHECK: inlay.relayout
// CHECK-NOT: inlay.relayout
// CHECK: return
func.func @s50_residual_blocks(%x: !x) -> !y {
  %w = inlay.constant dense<1.0> : !w
  %v = inlay.constant dense<1.0> : !v
  %0 = inlay.conv %x, %w : (!x, !w) -> !y
  %1 = inlay.conv %0, %v : (!y, !v) -> !y
  %2 = inlay.relu %1 : (!y) -> !y
  %3 = inlay.conv %2, %v : (!y, !v) -> !y
  %4 = inlay.add %0, %3 : (!y, !y) -> !y
  %5 = inlay.relu %4 : (!y) -> !y
  return %5 : !y
}

// f45: blocks of 16 for floats, of 32 for bytes; a cast between is no reason for
// the one to be the other.
!ix = tensor<1x64x8x8xi8>
!iw = tensor<64x64x1x1xi8>
!iy = tensor<1x64x8x8xi32>
// CHECK-LABEL: func.func @s45_blocks_of_the_element_type
// CHECK: inlay.relayout {{.*}} -> tensor<1x64x8x8xi8, #inlay.layout<NCHW as NC1HWC0 split C=2*32>>
// CHECK: inlay.conv_integer {{.*}} -> tensor<1x64x8x8xi32, #inlay.layout<NCHW as NC1HWC0 split C=4*16>>
func.func @s45_blocks_of_the_element_type(%x: !ix) -> !iy {
  %w = inlay.constant dense<1> : !iw
  %0 = inlay.conv_integer %x, %w : (!ix, !iw) -> !iy
  return %0 : !iy
}

// f51: other ranks and extents that are not known.
// CHECK-LABEL: func.func @s51_three_dimensions
// CHECK: inlay.conv {{.*}} -> tensor<1x20x8xf32, #inlay.layout<NCW as NC1WC0 block 16 pad zero>>
func.func @s51_three_dimensions(%x: tensor<1x3x8xf32>) -> tensor<1x20x8xf32> {
  %w = inlay.constant dense<1.0> : tensor<20x3x1xf32>
  %0 = inlay.conv %x, %w : (tensor<1x3x8xf32>, tensor<20x3x1xf32>) -> tensor<1x20x8xf32>
  return %0 : tensor<1x20x8xf32>
}

// CHECK-LABEL: func.func @s51_five_dimensions
// CHECK: inlay.conv {{.*}} -> tensor<1x20x4x8x8xf32, #inlay.layout<NCDHW as NC1DHWC0 block 16 pad zero>>
func.func @s51_five_dimensions(%x: tensor<1x3x4x8x8xf32>) -> tensor<1x20x4x8x8xf32> {
  %w = inlay.constant dense<1.0> : tensor<20x3x1x1x1xf32>
  %0 = inlay.conv %x, %w : (tensor<1x3x4x8x8xf32>, tensor<20x3x1x1x1xf32>) -> tensor<1x20x4x8x8xf32>
  return %0 : tensor<1x20x4x8x8xf32>
}

// CHECK-LABEL: func.func @s51_unknown_batch
// CHECK: inlay.conv {{.*}} -> tensor<?x20x8x8xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
func.func @s51_unknown_batch(%x: tensor<?x3x8x8xf32>) -> tensor<?x20x8x8xf32> {
  %w = inlay.constant dense<1.0> : tensor<20x3x1x1xf32>
  %0 = inlay.conv %x, %w : (tensor<?x3x8x8xf32>, tensor<20x3x1x1xf32>) -> tensor<?x20x8x8xf32>
  return %0 : tensor<?x20x8x8xf32>
}

// CHECK-LABEL: func.func @s51_unknown_extents
// CHECK: inlay.conv {{.*}} -> tensor<?x20x?x?xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
func.func @s51_unknown_extents(%x: tensor<?x3x?x?xf32>) -> tensor<?x20x?x?xf32> {
  %w = inlay.constant dense<1.0> : tensor<20x3x1x1xf32>
  %0 = inlay.conv %x, %w : (tensor<?x3x?x?xf32>, tensor<20x3x1x1xf32>) -> tensor<?x20x?x?xf32>
  return %0 : tensor<?x20x?x?xf32>
}

// How many blocks there are must be known: this one stays as it is.
// CHECK-LABEL: func.func @s51_unknown_channels
// CHECK-NOT: NC1HWC0
// CHECK: return
func.func @s51_unknown_channels(%x: tensor<1x?x8x8xf32>, %w: tensor<?x?x1x1xf32>) -> tensor<1x?x8x8xf32> {
  %0 = inlay.conv %x, %w : (tensor<1x?x8x8xf32>, tensor<?x?x1x1xf32>) -> tensor<1x?x8x8xf32>
  return %0 : tensor<1x?x8x8xf32>
}
