// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-rewrite | FileCheck %s

// scale / sqrt(variance + epsilon) is 2 for the first channel, 3 for the second.

// CHECK-LABEL: @conv
func.func @conv(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %b = inlay.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %scale = inlay.constant dense<[4.0, 6.0]> : tensor<2xf32>
  %bias = inlay.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %mean = inlay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = inlay.constant dense<3.0> : tensor<2xf32>
  // CHECK-DAG: %[[W:.*]] = inlay.constant dense<{{\[\[\[\[}}1.000000e+01]]], {{\[\[\[}}2.100000e+01]]]]> : tensor<2x1x1x1xf32>
  // CHECK-DAG: %[[B:.*]] = inlay.constant dense<[1.850000e+01, 5.425000e+01]> : tensor<2xf32>
  // CHECK: %[[Y:.*]] = inlay.conv %arg0, %[[W]], %[[B]] :
  // CHECK-NEXT: return %[[Y]]
  %c = inlay.conv %x, %w, %b : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %scale, %bias, %mean, %var {epsilon = 1.0 : f32} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @conv_without_bias_keeps_its_attributes
func.func @conv_without_bias_keeps_its_attributes(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %scale = inlay.constant dense<[4.0, 6.0]> : tensor<2xf32>
  %bias = inlay.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %mean = inlay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = inlay.constant dense<3.0> : tensor<2xf32>
  // CHECK-DAG: %[[W:.*]] = inlay.constant dense<{{\[\[\[\[}}1.000000e+01]]], {{\[\[\[}}2.100000e+01]]]]> : tensor<2x1x1x1xf32>
  // CHECK-DAG: %[[B:.*]] = inlay.constant dense<[-1.500000e+00, -5.750000e+00]> : tensor<2xf32>
  // CHECK: inlay.conv %arg0, %[[W]], %[[B]] {group = 2 : i64, strides = array<i64: 2, 2>} :
  // CHECK-NEXT: return
  %c = inlay.conv %x, %w {group = 2 : i64, strides = array<i64: 2, 2>} : (tensor<1x2x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x2x2xf32>
  %y, %m, %v = inlay.batch_normalization %c, %scale, %bias, %mean, %var {epsilon = 1.0 : f32} : (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<1x2x2x2xf32>
}

// Weights beyond a line are not computed here.
// CHECK-LABEL: @large_weights_become_expressions
func.func @large_weights_become_expressions(%x: tensor<1x128x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<5.0> : tensor<2x128x1x1xf32>
  %scale = inlay.constant dense<[4.0, 6.0]> : tensor<2xf32>
  %bias = inlay.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %mean = inlay.constant dense<0.0> : tensor<2xf32>
  %var = inlay.constant dense<3.0> : tensor<2xf32>
  // CHECK: inlay.constant #inlay.scaled<dense<5.000000e+00> : tensor<2x128x1x1xf32>, dense<{{\[\[\[\[}}2.000000e+00]]], {{\[\[\[}}3.000000e+00]]]]> : tensor<2x1x1x1xf64>> : tensor<2x128x1x1xf32>
  %c = inlay.conv %x, %w : (tensor<1x128x4x4xf32>, tensor<2x128x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %scale, %bias, %mean, %var {epsilon = 1.0 : f32} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<1x2x4x4xf32>
}

// The output channels of a ConvTranspose are the second dimension.
// CHECK-LABEL: @conv_transpose
func.func @conv_transpose(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[1.0]], [[10.0]]], [[[100.0]], [[1000.0]]]]> : tensor<2x2x1x1xf32>
  %scale = inlay.constant dense<[4.0, 6.0]> : tensor<2xf32>
  %zero = inlay.constant dense<0.0> : tensor<2xf32>
  %var = inlay.constant dense<3.0> : tensor<2xf32>
  // CHECK: %[[W:.*]] = inlay.constant dense<{{\[\[\[\[}}2.000000e+00]], {{\[\[}}3.000000e+01]]], {{\[\[\[}}2.000000e+02]], {{\[\[}}3.000000e+03]]]]>
  // CHECK: inlay.conv_transpose %arg0, %[[W]] :
  // CHECK-NEXT: return
  %c = inlay.conv_transpose %x, %w : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %scale, %zero, %zero, %var {epsilon = 1.0 : f32} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<1x2x4x4xf32>
}

// Of two groups, each has input channels and output channels of its own.
// CHECK-LABEL: @conv_transpose_of_groups
func.func @conv_transpose_of_groups(%x: tensor<1x4x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[1.0]]], [[[10.0]]], [[[100.0]]], [[[1000.0]]]]> : tensor<4x1x1x1xf32>
  %scale = inlay.constant dense<[4.0, 6.0]> : tensor<2xf32>
  %zero = inlay.constant dense<0.0> : tensor<2xf32>
  %var = inlay.constant dense<3.0> : tensor<2xf32>
  // CHECK: dense<{{\[\[\[\[}}2.000000e+00]]], {{\[\[\[}}2.000000e+01]]], {{\[\[\[}}3.000000e+02]]], {{\[\[\[}}3.000000e+03]]]]>
  // CHECK: inlay.conv_transpose
  // CHECK-NEXT: return
  %c = inlay.conv_transpose %x, %w {group = 2 : i64} : (tensor<1x4x4x4xf32>, tensor<4x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %scale, %zero, %zero, %var {epsilon = 1.0 : f32} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<1x2x4x4xf32>
}

// beta goes into the new bias, alpha stays.
// CHECK-LABEL: @gemm
func.func @gemm(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = inlay.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %b = inlay.constant dense<[[10.0, 20.0]]> : tensor<1x2xf32>
  %scale = inlay.constant dense<[4.0, 6.0]> : tensor<2xf32>
  %bias = inlay.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %mean = inlay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = inlay.constant dense<3.0> : tensor<2xf32>
  // CHECK-DAG: %[[W:.*]] = inlay.constant dense<{{\[\[}}2.000000e+00, 2.000000e+01], [3.000000e+02, 3.000000e+03]]>
  // CHECK-DAG: %[[B:.*]] = inlay.constant dense<[3.850000e+01, 1.142500e+02]> : tensor<2xf32>
  // CHECK: inlay.gemm %arg0, %[[W]], %[[B]] {alpha = 5.000000e-01 : f32, transB = 1 : i64}
  // CHECK-NEXT: return
  %c = inlay.gemm %x, %w, %b {alpha = 0.5 : f32, beta = 2.0 : f32, transB = 1 : i64} : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  %y, %m, %v = inlay.batch_normalization %c, %scale, %bias, %mean, %var {epsilon = 1.0 : f32} : (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<3x2xf32>
}

// A bias that differs from row to row cannot be one per channel.
// CHECK-LABEL: @keeps_gemm_with_a_bias_per_row
func.func @keeps_gemm_with_a_bias_per_row(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = inlay.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %b = inlay.constant dense<[[10.0], [20.0], [30.0]]> : tensor<3x1xf32>
  %one = inlay.constant dense<2.0> : tensor<2xf32>
  // CHECK: inlay.gemm
  // CHECK: inlay.batch_normalization
  %c = inlay.gemm %x, %w, %b : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<3x1xf32>) -> tensor<3x2xf32>
  %y, %m, %v = inlay.batch_normalization %c, %one, %one, %one, %one : (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<3x2xf32>
}

// Rows of several matrices under each other are normalised as one batch.
// CHECK-LABEL: @matmul_behind_a_reshape
func.func @matmul_behind_a_reshape(%x: tensor<2x3x2xf32>) -> tensor<6x2xf32> {
  %w = inlay.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %scale = inlay.constant dense<[4.0, 6.0]> : tensor<2xf32>
  %bias = inlay.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %mean = inlay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %var = inlay.constant dense<3.0> : tensor<2xf32>
  // CHECK-DAG: %[[W:.*]] = inlay.constant dense<{{\[\[}}2.000000e+00, 3.000000e+01], [2.000000e+02, 3.000000e+03]]>
  // CHECK-DAG: %[[B:.*]] = inlay.constant dense<[-1.500000e+00, -5.750000e+00]> : tensor<2xf32>
  // CHECK: %[[P:.*]] = inlay.matmul %arg0, %[[W]]
  // CHECK-NEXT: %[[S:.*]] = inlay.add %[[P]], %[[B]] : {{.*}} -> tensor<2x3x2xf32>
  // CHECK-NEXT: inlay.reshape %[[S]]
  // CHECK-NEXT: return
  %p = inlay.matmul %x, %w : (tensor<2x3x2xf32>, tensor<2x2xf32>) -> tensor<2x3x2xf32>
  %c = inlay.reshape %p {shape = array<i64: 6, 2>} : (tensor<2x3x2xf32>) -> tensor<6x2xf32>
  %y, %m, %v = inlay.batch_normalization %c, %scale, %bias, %mean, %var {epsilon = 1.0 : f32} : (tensor<6x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<6x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<6x2xf32>
}

// The reshape mixes columns.
// CHECK-LABEL: @keeps_a_reshape_of_columns
func.func @keeps_a_reshape_of_columns(%x: tensor<2x2xf32>) -> tensor<4x4xf32> {
  %w = inlay.constant dense<2.0> : tensor<2x8xf32>
  %one = inlay.constant dense<2.0> : tensor<4xf32>
  // CHECK: inlay.batch_normalization
  %p = inlay.matmul %x, %w : (tensor<2x2xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %c = inlay.reshape %p {shape = array<i64: 4, 4>} : (tensor<2x8xf32>) -> tensor<4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %one, %one, %one, %one : (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %y : tensor<4x4xf32>
}

// Channels are the rows of the product here.
// CHECK-LABEL: @keeps_matmul_whose_channels_are_rows
func.func @keeps_matmul_whose_channels_are_rows(%x: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %w = inlay.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %one = inlay.constant dense<2.0> : tensor<2xf32>
  // CHECK: inlay.matmul
  // CHECK: inlay.batch_normalization
  %c = inlay.matmul %x, %w : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2x2xf32>
  %y, %m, %v = inlay.batch_normalization %c, %one, %one, %one, %one : (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<2x2x2xf32>
}

// CHECK-LABEL: @keeps_conv_that_is_used_elsewhere
func.func @keeps_conv_that_is_used_elsewhere(%x: tensor<1x1x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %one = inlay.constant dense<2.0> : tensor<2xf32>
  // CHECK: inlay.batch_normalization
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %one, %one, %one, %one : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y, %c : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// Weights that another operator uses too stay for that one.
// CHECK-LABEL: @shared_weights_stay
func.func @shared_weights_stay(%x: tensor<1x1x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) {
  // CHECK-DAG: %[[OLD:.*]] = inlay.constant dense<{{\[\[\[\[}}5.000000e+00]]], {{\[\[\[}}7.000000e+00]]]]>
  // CHECK-DAG: inlay.conv %arg0, %[[OLD]] :
  // CHECK-DAG: %[[NEW:.*]] = inlay.constant dense<{{\[\[\[\[}}1.000000e+01]]], {{\[\[\[}}1.400000e+01]]]]>
  // CHECK-DAG: inlay.conv %arg0, %[[NEW]] :
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %scale = inlay.constant dense<4.0> : tensor<2xf32>
  %zero = inlay.constant dense<0.0> : tensor<2xf32>
  %var = inlay.constant dense<3.0> : tensor<2xf32>
  %other = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %scale, %zero, %zero, %var {epsilon = 1.0 : f32} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y, %other : tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @keeps_weights_that_are_not_constant
func.func @keeps_weights_that_are_not_constant(%x: tensor<1x1x4x4xf32>, %w: tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %one = inlay.constant dense<2.0> : tensor<2xf32>
  // CHECK: inlay.batch_normalization
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %one, %one, %one, %one : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @keeps_a_bias_that_is_not_constant
func.func @keeps_a_bias_that_is_not_constant(%x: tensor<1x1x4x4xf32>, %b: tensor<2xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %one = inlay.constant dense<2.0> : tensor<2xf32>
  // CHECK: inlay.batch_normalization
  %c = inlay.conv %x, %w, %b : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %one, %one, %one, %one : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @keeps_statistics_that_are_not_constant
func.func @keeps_statistics_that_are_not_constant(%x: tensor<1x1x4x4xf32>, %mean: tensor<2xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %one = inlay.constant dense<2.0> : tensor<2xf32>
  // CHECK: inlay.batch_normalization
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %one, %one, %mean, %one : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<1x2x4x4xf32>
}

// In training the statistics are those of the batch.
// CHECK-LABEL: @keeps_training
func.func @keeps_training(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %one = inlay.constant dense<2.0> : tensor<2xf32>
  // CHECK: inlay.batch_normalization
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %one, %one, %one, %one {training_mode = 1 : i64} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @keeps_statistics_that_are_used
func.func @keeps_statistics_that_are_used(%x: tensor<1x1x4x4xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>) {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %one = inlay.constant dense<2.0> : tensor<2xf32>
  // CHECK: inlay.batch_normalization
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %one, %one, %one, %one : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y, %m : tensor<1x2x4x4xf32>, tensor<2xf32>
}

// 16 bits would lose digits of the weights that the model keeps, or overflow.
// CHECK-LABEL: @keeps_f16
func.func @keeps_f16(%x: tensor<1x1x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %w = inlay.constant dense<[[[[5.0]]], [[[60000.0]]]]> : tensor<2x1x1x1xf16>
  %one = inlay.constant dense<2.0> : tensor<2xf16>
  // CHECK: inlay.batch_normalization
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf16>, tensor<2x1x1x1xf16>) -> tensor<1x2x4x4xf16>
  %y, %m, %v = inlay.batch_normalization %c, %one, %one, %one, %one : (tensor<1x2x4x4xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> (tensor<1x2x4x4xf16>, tensor<2xf16>, tensor<2xf16>)
  return %y : tensor<1x2x4x4xf16>
}

// Parameters of another type are numbers like any other.
// CHECK-LABEL: @mixed_types
func.func @mixed_types(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %scale = inlay.constant dense<4.0> : tensor<2xf64>
  %zero = inlay.constant dense<0.0> : tensor<2xf64>
  %var = inlay.constant dense<3.0> : tensor<2xf64>
  // CHECK: inlay.constant dense<{{\[\[\[\[}}1.000000e+01]]], {{\[\[\[}}1.400000e+01]]]]> : tensor<2x1x1x1xf32>
  // CHECK-NOT: inlay.batch_normalization
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %scale, %zero, %zero, %var {epsilon = 1.0 : f32} : (tensor<1x2x4x4xf32>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<1x2x4x4xf32>, tensor<2xf64>, tensor<2xf64>)
  return %y : tensor<1x2x4x4xf32>
}

// Without variance a channel would be multiplied by infinity.
// CHECK-LABEL: @keeps_zero_variance
func.func @keeps_zero_variance(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %one = inlay.constant dense<2.0> : tensor<2xf32>
  %var = inlay.constant dense<[1.0, 0.0]> : tensor<2xf32>
  // CHECK: inlay.batch_normalization
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %one, %one, %one, %var {epsilon = 0.0 : f32} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @keeps_factors_out_of_range
func.func @keeps_factors_out_of_range(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %scale = inlay.constant dense<[1.0, 1.0e+30]> : tensor<2xf32>
  %one = inlay.constant dense<2.0> : tensor<2xf32>
  // CHECK: inlay.batch_normalization
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %scale, %one, %one, %one : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<1x2x4x4xf32>
}

// A channel that is switched off has no weights.
// CHECK-LABEL: @a_channel_that_is_off
func.func @a_channel_that_is_off(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %scale = inlay.constant dense<[4.0, 0.0]> : tensor<2xf32>
  %bias = inlay.constant dense<[0.5, 0.25]> : tensor<2xf32>
  %mean = inlay.constant dense<1.0> : tensor<2xf32>
  %var = inlay.constant dense<3.0> : tensor<2xf32>
  // CHECK-DAG: dense<{{\[\[\[\[}}1.000000e+01]]], {{\[\[\[}}0.000000e+00]]]]>
  // CHECK-DAG: dense<[-1.500000e+00, 2.500000e-01]>
  // CHECK-NOT: inlay.batch_normalization
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y, %m, %v = inlay.batch_normalization %c, %scale, %bias, %mean, %var {epsilon = 1.0 : f32} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y : tensor<1x2x4x4xf32>
}
