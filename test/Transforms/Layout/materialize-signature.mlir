// RUN: %inlay-opt %s -inlay-materialize-layouts -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @stores_inputs_and_outputs
// CHECK-SAME: %arg0: tensor<?x4x4x3xf32> {inlay.dims = ["batch", "", "", ""], inlay.name = "x"}
// CHECK-SAME: -> (tensor<?x4x4x3xf32> {inlay.declared_type = tensor<?x?x4x3xf32>, inlay.dims = ["batch", "h", "", ""], inlay.name = "y"})
func.func @stores_inputs_and_outputs(%x: tensor<?x3x4x4xf32, #inlay.layout<NCHW as NHWC>> {inlay.name = "x", inlay.dims = ["batch", "", "", ""]})
    -> (tensor<?x3x4x4xf32, #inlay.layout<NCHW as NHWC>> {inlay.name = "y", inlay.dims = ["batch", "", "h", ""], inlay.declared_type = tensor<?x3x?x4xf32>}) {
  %y = inlay.relu %x : (tensor<?x3x4x4xf32, #inlay.layout<NCHW as NHWC>>) -> tensor<?x3x4x4xf32, #inlay.layout<NCHW as NHWC>>
  return %y : tensor<?x3x4x4xf32, #inlay.layout<NCHW as NHWC>>
}

// -----

// CHECK-LABEL: func.func @keeps_row_major_inputs_and_outputs
// CHECK-SAME: %arg0: tensor<?x3xf32> {inlay.dims = ["batch", ""], inlay.name = "x"}
// CHECK-SAME: -> (tensor<?x3xf32> {inlay.name = "y"})
func.func @keeps_row_major_inputs_and_outputs(%x: tensor<?x3xf32, #inlay.layout<Tensor>> {inlay.name = "x", inlay.dims = ["batch", ""]})
    -> (tensor<?x3xf32, #inlay.layout<Tensor>> {inlay.name = "y"}) {
  %y = inlay.relu %x : (tensor<?x3xf32, #inlay.layout<Tensor>>) -> tensor<?x3xf32, #inlay.layout<Tensor>>
  return %y : tensor<?x3xf32, #inlay.layout<Tensor>>
}

// -----

// CHECK-LABEL: func.func @stores_default_values
// CHECK-SAME: inlay.default = dense<{{\[\[}}1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
func.func @stores_default_values(%x: tensor<2x2xf32, #inlay.layout<Tensor as (1,0)>> {inlay.default = dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>})
    -> tensor<2x2xf32, #inlay.layout<Tensor as (1,0)>> {
  return %x : tensor<2x2xf32, #inlay.layout<Tensor as (1,0)>>
}
