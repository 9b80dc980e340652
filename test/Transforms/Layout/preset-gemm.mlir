// RUN: %inlay-opt %s -inlay-layout-transmit -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s

// A MatMul of two matrices can be a Gemm, which takes each of them either way.

module attributes {inlay.opsets = {ai.onnx = 17 : i64}} {

// A stack of one matrix is a matrix.
// CHECK-LABEL: func.func @a_stack_of_one_absorbs_transposes
// CHECK-NOT: inlay.transpose
// CHECK: inlay.gemm {{.*}} {transA = 1 : i64
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @a_stack_of_one_absorbs_transposes(%a: tensor<1x8x7xf32>, %b: tensor<8x6xf32>) -> tensor<1x7x6xf32> {
  %0 = inlay.transpose %a {perm = array<i64: 0, 2, 1>} : (tensor<1x8x7xf32>) -> tensor<1x7x8xf32>
  %1 = inlay.matmul %0, %b : (tensor<1x7x8xf32>, tensor<8x6xf32>) -> tensor<1x7x6xf32>
  return %1 : tensor<1x7x6xf32>
}

// Of two matrices there are no fewer.
// CHECK-LABEL: func.func @a_stack_of_two_does_not
// CHECK-NEXT: inlay.transpose
// CHECK-NEXT: inlay.matmul
// CHECK-NEXT: return
func.func @a_stack_of_two_does_not(%a: tensor<2x8x7xf32>, %b: tensor<2x8x6xf32>) -> tensor<2x7x6xf32> {
  %0 = inlay.transpose %a {perm = array<i64: 0, 2, 1>} : (tensor<2x8x7xf32>) -> tensor<2x7x8xf32>
  %1 = inlay.matmul %0, %b : (tensor<2x7x8xf32>, tensor<2x8x6xf32>) -> tensor<2x7x6xf32>
  return %1 : tensor<2x7x6xf32>
}

// A head of attention: keys and values are projected transposed, from an input
// that lies as it does and from one that lies transposed, and the scores are
// computed transposed, too.
// CHECK-LABEL: func.func @heads
// CHECK-COUNT-1: inlay.transpose
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @heads(%x: tensor<1x8x6xf32>, %q: tensor<6x6xf32>, %k: tensor<6x6xf32>, %v: tensor<6x6xf32>) -> tensor<1x8x6xf32> {
  %0 = inlay.matmul %x, %q : (tensor<1x8x6xf32>, tensor<6x6xf32>) -> tensor<1x8x6xf32>
  %1 = inlay.reshape %0 {shape = array<i64: 1, 8, 2, 3>} : (tensor<1x8x6xf32>) -> tensor<1x8x2x3xf32>
  %2 = inlay.transpose %1 {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x8x2x3xf32>) -> tensor<1x2x8x3xf32>
  %3 = inlay.matmul %x, %k : (tensor<1x8x6xf32>, tensor<6x6xf32>) -> tensor<1x8x6xf32>
  %4 = inlay.reshape %3 {shape = array<i64: 1, 8, 2, 3>} : (tensor<1x8x6xf32>) -> tensor<1x8x2x3xf32>
  %5 = inlay.transpose %4 {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x8x2x3xf32>) -> tensor<1x2x3x8xf32>
  %6 = inlay.matmul %x, %v : (tensor<1x8x6xf32>, tensor<6x6xf32>) -> tensor<1x8x6xf32>
  %7 = inlay.reshape %6 {shape = array<i64: 1, 8, 2, 3>} : (tensor<1x8x6xf32>) -> tensor<1x8x2x3xf32>
  %8 = inlay.transpose %7 {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x8x2x3xf32>) -> tensor<1x2x8x3xf32>
  %9 = inlay.matmul %2, %5 : (tensor<1x2x8x3xf32>, tensor<1x2x3x8xf32>) -> tensor<1x2x8x8xf32>
  %10 = inlay.softmax %9 : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %11 = inlay.matmul %10, %8 : (tensor<1x2x8x8xf32>, tensor<1x2x8x3xf32>) -> tensor<1x2x8x3xf32>
  %12 = inlay.transpose %11 {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x2x8x3xf32>) -> tensor<1x8x2x3xf32>
  %13 = inlay.reshape %12 {shape = array<i64: 1, 8, 6>} : (tensor<1x8x2x3xf32>) -> tensor<1x8x6xf32>
  %14 = inlay.matmul %13, %q : (tensor<1x8x6xf32>, tensor<6x6xf32>) -> tensor<1x8x6xf32>
  return %14 : tensor<1x8x6xf32>
}

}
