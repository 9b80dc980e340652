// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @factors_that_do_not_stretch() -> tensor<4x2xf32> {
  // expected-error @+1 {{factors of shape 3x1 do not stretch to 4x2}}
  %0 = inlay.constant #inlay.scaled<dense<1.0> : tensor<4x2xf32>, dense<1.0> : tensor<3x1xf64>> : tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @factors_of_another_rank() -> tensor<4x2xf32> {
  // expected-error @+1 {{factors of shape 2 do not stretch to 4x2}}
  %0 = inlay.constant #inlay.scaled<dense<1.0> : tensor<4x2xf32>, dense<1.0> : tensor<2xf64>> : tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// -----

func.func @factors_of_few_digits() -> tensor<4xf32> {
  // expected-error @+1 {{factors must be a constant of f64 of static shape}}
  %0 = inlay.constant #inlay.scaled<dense<1.0> : tensor<4xf32>, dense<1.0> : tensor<4xf32>> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @bytes_of_the_factors() -> tensor<4xf32> {
  // expected-error @+1 {{factors refer to 16 bytes, their type needs 32}}
  %0 = inlay.constant #inlay.scaled<dense<1.0> : tensor<4xf32>, #inlay.data<"s", 0, 16> : tensor<4xf64>> : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @integers() -> tensor<4xi32> {
  // expected-error @+1 {{elements of base and result must be the same floats of at least 16 bits}}
  %0 = inlay.constant #inlay.scaled<dense<1> : tensor<4xi32>, dense<1.0> : tensor<4xf64>> : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @other_elements() -> tensor<4xf16> {
  // expected-error @+1 {{elements of base and result must be the same floats of at least 16 bits}}
  %0 = inlay.constant #inlay.scaled<dense<1.0> : tensor<4xf32>, dense<1.0> : tensor<4xf64>> : tensor<4xf16>
  return %0 : tensor<4xf16>
}

// -----

func.func @another_number_of_elements() -> tensor<5xf32> {
  // expected-error @+1 {{base has the shape 4, which has not the elements of 5}}
  %0 = inlay.constant #inlay.scaled<dense<1.0> : tensor<4xf32>, dense<1.0> : tensor<4xf64>> : tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

func.func @base_that_is_no_tensor() -> tensor<4xf32> {
  // expected-error @+1 {{base must be a constant, found 1}}
  %0 = inlay.constant #inlay.scaled<1 : i64, dense<1.0> : tensor<4xf64>> : tensor<4xf32>
  return %0 : tensor<4xf32>
}
