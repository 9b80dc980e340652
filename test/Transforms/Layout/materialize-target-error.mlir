// RUN: not %inlay-opt %s -inlay-materialize-layouts 2>&1 | FileCheck %s
// RUN: %inlay-opt %s -inlay-set-target=target=nhwc -inlay-materialize-layouts | FileCheck %s --check-prefix=WRAPPED

// CHECK: node 'conv1' (Conv): ONNX has no operator for the storage orders NWC, row-major -> NWC, a target is required to wrap it for
// WRAPPED: inlay.in_layout "nhwc" "Conv"
!x = tensor<1x3x8xf32, #inlay.layout<NCW as NWC>>
!y = tensor<1x4x6xf32, #inlay.layout<NCW as NWC>>
func.func @needs_a_target_to_wrap(%x: !x, %w: tensor<4x3x3xf32>) -> !y {
  %y = inlay.conv %x, %w : (!x, tensor<4x3x3xf32>) -> !y loc(fused<#inlay.origin<"conv1", "Conv", ["y"]>>[unknown])
  return %y : !y
}
