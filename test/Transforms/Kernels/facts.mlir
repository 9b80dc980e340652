// What kernels say of themselves when they are made. Others are in
// test/IR/kernel.mlir.
// RUN: %inlay-opt %s -split-input-file -mlir-print-debuginfo=false -inlay-expand -inlay-aggregate -inlay-plan-kernels -inlay-reconstruct | FileCheck %s
// And when operators become others: the verifier compares.
// RUN: %inlay-opt %s -split-input-file -mlir-print-debuginfo=false -inlay-expand -inlay-aggregate -inlay-plan-kernels -inlay-reconstruct -inlay-lower-opset | FileCheck %s --check-prefix=LOWERED

// A composite operator is the anchor as a whole.
// CHECK-LABEL: @softmax
// CHECK: kernel <reduce, anchor = 1, space = [4, 8], reduced = [1], reads = [prologue, epilogue]>
// LOWERED-LABEL: @softmax
// LOWERED: kernel <reduce, anchor = 1, space = [4, 8], reduced = [1], reads = [prologue, epilogue]>
module attributes {inlay.opsets = {ai.onnx = 13 : i64}} {
  func.func @softmax(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %n = inlay.neg %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %s = inlay.softmax %n : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.mul %s, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    return %m : tensor<4x8xf32>
  }
}

// -----

// Constants that came with what an operator consists of are inputs.
// CHECK-LABEL: @hard_swish
// CHECK: kernel <elementwise, space = [4], reads = [same]>
// LOWERED-LABEL: @hard_swish
// LOWERED: kernel <elementwise, space = [4], reads = [same, other
module attributes {inlay.opsets = {ai.onnx = 13 : i64}} {
  func.func @hard_swish(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = inlay.hard_swish %x : (tensor<4xf32>) -> tensor<4xf32>
    %z = inlay.exp %y : (tensor<4xf32>) -> tensor<4xf32>
    return %z : tensor<4xf32>
  }
}

// -----

// A normalisation that the opset lacks: the first of its reductions is the
// anchor then.
// CHECK-LABEL: @layer_normalization
// CHECK: kernel <reduce, anchor = 0, space = [4, 8], reduced = [1], reads = [anchor, anchor]>
// LOWERED-LABEL: @layer_normalization
// LOWERED: kernel <reduce, anchor = {{[0-9]+}}, space = [4, 8], reduced = [1], reads = [anchor|epilogue, {{.*}}epilogue]>
module attributes {inlay.opsets = {ai.onnx = 13 : i64}} {
  func.func @layer_normalization(%x: tensor<4x8xf32>, %s: tensor<8xf32>) -> tensor<4x8xf32> {
    %y, %m, %d = inlay.layer_normalization %x, %s : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>)
    return %y : tensor<4x8xf32>
  }
}
