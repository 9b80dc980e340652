// RUN: %inlay-opt %s -inlay-layout-transmit=remarks -verify-diagnostics -o /dev/null

// The quantized forms of the known operators, and Q/DQ around the plain ones.

!q = tensor<1x4x8x8xui8>
!qw = tensor<4x4x1x1xi8>
!x = tensor<1x4x8x8xf32>
!w = tensor<4x4x1x1xf32>
!s = tensor<f32>
!z = tensor<ui8>
!zi = tensor<i8>

func.func @qlinear_conv(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !q,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !qw,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %s: !s,
    // expected-remark@+1 {{layout of argument #3: Tensor}}
    %z: !z,
    // expected-remark@+1 {{layout of argument #4: Tensor}}
    %zw: !zi,
    // expected-remark@+1 {{layout of argument #5: Tensor}}
    %b: tensor<4xi32>) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.qlinear_conv %x scale %s zero_point %z, %w scale %s zero_point %zw, to scale %s zero_point %z, bias %b
      : (!q, !s, !z, !qw, !s, !zi, !s, !z, tensor<4xi32>) -> !q
  return
}

func.func @conv_integer(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x: tensor<1x4x8xui8>,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: tensor<4x4x1xi8>,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %z: !z) {
  // expected-remark@+1 {{layout: NCW}}
  %0 = inlay.conv_integer %x, %w x_zero_point %z : (tensor<1x4x8xui8>, tensor<4x4x1xi8>, !z) -> tensor<1x4x8xi32>
  // expected-remark@+1 {{layout: NCW}}
  %1 = inlay.cast %0 {to = 1 : i64} : (tensor<1x4x8xi32>) -> tensor<1x4x8xf32>
  return
}

func.func @matmul_integer(
    // expected-remark@+1 {{layout of argument #0: NTensor}}
    %a: tensor<2x3x4xui8>,
    // expected-remark@+1 {{layout of argument #1: NTensor}}
    %b: tensor<2x4x5xi8>,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %z: !z) {
  // expected-remark@+1 {{layout: NTensor}}
  %0 = inlay.matmul_integer %a, %b a_zero_point %z : (tensor<2x3x4xui8>, tensor<2x4x5xi8>, !z) -> tensor<2x3x5xi32>
  return
}

func.func @qlinear_matmul(
    // expected-remark@+1 {{layout of argument #0: NTensor}}
    %a: tensor<2x3x4xui8>,
    // expected-remark@+1 {{layout of argument #1: Tensor}}
    %b: tensor<4x5xi8>,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %s: !s,
    // expected-remark@+1 {{layout of argument #3: Tensor}}
    %z: !z,
    // expected-remark@+1 {{layout of argument #4: Tensor}}
    %zb: !zi) {
  // expected-remark@+1 {{layout: NTensor}}
  %0 = inlay.qlinear_matmul %a scale %s zero_point %z, %b scale %s zero_point %zb, to scale %s zero_point %z
      : (tensor<2x3x4xui8>, !s, !z, tensor<4x5xi8>, !s, !zi, !s, !z) -> tensor<2x3x5xui8>
  return
}

// Both sides of a quantizer have the layout, and both sides of the weight's.
func.func @quantizers_around_a_convolution(
    // expected-remark@+1 {{layout of argument #0: NCHW}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: OIHW}}
    %w: !qw,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %s: !s,
    // expected-remark@+1 {{layout of argument #3: Tensor}}
    %perChannel: tensor<4xf32>) {
  // expected-remark@+1 {{layout: NCHW}}
  %0 = inlay.quantize_linear %x, %s : (!x, !s) -> !q
  // expected-remark@+1 {{layout: NCHW}}
  %1 = inlay.dequantize_linear %0, %s : (!q, !s) -> !x
  // expected-remark@+1 {{layout: OIHW}}
  %2 = inlay.dequantize_linear %w, %perChannel {axis = 0 : i64} : (!qw, tensor<4xf32>) -> !w
  // expected-remark@+1 {{layout: NCHW}}
  %3 = inlay.conv %1, %2 : (!x, !w) -> !x
  // expected-remark@+1 {{layout: NCHW}}
  %4 = inlay.quantize_linear %3, %s : (!x, !s) -> !q
  // expected-remark@+1 {{layout: NCHW}}
  %5 = inlay.dequantize_linear %4, %s : (!q, !s) -> !x
  return
}

func.func @quantizers_around_nothing(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %x: !x,
    // expected-remark@+1 {{layout of argument #1: Tensor}}
    %s: !s) {
  // expected-remark@+1 {{layout: Tensor}}
  %0 = inlay.quantize_linear %x, %s : (!x, !s) -> !q
  // expected-remark@+1 {{layout: Tensor}}
  %1 = inlay.dequantize_linear %0, %s : (!q, !s) -> !x
  return
}
