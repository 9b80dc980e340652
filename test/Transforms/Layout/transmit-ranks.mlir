// RUN: split-file %s %t
// RUN: %inlay-opt %t/defaults.mlir -inlay-layout-transmit=remarks -verify-diagnostics -o /dev/null
// RUN: %inlay-opt %t/lower.mlir -inlay-layout-transmit="remarks ntensor-ranks=2,4 weight-ranks=4,6 feature-ranks=3,4 tensor-ranks=1,3" -verify-diagnostics -o /dev/null
// RUN: not %inlay-opt %t/defaults.mlir -inlay-layout-transmit="tensor-ranks=3" -o /dev/null 2>&1 | FileCheck %s
// RUN: not %inlay-opt %t/defaults.mlir -inlay-layout-transmit="tensor-ranks=3,2" -o /dev/null 2>&1 | FileCheck %s
// RUN: not %inlay-opt %t/defaults.mlir -inlay-layout-transmit="tensor-ranks=-1,2" -o /dev/null 2>&1 | FileCheck %s

// Each bound of the classes' ranks, from both sides.

// CHECK: error: bounds of ranks must be the least and the greatest

//--- defaults.mlir

// NTensor: 3 to 6.
func.func @ntensor_below(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %a: tensor<2x2xf32>,
    // expected-remark@+1 {{layout of argument #1: NTensor}}
    %b: tensor<2x2x2xf32>) {
  // expected-remark@+1 {{layout: Tensor}}
  %0 = inlay.matmul %a, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  // expected-remark@+1 {{layout: Tensor}}
  %1 = inlay.gemm %0, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  // expected-remark@+1 {{layout: NTensor}}
  %2 = inlay.matmul %b, %b : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return
}

func.func @ntensor_above(
    // expected-remark@+1 {{layout of argument #0: NTensor}}
    %a: tensor<1x1x1x1x2x2xf32>,
    // expected-remark@+1 {{layout of argument #1: none}}
    %b: tensor<1x1x1x1x1x2x2xf32>) {
  // expected-remark@+1 {{layout: NTensor}}
  %0 = inlay.matmul %a, %a : (tensor<1x1x1x1x2x2xf32>, tensor<1x1x1x1x2x2xf32>) -> tensor<1x1x1x1x2x2xf32>
  // expected-remark@+1 {{layout: none}}
  %1 = inlay.matmul %b, %b : (tensor<1x1x1x1x1x2x2xf32>, tensor<1x1x1x1x1x2x2xf32>) -> tensor<1x1x1x1x1x2x2xf32>
  return
}

// Feature and Weight: 3 to 6. ONNX has no convolution of rank 2.
func.func @feature_and_weight_below(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x: tensor<1x2x4xf32>,
    // expected-remark@+1 {{layout of argument #1: OIW}}
    %w: tensor<2x2x1xf32>) {
  // expected-remark@+1 {{layout: NCW}}
  %0 = inlay.conv %x, %w : (tensor<1x2x4xf32>, tensor<2x2x1xf32>) -> tensor<1x2x4xf32>
  // expected-remark@+1 {{layout: Tensor}}
  %1 = inlay.flatten %0 : (tensor<1x2x4xf32>) -> tensor<1x8xf32>
  return
}

func.func @feature_and_weight_above(
    // expected-remark@+1 {{layout of argument #0: NCTDHW}}
    %x: tensor<1x2x4x4x4x4xf32>,
    // expected-remark@+1 {{layout of argument #1: OITDHW}}
    %w: tensor<2x2x1x1x1x1xf32>,
    // expected-remark@+1 {{layout of argument #2: none}}
    %x7: tensor<1x2x4x4x4x4x4xf32>,
    // expected-remark@+1 {{layout of argument #3: none}}
    %w7: tensor<2x2x1x1x1x1x1xf32>) {
  // expected-remark@+1 {{layout: NCTDHW}}
  %0 = inlay.conv %x, %w : (tensor<1x2x4x4x4x4xf32>, tensor<2x2x1x1x1x1xf32>) -> tensor<1x2x4x4x4x4xf32>
  // expected-remark@+1 {{layout: none}}
  %1 = inlay.conv %x7, %w7 : (tensor<1x2x4x4x4x4x4xf32>, tensor<2x2x1x1x1x1x1xf32>) -> tensor<1x2x4x4x4x4x4xf32>
  return
}

// Tensor: 0 to 6.
func.func @tensor_bounds(
    // expected-remark@+1 {{layout of argument #0: Tensor}}
    %scalar: tensor<f32>,
    // expected-remark@+1 {{layout of argument #1: Tensor}}
    %six: tensor<1x1x1x1x1x2xf32>,
    // expected-remark@+1 {{layout of argument #2: none}}
    %seven: tensor<1x1x1x1x1x1x2xf32>) {
  // expected-remark@+1 {{layout: Tensor}}
  %0 = inlay.relu %scalar : (tensor<f32>) -> tensor<f32>
  // expected-remark@+1 {{layout: Tensor}}
  %1 = inlay.relu %six : (tensor<1x1x1x1x1x2xf32>) -> tensor<1x1x1x1x1x2xf32>
  // expected-remark@+1 {{layout: none}}
  %2 = inlay.relu %seven : (tensor<1x1x1x1x1x1x2xf32>) -> tensor<1x1x1x1x1x1x2xf32>
  return
}

//--- lower.mlir

// NTensor 2 to 4, Weight 4 to 6, Feature 3 to 4, Tensor 1 to 3.
func.func @ntensor(
    // expected-remark@+1 {{layout of argument #0: NTensor}}
    %two: tensor<2x2xf32>,
    // expected-remark@+1 {{layout of argument #1: Tensor}}
    %one: tensor<2xf32>,
    // expected-remark@+1 {{layout of argument #2: NTensor}}
    %four: tensor<1x1x2x2xf32>,
    // expected-remark@+1 {{layout of argument #3: none}}
    %five: tensor<1x1x1x2x2xf32>) {
  // expected-remark@+1 {{layout: NTensor}}
  %0 = inlay.gemm %two, %two : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  // expected-remark@+1 {{layout: Tensor}}
  %1 = inlay.matmul %one, %0 : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  // expected-remark@+1 {{layout: NTensor}}
  %2 = inlay.matmul %four, %four : (tensor<1x1x2x2xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  // expected-remark@+1 {{layout: none}}
  %3 = inlay.matmul %five, %five : (tensor<1x1x1x2x2xf32>, tensor<1x1x1x2x2xf32>) -> tensor<1x1x1x2x2xf32>
  return
}

func.func @feature_and_weight(
    // expected-remark@+1 {{layout of argument #0: NCW}}
    %x1: tensor<1x2x4xf32>,
    // expected-remark@+1 {{layout of argument #1: Tensor}}
    %w1: tensor<2x2x1xf32>,
    // expected-remark@+1 {{layout of argument #2: NCHW}}
    %x2: tensor<1x2x4x4xf32>,
    // expected-remark@+1 {{layout of argument #3: OIHW}}
    %w2: tensor<2x2x1x1xf32>,
    // expected-remark@+1 {{layout of argument #4: none}}
    %x3: tensor<1x2x4x4x4xf32>,
    // expected-remark@+1 {{layout of argument #5: OIDHW}}
    %w3: tensor<2x2x1x1x1xf32>) {
  // expected-remark@+1 {{layout: NCW}}
  %0 = inlay.conv %x1, %w1 : (tensor<1x2x4xf32>, tensor<2x2x1xf32>) -> tensor<1x2x4xf32>
  // expected-remark@+1 {{layout: NCHW}}
  %1 = inlay.conv %x2, %w2 : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  // expected-remark@+1 {{layout: none}}
  %2 = inlay.conv %x3, %w3 : (tensor<1x2x4x4x4xf32>, tensor<2x2x1x1x1xf32>) -> tensor<1x2x4x4x4xf32>
  return
}

func.func @tensor(
    // expected-remark@+1 {{layout of argument #0: none}}
    %zero: tensor<f32>,
    // expected-remark@+1 {{layout of argument #1: Tensor}}
    %one: tensor<1xf32>,
    // expected-remark@+1 {{layout of argument #2: Tensor}}
    %three: tensor<1x1x1xf32>,
    // expected-remark@+1 {{layout of argument #3: none}}
    %four: tensor<1x1x1x1xf32>) {
  return
}
