// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @shape_that_the_layout_does_not_take() -> tensor<4xf32> {
  // expected-error @+1 {{layout NCHW as NHWC needs rank 4, found 1}}
  %0 = inlay.constant #inlay.stored<dense<1.0> : tensor<4xf32>, <NCHW as NHWC>> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @another_number_of_elements() -> tensor<4xf32> {
  // expected-error @+1 {{layout Tensor as (0:1,0:0) block 4 stores 5 as 2x4, which has not the elements of 5}}
  %0 = inlay.constant #inlay.stored<dense<1.0> : tensor<5xf32>, <Tensor as (0:1,0:0) block 0=4>> : tensor<5xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @too_many_to_count() -> tensor<4xf32> {
  // expected-error @+1 {{which has not the elements of 4}}
  %0 = inlay.constant #inlay.stored<dense<1.0> : tensor<2x2xf32>, <Tensor as (0:1,0:0,1:1,1:0) block 0=4611686018427387904, 1=4611686018427387904>> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @other_elements() -> tensor<4xi32> {
  // expected-error @+1 {{elements must be f32 as the base's are, found i32}}
  %0 = inlay.constant #inlay.stored<dense<1.0> : tensor<4xf32>, <Tensor>> : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @unknown_extents() -> tensor<?xf32> {
  // expected-error @+1 {{result must be a tensor of static shape, found tensor<?xf32>}}
  %0 = inlay.constant #inlay.stored<dense<1.0> : tensor<4xf32>, <Tensor>> : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @symbols() -> tensor<4xf32> {
  // expected-error @+1 {{layout Tensor as (0:0,0:1) split 0=H*W has extents that are not numbers}}
  %0 = inlay.constant #inlay.stored<dense<1.0> : tensor<4xf32>, <Tensor as (0:0,0:1) split 0=H*W>> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @base_that_is_no_tensor() -> tensor<4xf32> {
  // expected-error @+1 {{base must be a constant, found 1}}
  %0 = inlay.constant #inlay.stored<1 : i64, <Tensor>> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @bytes_of_the_base() -> tensor<4xf32> {
  // expected-error @+1 {{base refers to 15 bytes, its type needs 16}}
  %0 = inlay.constant #inlay.stored<#inlay.data<"w", 0, 15> : tensor<4xf32>, <Tensor>> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @strings() -> tensor<2x!inlay.string> {
  // expected-error @+1 {{strings cannot be stored in another order}}
  %0 = inlay.constant #inlay.stored<dense<["a", "b"]> : tensor<2x!inlay.string>, <Tensor>> : tensor<2x!inlay.string>
  return %0 : tensor<2x!inlay.string>
}

// -----

func.func @no_layout() -> tensor<4xf32> {
  // expected-error @+1 {{expected ','}}
  %0 = inlay.constant #inlay.stored<dense<1.0> : tensor<4xf32>> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
