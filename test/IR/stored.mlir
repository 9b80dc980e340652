// Constants in another storage order print as references and are read again.
// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @refers_to_a_file
// CHECK: inlay.constant #inlay.stored<#inlay.data<"resnet18.weights", 0, 37632> : tensor<64x3x7x7xf32>, <OIHW as HWOI>> : tensor<7x7x64x3xf32>
func.func @refers_to_a_file() -> tensor<7x7x64x3xf32> {
  %0 = inlay.constant #inlay.stored<#inlay.data<"resnet18.weights", 0, 37632> : tensor<64x3x7x7xf32>, <OIHW as HWOI>> : tensor<7x7x64x3xf32>
  return %0 : tensor<7x7x64x3xf32>
}

// CHECK-LABEL: @blocks_are_padded
// CHECK: #inlay.stored<#inlay.data<"w", 16, 400> : tensor<50x4xf16>, <Tensor as (0:1,1,0:0) block 16>> : tensor<4x4x16xf16>
func.func @blocks_are_padded() -> tensor<4x4x16xf16> {
  %0 = inlay.constant #inlay.stored<#inlay.data<"w", 16, 400> : tensor<50x4xf16>, <Tensor as (0:1,1,0:0) block 0=16>> : tensor<4x4x16xf16>
  return %0 : tensor<4x4x16xf16>
}

// CHECK-LABEL: @viewed_in_another_shape
// CHECK: #inlay.stored<#inlay.data<"w", 16, 400> : tensor<50x4xf16>, <Tensor as (1,0)>> : tensor<2x100xf16>
func.func @viewed_in_another_shape() -> tensor<2x100xf16> {
  %0 = inlay.constant #inlay.stored<#inlay.data<"w", 16, 400> : tensor<50x4xf16>, <Tensor as (1,0)>> : tensor<2x100xf16>
  return %0 : tensor<2x100xf16>
}

// CHECK-LABEL: @over_numbers_and_over_another
// CHECK: #inlay.stored<#inlay.stored<dense<{{.*}}> : tensor<2x3xi8>, <Tensor as (1,0)>> : tensor<6xi8>, <Tensor as (0:0,0:1) block 4>> : tensor<4x2xi8>
func.func @over_numbers_and_over_another() -> tensor<4x2xi8> {
  %0 = inlay.constant #inlay.stored<#inlay.stored<dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>, <Tensor as (1,0)>> : tensor<6xi8>, <Tensor as (0:0,0:1) block 0=4>> : tensor<4x2xi8>
  return %0 : tensor<4x2xi8>
}
