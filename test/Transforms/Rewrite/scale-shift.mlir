// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-rewrite | FileCheck %s

// CHECK-LABEL: @conv_mul_per_channel
func.func @conv_mul_per_channel(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %b = inlay.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %s = inlay.constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
  // CHECK-DAG: %[[W:.*]] = inlay.constant dense<{{\[\[\[\[}}1.000000e+01]]], {{\[\[\[}}2.100000e+01]]]]>
  // CHECK-DAG: %[[B:.*]] = inlay.constant dense<[2.000000e+01, 6.000000e+01]>
  // CHECK: %[[Y:.*]] = inlay.conv %arg0, %[[W]], %[[B]]
  // CHECK-NEXT: return %[[Y]]
  %c = inlay.conv %x, %w, %b : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  %y = inlay.mul %s, %c : (tensor<2x1x1xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// Nothing is added, so no bias is made.
// CHECK-LABEL: @conv_div_by_a_number
func.func @conv_div_by_a_number(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %s = inlay.constant dense<2.0> : tensor<f32>
  // CHECK: %[[W:.*]] = inlay.constant dense<{{\[\[\[\[}}2.500000e+00]]], {{\[\[\[}}3.500000e+00]]]]>
  // CHECK: inlay.conv %arg0, %[[W]] :
  // CHECK-NEXT: return
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y = inlay.div %c, %s : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @keeps_a_number_divided_by_conv
func.func @keeps_a_number_divided_by_conv(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %s = inlay.constant dense<2.0> : tensor<f32>
  // CHECK: inlay.div
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y = inlay.div %s, %c : (tensor<f32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @keeps_division_by_zero
func.func @keeps_division_by_zero(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %s = inlay.constant dense<0.0> : tensor<f32>
  // CHECK: inlay.div
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y = inlay.div %c, %s : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// The weights stay the ones of the model.
// CHECK-LABEL: @conv_add
func.func @conv_add(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %t = inlay.constant dense<[[[[2.0]], [[3.0]]]]> : tensor<1x2x1x1xf32>
  // CHECK-DAG: %[[W:.*]] = inlay.constant dense<{{\[\[\[\[}}5.000000e+00]]], {{\[\[\[}}7.000000e+00]]]]>
  // CHECK-DAG: %[[B:.*]] = inlay.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
  // CHECK: inlay.conv %arg0, %[[W]], %[[B]]
  // CHECK-NEXT: return
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y = inlay.add %c, %t : (tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @conv_sub
func.func @conv_sub(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %b = inlay.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %t = inlay.constant dense<3.0> : tensor<1xf32>
  // CHECK: dense<[7.000000e+00, 1.700000e+01]>
  // CHECK: inlay.conv
  // CHECK-NEXT: return
  %c = inlay.conv %x, %w, %b : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  %y = inlay.sub %c, %t : (tensor<1x2x4x4xf32>, tensor<1xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @conv_from_a_number
func.func @conv_from_a_number(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %b = inlay.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %t = inlay.constant dense<3.0> : tensor<f32>
  // CHECK-DAG: dense<{{\[\[\[\[}}-5.000000e+00]]], {{\[\[\[}}-7.000000e+00]]]]>
  // CHECK-DAG: dense<[-7.000000e+00, -1.700000e+01]>
  // CHECK: inlay.conv
  // CHECK-NEXT: return
  %c = inlay.conv %x, %w, %b : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  %y = inlay.sub %t, %c : (tensor<f32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// One after the other: (x * W * 2 + 3) / 4.
// CHECK-LABEL: @a_chain
func.func @a_chain(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %two = inlay.constant dense<2.0> : tensor<f32>
  %three = inlay.constant dense<3.0> : tensor<f32>
  %four = inlay.constant dense<4.0> : tensor<f32>
  // CHECK-DAG: dense<{{\[\[\[\[}}2.500000e+00]]], {{\[\[\[}}3.500000e+00]]]]>
  // CHECK-DAG: dense<7.500000e-01> : tensor<2xf32>
  // CHECK: inlay.conv
  // CHECK-NEXT: return
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %d = inlay.mul %c, %two : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %e = inlay.add %d, %three : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %y = inlay.div %e, %four : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// Factors of one weight are multiplied, not nested.
// CHECK-LABEL: @factors_of_large_weights_merge
func.func @factors_of_large_weights_merge(%x: tensor<1x128x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<5.0> : tensor<2x128x1x1xf32>
  %a = inlay.constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %b = inlay.constant dense<5.0> : tensor<f32>
  // CHECK: #inlay.scaled<dense<5.000000e+00> : tensor<2x128x1x1xf32>, dense<{{\[\[\[\[}}1.000000e+01]]], {{\[\[\[}}1.500000e+01]]]]> : tensor<2x1x1x1xf64>>
  %c = inlay.conv %x, %w : (tensor<1x128x4x4xf32>, tensor<2x128x1x1xf32>) -> tensor<1x2x4x4xf32>
  %d = inlay.mul %c, %a : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y = inlay.mul %d, %b : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// Per column, which is the last dimension, not the channels.
// CHECK-LABEL: @keeps_factors_per_column
func.func @keeps_factors_per_column(%x: tensor<1x1x4x2xf32>) -> tensor<1x2x4x2xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %s = inlay.constant dense<[2.0, 3.0]> : tensor<2xf32>
  // CHECK: inlay.mul
  %c = inlay.conv %x, %w : (tensor<1x1x4x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x2xf32>
  %y = inlay.mul %c, %s : (tensor<1x2x4x2xf32>, tensor<2xf32>) -> tensor<1x2x4x2xf32>
  return %y : tensor<1x2x4x2xf32>
}

// A constant of higher rank, or of more channels, makes the result larger.
// CHECK-LABEL: @keeps_constants_that_stretch_the_result
func.func @keeps_constants_that_stretch_the_result(%x: tensor<1x1x4x4xf32>) -> (tensor<1x1x2x4x4xf32>, tensor<1x3x4x4xf32>) {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %w1 = inlay.constant dense<5.0> : tensor<1x1x1x1xf32>
  %s = inlay.constant dense<2.0> : tensor<1x1x1x1x1xf32>
  %t = inlay.constant dense<3.0> : tensor<1x3x1x1xf32>
  // CHECK: inlay.mul
  // CHECK: inlay.add
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %d = inlay.conv %x, %w1 : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  %y = inlay.mul %c, %s : (tensor<1x2x4x4xf32>, tensor<1x1x1x1x1xf32>) -> tensor<1x1x2x4x4xf32>
  %z = inlay.add %d, %t : (tensor<1x1x4x4xf32>, tensor<1x3x1x1xf32>) -> tensor<1x3x4x4xf32>
  return %y, %z : tensor<1x1x2x4x4xf32>, tensor<1x3x4x4xf32>
}

// CHECK-LABEL: @keeps_conv_that_is_used_elsewhere
func.func @keeps_conv_that_is_used_elsewhere(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %s = inlay.constant dense<2.0> : tensor<f32>
  // CHECK: inlay.mul
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %d = inlay.mul %c, %s : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %y = inlay.max %c, %d : (tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// x + 2^23 - 2^23 rounds x to an integer; it is no sum of biases.
// CHECK-LABEL: @keeps_terms_that_round
func.func @keeps_terms_that_round(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %t = inlay.constant dense<8388608.0> : tensor<f32>
  // CHECK: inlay.add
  // CHECK: inlay.sub
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %d = inlay.add %c, %t : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  %y = inlay.sub %d, %t : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @keeps_f16
func.func @keeps_f16(%x: tensor<1x1x4x4xf16>) -> tensor<1x2x4x4xf16> {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf16>
  %s = inlay.constant dense<30000.0> : tensor<f16>
  // CHECK: inlay.mul
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf16>, tensor<2x1x1x1xf16>) -> tensor<1x2x4x4xf16>
  %y = inlay.mul %c, %s : (tensor<1x2x4x4xf16>, tensor<f16>) -> tensor<1x2x4x4xf16>
  return %y : tensor<1x2x4x4xf16>
}

// CHECK-LABEL: @conv_transpose_add
func.func @conv_transpose_add(%x: tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = inlay.constant dense<1.0> : tensor<2x2x1x1xf32>
  %t = inlay.constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
  // CHECK: %[[B:.*]] = inlay.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
  // CHECK: inlay.conv_transpose %arg0, {{.*}}, %[[B]] :
  // CHECK-NEXT: return
  %c = inlay.conv_transpose %x, %w : (tensor<1x2x4x4xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x4x4xf32>
  %y = inlay.add %c, %t : (tensor<1x2x4x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %y : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: @gemm_mul_and_add
func.func @gemm_mul_and_add(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = inlay.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %b = inlay.constant dense<1.0> : tensor<f32>
  %s = inlay.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %t = inlay.constant dense<[[4.0, 5.0]]> : tensor<1x2xf32>
  // CHECK-DAG: %[[W:.*]] = inlay.constant dense<{{\[\[}}2.000000e+00, 3.000000e+01], [2.000000e+02, 3.000000e+03]]>
  // CHECK-DAG: %[[B:.*]] = inlay.constant dense<[6.000000e+00, 8.000000e+00]> : tensor<2xf32>
  // CHECK: inlay.gemm %arg0, %[[W]], %[[B]] :
  // CHECK-NEXT: return
  %c = inlay.gemm %x, %w, %b : (tensor<3x2xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<3x2xf32>
  %d = inlay.mul %c, %s : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %y = inlay.add %d, %t : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// CHECK-LABEL: @matmul_mul_per_column
func.func @matmul_mul_per_column(%x: tensor<5x3x2xf32>) -> tensor<5x3x2xf32> {
  %w = inlay.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %s = inlay.constant dense<[2.0, 3.0]> : tensor<2xf32>
  // CHECK: %[[W:.*]] = inlay.constant dense<{{\[\[}}2.000000e+00, 3.000000e+01], [2.000000e+02, 3.000000e+03]]>
  // CHECK: inlay.matmul %arg0, %[[W]]
  // CHECK-NEXT: return
  %c = inlay.matmul %x, %w : (tensor<5x3x2xf32>, tensor<2x2xf32>) -> tensor<5x3x2xf32>
  %y = inlay.mul %c, %s : (tensor<5x3x2xf32>, tensor<2xf32>) -> tensor<5x3x2xf32>
  return %y : tensor<5x3x2xf32>
}

// CHECK-LABEL: @keeps_matmul_of_two_values
func.func @keeps_matmul_of_two_values(%x: tensor<5x3x2xf32>, %w: tensor<5x2x2xf32>) -> tensor<5x3x2xf32> {
  %s = inlay.constant dense<2.0> : tensor<f32>
  // CHECK: inlay.mul
  %c = inlay.matmul %x, %w : (tensor<5x3x2xf32>, tensor<5x2x2xf32>) -> tensor<5x3x2xf32>
  %y = inlay.mul %c, %s : (tensor<5x3x2xf32>, tensor<f32>) -> tensor<5x3x2xf32>
  return %y : tensor<5x3x2xf32>
}

// CHECK-LABEL: @keeps_matmul_with_its_constant_on_the_left
func.func @keeps_matmul_with_its_constant_on_the_left(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = inlay.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %s = inlay.constant dense<[2.0, 3.0]> : tensor<2xf32>
  // CHECK: inlay.mul
  %c = inlay.matmul %w, %x : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = inlay.mul %c, %s : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// CHECK-LABEL: @keeps_integers
func.func @keeps_integers(%x: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %w = inlay.constant dense<[[1, 10], [100, 1000]]> : tensor<2x2xi32>
  %s = inlay.constant dense<[2, 3]> : tensor<2xi32>
  // CHECK: inlay.mul
  %c = inlay.matmul %x, %w : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  %y = inlay.mul %c, %s : (tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  return %y : tensor<2x2xi32>
}

// The Add of a MatMul is its bias.
// CHECK-LABEL: @matmul_with_a_bias
func.func @matmul_with_a_bias(%x: tensor<5x3x2xf32>) -> tensor<5x3x2xf32> {
  %w = inlay.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %b = inlay.constant dense<[7.0, 8.0]> : tensor<2xf32>
  %s = inlay.constant dense<[2.0, 3.0]> : tensor<2xf32>
  // CHECK-DAG: %[[W:.*]] = inlay.constant dense<{{\[\[}}2.000000e+00, 3.000000e+01], [2.000000e+02, 3.000000e+03]]>
  // CHECK-DAG: %[[B:.*]] = inlay.constant dense<[1.400000e+01, 2.400000e+01]> : tensor<2xf32>
  // CHECK: %[[P:.*]] = inlay.matmul %arg0, %[[W]]
  // CHECK-NEXT: inlay.add %[[P]], %[[B]]
  // CHECK-NEXT: return
  %c = inlay.matmul %x, %w : (tensor<5x3x2xf32>, tensor<2x2xf32>) -> tensor<5x3x2xf32>
  %d = inlay.add %b, %c : (tensor<2xf32>, tensor<5x3x2xf32>) -> tensor<5x3x2xf32>
  %y = inlay.mul %d, %s : (tensor<5x3x2xf32>, tensor<2xf32>) -> tensor<5x3x2xf32>
  return %y : tensor<5x3x2xf32>
}

// CHECK-LABEL: @keeps_a_bias_per_row
func.func @keeps_a_bias_per_row(%x: tensor<5x3x2xf32>) -> tensor<5x3x2xf32> {
  %w = inlay.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %b = inlay.constant dense<[[7.0], [8.0], [9.0]]> : tensor<3x1xf32>
  %s = inlay.constant dense<[2.0, 3.0]> : tensor<2xf32>
  // CHECK: inlay.mul
  %c = inlay.matmul %x, %w : (tensor<5x3x2xf32>, tensor<2x2xf32>) -> tensor<5x3x2xf32>
  %d = inlay.add %b, %c : (tensor<3x1xf32>, tensor<5x3x2xf32>) -> tensor<5x3x2xf32>
  %y = inlay.mul %d, %s : (tensor<5x3x2xf32>, tensor<2xf32>) -> tensor<5x3x2xf32>
  return %y : tensor<5x3x2xf32>
}

// Features stay together through a transpose, and are dimension 1 behind it.
// CHECK-LABEL: @behind_a_transpose
func.func @behind_a_transpose(%x: tensor<5x3x3x2xf32>) -> tensor<5x2x3x3xf32> {
  %w = inlay.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %s = inlay.constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
  // CHECK: %[[W:.*]] = inlay.constant dense<{{\[\[}}2.000000e+00, 3.000000e+01], [2.000000e+02, 3.000000e+03]]>
  // CHECK: %[[P:.*]] = inlay.matmul %arg0, %[[W]]
  // CHECK-NEXT: %[[Y:.*]] = inlay.transpose %[[P]] {perm = array<i64: 0, 3, 1, 2>}
  // CHECK-NEXT: return %[[Y]]
  %c = inlay.matmul %x, %w : (tensor<5x3x3x2xf32>, tensor<2x2xf32>) -> tensor<5x3x3x2xf32>
  %t = inlay.transpose %c {perm = array<i64: 0, 3, 1, 2>} : (tensor<5x3x3x2xf32>) -> tensor<5x2x3x3xf32>
  %y = inlay.mul %s, %t : (tensor<2x1x1xf32>, tensor<5x2x3x3xf32>) -> tensor<5x2x3x3xf32>
  return %y : tensor<5x2x3x3xf32>
}

// CHECK-LABEL: @keeps_the_wrong_axis_behind_a_transpose
func.func @keeps_the_wrong_axis_behind_a_transpose(%x: tensor<5x2x2x2xf32>) -> tensor<5x2x2x2xf32> {
  %w = inlay.constant dense<[[1.0, 10.0], [100.0, 1000.0]]> : tensor<2x2xf32>
  %s = inlay.constant dense<[2.0, 3.0]> : tensor<2xf32>
  // CHECK: inlay.mul
  %c = inlay.matmul %x, %w : (tensor<5x2x2x2xf32>, tensor<2x2xf32>) -> tensor<5x2x2x2xf32>
  %t = inlay.transpose %c {perm = array<i64: 0, 3, 1, 2>} : (tensor<5x2x2x2xf32>) -> tensor<5x2x2x2xf32>
  %y = inlay.mul %s, %t : (tensor<2xf32>, tensor<5x2x2x2xf32>) -> tensor<5x2x2x2xf32>
  return %y : tensor<5x2x2x2xf32>
}

// Heads are features torn apart; only a number could be multiplied.
// CHECK-LABEL: @keeps_features_that_are_torn_apart
func.func @keeps_features_that_are_torn_apart(%x: tensor<5x2xf32>) -> tensor<5x2x2xf32> {
  %w = inlay.constant dense<1.0> : tensor<2x4xf32>
  %s = inlay.constant dense<[2.0, 3.0]> : tensor<2xf32>
  // CHECK: inlay.mul
  %c = inlay.matmul %x, %w : (tensor<5x2xf32>, tensor<2x4xf32>) -> tensor<5x4xf32>
  %r = inlay.reshape %c {shape = array<i64: 5, 2, 2>} : (tensor<5x4xf32>) -> tensor<5x2x2xf32>
  %y = inlay.mul %s, %r : (tensor<2xf32>, tensor<5x2x2xf32>) -> tensor<5x2x2xf32>
  return %y : tensor<5x2x2xf32>
}

// CHECK-LABEL: @keeps_a_transpose_that_is_used_elsewhere
func.func @keeps_a_transpose_that_is_used_elsewhere(%x: tensor<1x1x4x4xf32>) -> (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) {
  %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32>
  %s = inlay.constant dense<[2.0, 3.0]> : tensor<2xf32>
  // CHECK: inlay.mul
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32>
  %t = inlay.transpose %c {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x4x4x2xf32>
  %y = inlay.mul %t, %s : (tensor<1x4x4x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  return %y, %t : tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>
}
