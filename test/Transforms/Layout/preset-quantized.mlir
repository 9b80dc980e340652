// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset | FileCheck %s
// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-set-target=target=nhwc -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s --check-prefix=PHYSICAL

!x = tensor<2x4x6x8xf32>
!q = tensor<2x4x6x8xi8>
!w = tensor<4x4x1x1xf32>

// A relayout goes to the side with small elements.
// CHECK-LABEL: func.func @relayouts_on_the_int8_side
// CHECK: inlay.quantize_linear %arg0
// CHECK-NEXT: inlay.relayout {{.*}} -> tensor<2x4x6x8xi8, #inlay.layout<NCHW as NHWC>>
// CHECK-NEXT: inlay.dequantize_linear
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.quantize_linear
// CHECK-NEXT: inlay.relayout {{.*}} -> tensor<2x4x6x8xi8, #inlay.layout<NCHW>>
// CHECK-NEXT: inlay.dequantize_linear
// CHECK-NEXT: return
func.func @relayouts_on_the_int8_side(%x: !x) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %s = inlay.constant dense<0.5> : tensor<f32>
  %z = inlay.constant dense<0> : tensor<i8>
  %0 = inlay.quantize_linear %x, %s, %z : (!x, tensor<f32>, tensor<i8>) -> !q
  %1 = inlay.dequantize_linear %0, %s, %z : (!q, tensor<f32>, tensor<i8>) -> !x
  %2 = inlay.conv %1, %w : (!x, !w) -> !x
  %3 = inlay.quantize_linear %2, %s, %z : (!x, tensor<f32>, tensor<i8>) -> !q
  %4 = inlay.dequantize_linear %3, %s, %z : (!q, tensor<f32>, tensor<i8>) -> !x
  return %4 : !x
}

// Scales per channel go along.
// CHECK-LABEL: func.func @scales_per_axis_follow
// CHECK: inlay.conv
// CHECK-NEXT: inlay.quantize_linear {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: inlay.dequantize_linear {{.*}}<NCHW as NHWC>>
// CHECK-NEXT: inlay.conv
// PHYSICAL-LABEL: func.func @scales_per_axis_follow
// PHYSICAL: inlay.quantize_linear {{.*}} {axis = 3 : i64} : (tensor<2x6x8x4xf32>, tensor<4xf32>, tensor<4xi8>)
// PHYSICAL-NEXT: inlay.dequantize_linear {{.*}} {axis = 3 : i64} : (tensor<2x6x8x4xi8>, tensor<4xf32>, tensor<4xi8>)
func.func @scales_per_axis_follow(%x: !x) -> !x {
  %w = inlay.constant dense<1.0> : !w
  %s = inlay.constant dense<[0.5, 0.25, 1.0, 2.0]> : tensor<4xf32>
  %z = inlay.constant dense<0> : tensor<4xi8>
  %0 = inlay.conv %x, %w : (!x, !w) -> !x
  %1 = inlay.quantize_linear %0, %s, %z {axis = 1 : i64} : (!x, tensor<4xf32>, tensor<4xi8>) -> !q
  %2 = inlay.dequantize_linear %1, %s, %z {axis = 1 : i64} : (!q, tensor<4xf32>, tensor<4xi8>) -> !x
  %3 = inlay.conv %2, %w : (!x, !w) -> !x
  return %3 : !x
}
