// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-aggregate -inlay-plan-kernels -inlay-reconstruct | FileCheck %s
// RUN: %inlay-opt %s -o %t -inlay-aggregate -inlay-plan-kernels=remarks=true -inlay-reconstruct 2>&1 | FileCheck %s --check-prefix=REMARK

// The bytes of each function, in order. A value of 1x8x8x8 has 2,048 bytes.
// REMARK: operators: 2 before, 1 after
// REMARK: bytes read: 6400 before, 4352 after; written: 4096 before, 2048 after

// Conv + Conv + Sum + ReLU (docs/Requirements.md): two reads and two writes less,
// of the owner's result and of the sum.
// REMARK: 'b' and 'sum' are not fused: second-contraction: a kernel has one contraction or pool, found 'b' too
// REMARK: operators: 4 before, 2 after
// REMARK: bytes read: 12800 before, 8704 after; written: 8192 before, 4096 after

// CHECK-LABEL: @conv_relu
// CHECK: inlay.group "none" "kernel_0" kernel <contraction
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.relu
// CHECK-NEXT: inlay.yield
func.func @conv_relu(%x: tensor<1x8x8x8xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<1x8x8x8xf32> {
  %a = inlay.conv %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x8x8xf32>
  %r = inlay.relu %a : (tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %r : tensor<1x8x8x8xf32>
}

// f8: exactly one convolution owns the sum; the other one stands alone.
// CHECK-LABEL: @conv_conv_sum_relu
// CHECK: %[[B:.*]] = inlay.conv %{{.*}}, %arg2
// CHECK: inlay.group "none" "kernel_0" kernel <contraction
// CHECK-NEXT: %[[A:.*]] = inlay.conv %{{.*}}, %arg1
// CHECK-NEXT: inlay.add %[[A]], %[[B]]
// CHECK-NEXT: inlay.relu
// CHECK-NEXT: inlay.yield
func.func @conv_conv_sum_relu(%x: tensor<1x8x8x8xf32>, %w1: tensor<8x8x3x3xf32>, %w2: tensor<8x8x1x1xf32>) -> tensor<1x8x8x8xf32> {
  %a = inlay.conv %x, %w1 {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x8x8xf32> loc(fused<#inlay.origin<"a", "Conv", ["a"]>>[unknown])
  %b = inlay.conv %x, %w2 : (tensor<1x8x8x8xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x8x8xf32> loc(fused<#inlay.origin<"b", "Conv", ["b"]>>[unknown])
  %s = inlay.add %a, %b : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> loc(fused<#inlay.origin<"sum", "Add", ["s"]>>[unknown])
  %r = inlay.relu %s : (tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %r : tensor<1x8x8x8xf32>
}

// f9: the skip operand depends on the owner through something that is no kernel:
// the sum stays outside of both.
// CHECK-LABEL: @skip_through_the_owner
// CHECK: inlay.conv
// CHECK-NEXT: inlay.cumsum
// CHECK-NEXT: inlay.add
func.func @skip_through_the_owner(%x: tensor<1x8x8x8xf32>, %w: tensor<8x8x1x1xf32>) -> tensor<1x8x8x8xf32> {
  %a = inlay.conv %x, %w : (tensor<1x8x8x8xf32>, tensor<8x8x1x1xf32>) -> tensor<1x8x8x8xf32>
  %c = inlay.cumsum %a {axis = 1 : i64} : (tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  %s = inlay.add %a, %c : (tensor<1x8x8x8xf32>, tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
  return %s : tensor<1x8x8x8xf32>
}

// f37: a transpose that feeds a product is read through, and so is arithmetic
// in front of it.
// CHECK-LABEL: @transpose_into_matmul
// CHECK: kernel <contraction
// CHECK-NEXT: inlay.transpose
// CHECK-NEXT: inlay.exp
// CHECK-NEXT: inlay.matmul
func.func @transpose_into_matmul(%x: tensor<8x4xf32>, %w: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %t = inlay.transpose %x {perm = array<i64: 1, 0>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %e = inlay.exp %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = inlay.matmul %e, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %m : tensor<4x16xf32>
}

// What a product reads is not kept: another user keeps it outside.
// CHECK-LABEL: @used_beside_the_product
// CHECK: inlay.exp
// CHECK: inlay.matmul
// CHECK-NOT: kernel <contraction
func.func @used_beside_the_product(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> (tensor<4x16xf32>, tensor<4x8xf32>) {
  %e = inlay.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = inlay.matmul %e, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %m, %e : tensor<4x16xf32>, tensor<4x8xf32>
}

// The bounds that both Clips share are no reason to compute the first one
// wherever the second convolution reads.
// CHECK-LABEL: @shared_bounds
// CHECK: inlay.group "none" "kernel_{{[0-9]+}}" kernel <contraction
// CHECK: inlay.conv
// CHECK-NEXT: inlay.clip
// CHECK: inlay.group "none" "kernel_{{[0-9]+}}" kernel <contraction
// CHECK: inlay.conv
// CHECK-NEXT: inlay.clip
func.func @shared_bounds(%x: tensor<1x4x8x8xf32>, %v: tensor<4x4x1x1xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<1x4x6x6xf32> {
  %min = inlay.constant dense<0.0> : tensor<f32>
  %max = inlay.constant dense<6.0> : tensor<f32>
  %a = inlay.conv %x, %v : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %b = inlay.clip %a min %min max %max : (tensor<1x4x8x8xf32>, tensor<f32>, tensor<f32>) -> tensor<1x4x8x8xf32>
  %c = inlay.conv %b, %w {group = 4 : i64} : (tensor<1x4x8x8xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x6x6xf32>
  %d = inlay.clip %c min %min max %max : (tensor<1x4x6x6xf32>, tensor<f32>, tensor<f32>) -> tensor<1x4x6x6xf32>
  return %d : tensor<1x4x6x6xf32>
}
