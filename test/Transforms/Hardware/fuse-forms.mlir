// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/forms.yaml -inlay-fuse-hardware=remarks=true 2>&1 | grep -v not.fused | FileCheck %s

// Forms of operators that stages take or refuse, by the numbers of
// docs/Requirements.md. Every refusal names what was required and what was found.

!x = tensor<1x4x8x8xf32>
!w = tensor<4x4x1x1xf32>
!k = tensor<4x1x1xf32>

// f22: per channel, scalar and full; the operands of a product may be exchanged.
// CHECK: stage 'channel' requires operand 1 of shape channel, found same
// CHECK: stage 'scalar' requires operand 1 of shape scalar, found channel
func.func @case_22_side_operands(%x: !x) -> (!x, !x, !x, !x) {
  %k = inlay.constant dense<2.0> : !k
  %s = inlay.constant dense<2.0> : tensor<f32>
  %f = inlay.constant dense<2.0> : !x
  %a = inlay.mul %x, %k : (!x, !k) -> !x
  %b = inlay.mul %k, %x : (!k, !x) -> !x
  %c = inlay.mul %x, %f : (!x, !x) -> !x
  %d = inlay.add %x, %k : (!x, !k) -> !x
  return %a, %b, %c, %d : !x, !x, !x, !x
}

// f22: a channel is where the layout says, here the last dimension.
func.func @case_22_channel_by_name(%x: tensor<1x8x8x4xf32, #inlay.layout<NHWC>>) -> tensor<1x8x8x4xf32, #inlay.layout<NHWC>> {
  %k = inlay.constant dense<2.0> : tensor<4xf32>
  %a = inlay.mul %x, %k : (tensor<1x8x8x4xf32, #inlay.layout<NHWC>>, tensor<4xf32>) -> tensor<1x8x8x4xf32, #inlay.layout<NHWC>>
  return %a : tensor<1x8x8x4xf32, #inlay.layout<NHWC>>
}

// f22: those of a difference and a quotient may not.
// CHECK: stage 'scalar' requires operand 1 to be constant, found one that is computed at run time
// CHECK: stage 'scalar' requires operand 1 to be constant, found one that is computed at run time
func.func @case_22_operands_that_stay(%x: !x) -> (!x, !x, !x) {
  %s = inlay.constant dense<2.0> : tensor<f32>
  %a = inlay.sub %x, %s : (!x, tensor<f32>) -> !x
  %b = inlay.sub %s, %x : (tensor<f32>, !x) -> !x
  %c = inlay.div %s, %x : (tensor<f32>, !x) -> !x
  return %a, %b, %c : !x, !x, !x
}

// f23: values of the run where constants are required, and statistics of training.
// CHECK: stage 'channel' requires operand 1 to be constant, found one that is computed at run time
// CHECK: operand 1 must be constant, found one that is computed at run time
// CHECK: only its first result may be used, found a use of result 1
// CHECK: training_mode must be 0, found 1
func.func @case_23_runtime(%x: !x, %k: !k, %lo: tensor<f32>, %v: tensor<4xf32>) -> (!x, !x, !x, tensor<4xf32>, !x) {
  %a = inlay.mul %x, %k : (!x, !k) -> !x
  %b = inlay.clip %x min %lo : (!x, tensor<f32>) -> !x
  %c, %m, %n = inlay.batch_normalization %x, %v, %v, %v, %v : (!x, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (!x, tensor<4xf32>, tensor<4xf32>)
  %d, %o, %p = inlay.batch_normalization %x, %v, %v, %v, %v {training_mode = 1 : i64} : (!x, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (!x, tensor<4xf32>, tensor<4xf32>)
  return %a, %b, %c, %m, %d : !x, !x, !x, tensor<4xf32>, !x
}

// f24: pads.
// CHECK: pads with a value other than zero
// CHECK: stage 'pad' requires pads whole numbers of 0 to 3, found -1
// CHECK: stage 'pad' requires mode constant, found reflect
// CHECK: pads dimension 1, which is not spatial
func.func @case_24_pads(%x: !x) -> (tensor<1x4x8x10xf32>, tensor<1x4x8x7xf32>, tensor<1x4x8x9xf32>, tensor<1x5x8x8xf32>) {
  %v = inlay.constant dense<1.0> : tensor<f32>
  %a = inlay.pad %x value %v {pads = array<i64: 0, 0, 0, 1, 0, 0, 0, 1>} : (!x, tensor<f32>) -> tensor<1x4x8x10xf32>
  %b = inlay.pad %x {pads = array<i64: 0, 0, 0, -1, 0, 0, 0, 0>} : (!x) -> tensor<1x4x8x7xf32>
  %c = inlay.pad %x {mode = "reflect", pads = array<i64: 0, 0, 0, 1, 0, 0, 0, 0>} : (!x) -> tensor<1x4x8x9xf32>
  %d = inlay.pad %x {pads = array<i64: 0, 1, 0, 0, 0, 0, 0, 0>} : (!x) -> tensor<1x5x8x8xf32>
  return %a, %b, %c, %d : tensor<1x4x8x10xf32>, tensor<1x4x8x7xf32>, tensor<1x4x8x9xf32>, tensor<1x5x8x8xf32>
}

// f25: resampling.
// CHECK: stage 'up' requires mode nearest, found linear
// CHECK: stage 'up' requires scale whole numbers of 1 to 8, found 1.500000
func.func @case_25_resize(%x: !x) -> (tensor<1x4x16x16xf32>, tensor<1x4x16x16xf32>, tensor<1x4x12x12xf32>) {
  %a = inlay.resize %x {scales = array<f32: 1.0, 1.0, 2.0, 2.0>} : (!x) -> tensor<1x4x16x16xf32>
  %b = inlay.resize %x {mode = "linear", scales = array<f32: 1.0, 1.0, 2.0, 2.0>} : (!x) -> tensor<1x4x16x16xf32>
  %c = inlay.resize %x {scales = array<f32: 1.0, 1.0, 1.5, 1.5>} : (!x) -> tensor<1x4x12x12xf32>
  return %a, %b, %c : tensor<1x4x16x16xf32>, tensor<1x4x16x16xf32>, tensor<1x4x12x12xf32>
}

// f26: convolutions that are not dense and of two dimensions.
// CHECK: stage 'ipa' requires group whole numbers of 1, found 4
// CHECK: stage 'ipa' requires rank 4 to 4, found 3
// CHECK: no stage takes ConvTranspose
// CHECK: stage 'ipa' requires kernel whole numbers of 1 to 7, found 8
func.func @case_26_convolutions(%x: !x, %y: tensor<1x4x8xf32>) -> (!x, tensor<1x4x8xf32>, !x, tensor<1x4x1x1xf32>) {
  %w = inlay.constant dense<1.0> : !w
  %wd = inlay.constant dense<1.0> : tensor<4x1x1x1xf32>
  %w1 = inlay.constant dense<1.0> : tensor<4x4x1xf32>
  %w8 = inlay.constant dense<1.0> : tensor<4x4x8x8xf32>
  %a = inlay.conv %x, %wd {group = 4 : i64} : (!x, tensor<4x1x1x1xf32>) -> !x
  %b = inlay.conv %y, %w1 : (tensor<1x4x8xf32>, tensor<4x4x1xf32>) -> tensor<1x4x8xf32>
  %c = inlay.conv_transpose %x, %w : (!x, !w) -> !x
  %d = inlay.conv %x, %w8 : (!x, tensor<4x4x8x8xf32>) -> tensor<1x4x1x1xf32>
  return %a, %b, %c, %d : !x, tensor<1x4x8xf32>, !x, tensor<1x4x1x1xf32>
}

// CHECK: func.func @case_22_side_operands
// CHECK: stages ["channel"]
// CHECK: stages ["channel"]
// CHECK-NOT: inlay.group
// CHECK: func.func @case_22_channel_by_name
// CHECK: stages ["channel"]
// CHECK: func.func @case_22_operands_that_stay
// CHECK: stages ["scalar"]
// CHECK-NEXT: inlay.sub %arg0
// CHECK-NOT: inlay.group
// CHECK: func.func @case_23_runtime
// CHECK-NOT: inlay.group
// CHECK: func.func @case_24_pads
// CHECK-NOT: inlay.group
// CHECK: func.func @case_25_resize
// CHECK: stages ["up"]
// CHECK-NOT: inlay.group
// CHECK: func.func @case_26_convolutions
// CHECK-NOT: inlay.group

// f24: a pad that two convolutions need goes with one of them.
// CHECK: func.func @case_24_shared_pad
// CHECK: stages ["pad", "ipa"]
// CHECK: stages ["ipa"]
func.func @case_24_shared_pad(%x: !x) -> (!x, !x) {
  %w = inlay.constant dense<1.0> : tensor<4x4x3x3xf32>
  %p = inlay.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (!x) -> tensor<1x4x10x10xf32>
  %c = inlay.conv %p, %w : (tensor<1x4x10x10xf32>, tensor<4x4x3x3xf32>) -> !x
  %d = inlay.conv %p, %w : (tensor<1x4x10x10xf32>, tensor<4x4x3x3xf32>) -> !x
  return %c, %d : !x, !x
}

// f24: a pad and the pads of a convolution are more than the one pad of a group.
// CHECK: func.func @case_24_pad_and_pads
// CHECK: stages ["pad"]
// CHECK: stages ["pad+ipa"]
func.func @case_24_pad_and_pads(%x: !x) -> tensor<1x4x10x10xf32> {
  %w = inlay.constant dense<1.0> : tensor<4x4x3x3xf32>
  %p = inlay.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (!x) -> tensor<1x4x10x10xf32>
  %c = inlay.conv %p, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x4x10x10xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x10x10xf32>
  return %c : tensor<1x4x10x10xf32>
}

// f29: the element type changes where the target requantises, nowhere else.
// CHECK: func.func @case_29_element_types
// CHECK: stages ["ipa", "requantise"]
// CHECK-NOT: inlay.group
// CHECK: inlay.dequantize_linear
// CHECK: inlay.cast
func.func @case_29_element_types(%x: !x) -> (tensor<1x4x8x8xf16>, !x) {
  %w = inlay.constant dense<1.0> : !w
  %s = inlay.constant dense<1.0> : tensor<f32>
  %z = inlay.constant dense<0> : tensor<i8>
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %q = inlay.quantize_linear %c, %s, %z : (!x, tensor<f32>, tensor<i8>) -> tensor<1x4x8x8xi8>
  %d = inlay.dequantize_linear %q, %s, %z : (tensor<1x4x8x8xi8>, tensor<f32>, tensor<i8>) -> !x
  %h = inlay.cast %x {to = 10 : i64} : (!x) -> tensor<1x4x8x8xf16>
  return %h, %d : tensor<1x4x8x8xf16>, !x
}
