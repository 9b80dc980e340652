// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// Each part of what a kernel says of itself is printed and read again.
// CHECK-LABEL: func.func @kernels
// CHECK: inlay.group "none" "kernel_0" kernel <elementwise, space = [4, 8], reads = [same, other]> : tensor<4x8xf32> {
// CHECK: inlay.group "none" "kernel_1" kernel <contraction, anchor = 1, space = [4, ?, 8], reduced = [2], reads = [prologue, anchor, epilogue]> : tensor<4x?xf32> {
// CHECK: inlay.group "none" "kernel_2" kernel <reduce, anchor = 0, space = [4, 8], reduced = [1], reads = [anchor|epilogue]> : tensor<4x8xf32> {
// CHECK: inlay.group "none" "kernel_3" kernel <elementwise, space = [], reads = [same]> : tensor<f32> {
// CHECK: inlay.group "none" "kernel_4" kernel <elementwise, reads = [other]> : tensor<*xf32> {
// CHECK: inlay.group "none" "cluster_0" cluster : tensor<f32> {
func.func @kernels(%x: tensor<4x8xf32>, %b: tensor<8xf32>, %w: tensor<8x?xf32>, %c: tensor<f32>, %u: tensor<*xf32>)
    -> (tensor<4x8xf32>, tensor<4x?xf32>, tensor<4x8xf32>, tensor<f32>, tensor<*xf32>, tensor<f32>) {
  %0 = inlay.group "none" "kernel_0" kernel <elementwise, space = [4, 8], reads = [same, other]> : tensor<4x8xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %y = inlay.add %r, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
    inlay.yield %y : tensor<4x8xf32>
  }
  // The order of the parts is free.
  %1 = inlay.group "none" "kernel_1" kernel <contraction, reads = [prologue, anchor, epilogue], reduced = [2], space = [4, ?, 8], anchor = 1> : tensor<4x?xf32> {
    %r = inlay.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %m = inlay.matmul %r, %w : (tensor<4x8xf32>, tensor<8x?xf32>) -> tensor<4x?xf32>
    %y = inlay.add %m, %c : (tensor<4x?xf32>, tensor<f32>) -> tensor<4x?xf32>
    inlay.yield %y : tensor<4x?xf32>
  }
  %2 = inlay.group "none" "kernel_2" kernel <reduce, anchor = 0, space = [4, 8], reduced = [1], reads = [anchor|epilogue]> : tensor<4x8xf32> {
    %m = inlay.reduce_max %x {axes = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4x1xf32>
    %y = inlay.sub %x, %m : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
    inlay.yield %y : tensor<4x8xf32>
  }
  %3 = inlay.group "none" "kernel_3" kernel <elementwise, space = [], reads = [same]> : tensor<f32> {
    %y = inlay.relu %c : (tensor<f32>) -> tensor<f32>
    inlay.yield %y : tensor<f32>
  }
  %4 = inlay.group "none" "kernel_4" kernel <elementwise, reads = [other]> : tensor<*xf32> {
    %y = inlay.relu %u : (tensor<*xf32>) -> tensor<*xf32>
    inlay.yield %y : tensor<*xf32>
  }
  // What is only collected says nothing.
  %5 = inlay.group "none" "cluster_0" cluster : tensor<f32> {
    %y = inlay.relu %c : (tensor<f32>) -> tensor<f32>
    inlay.yield %y : tensor<f32>
  }
  return %0, %1, %2, %3, %4, %5 : tensor<4x8xf32>, tensor<4x?xf32>, tensor<4x8xf32>, tensor<f32>, tensor<*xf32>, tensor<f32>
}
