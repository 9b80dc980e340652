// RUN: %inlay-opt %s -inlay-set-target=target=%S/Inputs/two-units.yaml -inlay-layout-transmit -inlay-layout-preset | FileCheck %s
// RUN: sed '/copies/d; /run:/d' %S/Inputs/two-units.yaml > %t.yaml
// RUN: %inlay-opt %s -inlay-set-target=target=%t.yaml -inlay-layout-transmit -inlay-layout-preset | FileCheck %s --check-prefix=FLAT

// Blocks of 16 channels are made in runs of 64 bytes from NHWC, which is needed
// anyway, and of 4 from NCHW. Where all runs cost the same, each copy is made
// from what is there.
// CHECK-LABEL: func.func @blocks_are_made_from_another_copy
// CHECK: %[[A:.*]] = inlay.relayout %arg0 {{.*}} -> tensor<2x32x8x8xf32, #inlay.layout<NCHW as NHWC>>
// CHECK: inlay.conv %[[A]]
// CHECK: %[[B:.*]] = inlay.relayout %[[A]] {{.*}} NC1HWC0
// CHECK: inlay.max_pool %[[B]]
// FLAT-LABEL: func.func @blocks_are_made_from_another_copy
// FLAT: %[[B:.*]] = inlay.relayout %arg0 {{.*}} NC1HWC0
// FLAT: inlay.max_pool %[[B]]
!x = tensor<2x32x8x8xf32>
!i = tensor<2x32x8x8xi64>
!w = tensor<32x32x1x1xf32>
func.func @blocks_are_made_from_another_copy(%x: !x, %w: !w) -> (!x, !x) {
  %a = inlay.conv %x, %w : (!x, !w) -> !x
  %b, %i = inlay.max_pool %x {kernel_shape = array<i64: 1, 1>} : (!x) -> (!x, !i)
  return %a, %b : !x, !x
}


// Nobody needs NHWC: a copy in it is not made for the sake of another.
// CHECK-LABEL: func.func @no_copy_is_made_for_another
// CHECK-NEXT: %[[B:.*]] = inlay.relayout %arg0 {{.*}} split 1=2*16
// CHECK-NEXT: inlay.max_pool %[[B]]
func.func @no_copy_is_made_for_another(%x: !x) -> !x {
  %b, %i = inlay.max_pool %x {kernel_shape = array<i64: 1, 1>} : (!x) -> (!x, !i)
  return %b : !x
}
