// Constants times factors print as references and are read again.
// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @refers_to_a_file
// CHECK: inlay.constant #inlay.scaled<#inlay.data<"resnet18.weights", 0, 512> : tensor<2x4x4x4xf32>, dense<{{.*}}> : tensor<2x1x1x1xf64>> : tensor<2x4x4x4xf32>
func.func @refers_to_a_file() -> tensor<2x4x4x4xf32> {
  %0 = inlay.constant #inlay.scaled<#inlay.data<"resnet18.weights", 0, 512> : tensor<2x4x4x4xf32>, dense<[[[[2.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf64>> : tensor<2x4x4x4xf32>
  return %0 : tensor<2x4x4x4xf32>
}

// CHECK-LABEL: @viewed_in_another_shape
// CHECK: #inlay.scaled<#inlay.data<"w", 16, 400> : tensor<50x4xf16>, #inlay.data<"s", 0, 32> : tensor<1x4xf64>> : tensor<2x100xf16>
func.func @viewed_in_another_shape() -> tensor<2x100xf16> {
  %0 = inlay.constant #inlay.scaled<#inlay.data<"w", 16, 400> : tensor<50x4xf16>, #inlay.data<"s", 0, 32> : tensor<1x4xf64>> : tensor<2x100xf16>
  return %0 : tensor<2x100xf16>
}

// CHECK-LABEL: @in_another_order_and_over_one
// CHECK: #inlay.stored<#inlay.scaled<#inlay.stored<dense<{{.*}}> : tensor<2x3xf32>, <Tensor as (1,0)>> : tensor<3x2xf32>, dense<2.000000e+00> : tensor<1x1xf64>> : tensor<3x2xf32>, <Tensor as (1,0)>> : tensor<2x3xf32>
func.func @in_another_order_and_over_one() -> tensor<2x3xf32> {
  %0 = inlay.constant #inlay.stored<#inlay.scaled<#inlay.stored<dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>, <Tensor as (1,0)>> : tensor<3x2xf32>, dense<2.0> : tensor<1x1xf64>> : tensor<3x2xf32>, <Tensor as (1,0)>> : tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
