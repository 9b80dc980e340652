// RUN: %inlay-opt %s -split-input-file -o /dev/null -inlay-plan-kernels=remarks=true 2>&1 | FileCheck %s

// A recurrence that was unrolled: each step takes one of four rows. Counted
// whole, the steps would read 1408 bytes.
// CHECK: bytes read: 640 before, 512 after
func.func @steps(%x: tensor<4x16xf32>) -> tensor<16xf32> {
  %0 = inlay.constant dense<0> : tensor<i64>
  %1 = inlay.constant dense<1> : tensor<i64>
  %2 = inlay.constant dense<2> : tensor<i64>
  %3 = inlay.constant dense<3> : tensor<i64>
  %a = inlay.gather %x, %0 {axis = 0 : i64} : (tensor<4x16xf32>, tensor<i64>) -> tensor<16xf32>
  %b = inlay.gather %x, %1 {axis = 0 : i64} : (tensor<4x16xf32>, tensor<i64>) -> tensor<16xf32>
  %c = inlay.gather %x, %2 {axis = 0 : i64} : (tensor<4x16xf32>, tensor<i64>) -> tensor<16xf32>
  %d = inlay.gather %x, %3 {axis = 0 : i64} : (tensor<4x16xf32>, tensor<i64>) -> tensor<16xf32>
  %ab = inlay.mul %a, %b : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %abc = inlay.mul %ab, %c : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %abcd = inlay.mul %abc, %d : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %abcd : tensor<16xf32>
}

// -----

// What computes from all elements reads all of them.
// CHECK: bytes read: 256 before, 256 after
func.func @sums(%x: tensor<4x16xf32>) -> tensor<16xf32> {
  %s = inlay.reduce_sum %x {axes = array<i64: 0>, keepdims = 0 : i64} : (tensor<4x16xf32>) -> tensor<16xf32>
  return %s : tensor<16xf32>
}
