// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-plan-kernels -inlay-reconstruct | FileCheck %s

// f36: a view between two operators is inside; one at the edge is no kernel.
// CHECK-LABEL: @between
// CHECK: inlay.group "none" "kernel_0" kernel <elementwise{{.*}}> : tensor<8xf32>
// CHECK-NEXT: inlay.relu
// CHECK-NEXT: inlay.reshape
// CHECK-NEXT: inlay.exp
// CHECK-NEXT: inlay.yield
// CHECK: inlay.reshape
// CHECK-NEXT: return
func.func @between(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %a = inlay.relu %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %v = inlay.reshape %a {shape = array<i64: 8>} : (tensor<2x4xf32>) -> tensor<8xf32>
  %b = inlay.exp %v : (tensor<8xf32>) -> tensor<8xf32>
  %w = inlay.reshape %b {shape = array<i64: 4, 2>} : (tensor<8xf32>) -> tensor<4x2xf32>
  return %w : tensor<4x2xf32>
}

// f36: shared by two kernels, it is in both.
// CHECK-LABEL: @shared
// CHECK: kernel <contraction
// CHECK-NEXT: inlay.reshape
// CHECK: kernel <contraction
// CHECK-NEXT: inlay.reshape
func.func @shared(%x: tensor<2x2x4xf32>, %w: tensor<4x4xf32>, %u: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %v = inlay.reshape %x {shape = array<i64: 4, 4>} : (tensor<2x2x4xf32>) -> tensor<4x4xf32>
  %a = inlay.matmul %v, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = inlay.relu %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = inlay.matmul %v, %u : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = inlay.relu %b : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r, %s : tensor<4x4xf32>, tensor<4x4xf32>
}

// f37: a transpose between elementwise operators is an order of reading.
// CHECK-LABEL: @transposed
// CHECK: kernel <elementwise
// CHECK-NEXT: inlay.relu
// CHECK-NEXT: inlay.transpose
// CHECK-NEXT: inlay.exp
func.func @transposed(%x: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %a = inlay.relu %x : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %t = inlay.transpose %a {perm = array<i64: 1, 0>} : (tensor<2x4xf32>) -> tensor<4x2xf32>
  %b = inlay.exp %t : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %b : tensor<4x2xf32>
}

// A product and its own transpose are needed at different places at a time.
// CHECK-LABEL: @with_its_transpose
// CHECK: inlay.matmul
// CHECK: kernel <elementwise
// CHECK-NEXT: inlay.transpose
// CHECK-NEXT: inlay.add
func.func @with_its_transpose(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %m = inlay.matmul %x, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = inlay.transpose %m {perm = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = inlay.add %m, %t : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %s : tensor<4x4xf32>
}

// f37: what gathers, scatters or accumulates is opaque.
// CHECK-LABEL: @opaque
// CHECK: inlay.gather
// CHECK: inlay.relu
// CHECK: inlay.cumsum
// CHECK-NOT: inlay.group
func.func @opaque(%x: tensor<8x4xf32>, %i: tensor<3xi64>) -> tensor<3x4xf32> {
  %g = inlay.gather %x, %i : (tensor<8x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  %r = inlay.relu %g : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %c = inlay.cumsum %r {axis = 0 : i64} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  return %c : tensor<3x4xf32>
}

// f38: what may be random is in no kernel and never copied; what repeats
// elements is copied to each kernel that uses it.
// CHECK-LABEL: @random
// CHECK-COUNT-1: RandomNormalLike
// CHECK-NOT: RandomNormalLike
func.func @random(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %r = inlay.opaque "::RandomNormalLike"(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = inlay.add %r, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = inlay.matmul %r, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %a, %m : tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: @copied
// CHECK: inlay.group
// CHECK-NEXT: inlay.expand
// CHECK: inlay.group
// CHECK-NEXT: inlay.expand
func.func @copied(%x: tensor<1x64xf32>, %w: tensor<64x8xf32>, %y: tensor<64x64xf32>, %u: tensor<64x8xf32>) -> (tensor<64x8xf32>, tensor<64x8xf32>) {
  %e = inlay.expand %x {shape = array<i64: 64, 64>} : (tensor<1x64xf32>) -> tensor<64x64xf32>
  %a = inlay.matmul %e, %w : (tensor<64x64xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  %s = inlay.add %e, %y : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = inlay.matmul %s, %u : (tensor<64x64xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  return %a, %b : tensor<64x8xf32>, tensor<64x8xf32>
}
