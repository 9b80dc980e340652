// RUN: %inlay-opt %s -inlay-rewrite -split-input-file | FileCheck %s

// The form of PyTorch's exporter.
// CHECK-LABEL: func.func @group_norm
// CHECK-DAG: %[[S:.*]] = inlay.constant dense<[1.0{{.*}}, 2.0{{.*}}, 3.0{{.*}}, 4.0{{.*}}]> : tensor<4xf32>
// CHECK-DAG: %[[B:.*]] = inlay.constant dense<[5.0{{.*}}, 6.0{{.*}}, 7.0{{.*}}, 8.0{{.*}}]> : tensor<4xf32>
// CHECK: %[[Y:.*]] = inlay.group_normalization %arg0, %[[S]], %[[B]] {epsilon = 1.000000e-03 : f32, num_groups = 2 : i64}
// CHECK-NEXT: return %[[Y]]
!x = tensor<?x4x3x5xf32>
!g = tensor<?x2x30xf32>
func.func @group_norm(%x: !x) -> !x {
  %ones = inlay.constant dense<1.0> : tensor<2xf32>
  %zeros = inlay.constant dense<0.0> : tensor<2xf32>
  %s = inlay.constant dense<[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]> : tensor<4x1x1xf32>
  %b = inlay.constant dense<[[[[5.0]], [[6.0]], [[7.0]], [[8.0]]]]> : tensor<1x4x1x1xf32>
  %0 = inlay.reshape %x {shape = array<i64: 0, 2, -1>} : (!x) -> !g
  %1 = inlay.instance_normalization %0, %ones, %zeros {epsilon = 1.0e-3 : f32} : (!g, tensor<2xf32>, tensor<2xf32>) -> !g
  %2 = inlay.reshape %1 {shape = array<i64: -1, 4, 3, 5>} : (!g) -> !x
  %3 = inlay.mul %2, %s : (!x, tensor<4x1x1xf32>) -> !x
  %4 = inlay.add %b, %3 : (tensor<1x4x1x1xf32>, !x) -> !x
  return %4 : !x
}

// -----

// From the statistics on, over groups of channels.
// CHECK-LABEL: func.func @group_norm_from_means
// CHECK: inlay.group_normalization %arg0, %{{.*}}, %{{.*}} {{{.*}}num_groups = 2 : i64} : (tensor<2x4x3x5xf32>, tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: return
!x = tensor<2x4x3x5xf32>
!g = tensor<2x2x2x3x5xf32>
!m = tensor<2x2x1x1x1xf32>
func.func @group_norm_from_means(%x: !x) -> !x {
  %eps = inlay.constant dense<1.0e-3> : tensor<f32>
  %0 = inlay.reshape %x {shape = array<i64: 2, 2, 2, 3, 5>} : (!x) -> !g
  %mean = inlay.reduce_mean %0 {axes = array<i64: 2, 3, 4>} : (!g) -> !m
  %d = inlay.sub %0, %mean : (!g, !m) -> !g
  %q = inlay.mul %d, %d : (!g, !g) -> !g
  %v = inlay.reduce_mean %q {axes = array<i64: 2, 3, 4>} : (!g) -> !m
  %e = inlay.add %v, %eps : (!m, tensor<f32>) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %n = inlay.div %d, %r : (!g, !m) -> !g
  %1 = inlay.reshape %n {shape = array<i64: 2, 4, 3, 5>} : (!g) -> !x
  return %1 : !x
}

// -----

// Batches are mixed; groups that do not divide the channels; a normalisation
// with a scale of its own; another shape behind it.
// CHECK-LABEL: func.func @no_group_norm
// CHECK-NOT: inlay.group_normalization
// CHECK: return
!x = tensor<2x4x3x5xf32>
!y = tensor<2x3x8xf32>
func.func @no_group_norm(%x: !x, %y: !y, %s: tensor<2xf32>) -> (!x, !y, !x, tensor<2x2x2x15xf32>) {
  %one = inlay.constant dense<1.0> : tensor<1xf32>
  %zero = inlay.constant dense<0.0> : tensor<1xf32>
  %ones = inlay.constant dense<1.0> : tensor<2xf32>
  %zeros = inlay.constant dense<0.0> : tensor<2xf32>
  %0 = inlay.reshape %x {shape = array<i64: 1, 1, 120>} : (!x) -> tensor<1x1x120xf32>
  %1 = inlay.instance_normalization %0, %one, %zero : (tensor<1x1x120xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x120xf32>
  %2 = inlay.reshape %1 {shape = array<i64: 2, 4, 3, 5>} : (tensor<1x1x120xf32>) -> !x
  %3 = inlay.reshape %y {shape = array<i64: 2, 2, 12>} : (!y) -> tensor<2x2x12xf32>
  %4 = inlay.instance_normalization %3, %ones, %zeros : (tensor<2x2x12xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x12xf32>
  %5 = inlay.reshape %4 {shape = array<i64: 2, 3, 8>} : (tensor<2x2x12xf32>) -> !y
  %6 = inlay.reshape %x {shape = array<i64: 2, 2, 30>} : (!x) -> tensor<2x2x30xf32>
  %7 = inlay.instance_normalization %6, %s, %zeros : (tensor<2x2x30xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x30xf32>
  %8 = inlay.reshape %7 {shape = array<i64: 2, 4, 3, 5>} : (tensor<2x2x30xf32>) -> !x
  %9 = inlay.reshape %x {shape = array<i64: 2, 2, 30>} : (!x) -> tensor<2x2x30xf32>
  %10 = inlay.instance_normalization %9, %ones, %zeros : (tensor<2x2x30xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2x30xf32>
  %11 = inlay.reshape %10 {shape = array<i64: 2, 2, 2, 15>} : (tensor<2x2x30xf32>) -> tensor<2x2x2x15xf32>
  return %2, %5, %8, %11 : !x, !y, !x, tensor<2x2x2x15xf32>
}

// -----

// CHECK-LABEL: func.func @instance_norm
// CHECK-DAG: %[[S:.*]] = inlay.constant dense<[1.0{{.*}}, 2.0{{.*}}, 3.0{{.*}}]> : tensor<3xf32>
// CHECK-DAG: %[[B:.*]] = inlay.constant dense<[4.0{{.*}}, 5.0{{.*}}, 6.0{{.*}}]> : tensor<3xf32>
// CHECK: %[[Y:.*]] = inlay.instance_normalization %arg0, %[[S]], %[[B]] {epsilon = 1.000000e-03 : f32}
// CHECK-NEXT: return %[[Y]]
!x = tensor<2x3x4x5xf32>
!m = tensor<2x3x1x1xf32>
!p = tensor<3x1x1xf32>
func.func @instance_norm(%x: !x) -> !x {
  %eps = inlay.constant dense<1.0e-3> : tensor<f32>
  %s = inlay.constant dense<[[[1.0]], [[2.0]], [[3.0]]]> : !p
  %b = inlay.constant dense<[[[4.0]], [[5.0]], [[6.0]]]> : !p
  %mean = inlay.reduce_mean %x {axes = array<i64: 2, 3>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.mul %d, %d : (!x, !x) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: 2, 3>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, tensor<f32>) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %n = inlay.div %d, %r : (!x, !m) -> !x
  %w = inlay.mul %s, %n : (!p, !x) -> !x
  %y = inlay.add %w, %b : (!x, !p) -> !x
  return %y : !x
}

// -----

// Along the width alone it is no instance normalisation.
// CHECK-LABEL: func.func @no_instance_norm_of_rows
// CHECK-NOT: inlay.instance_normalization
// CHECK: return
!x = tensor<2x3x4x5xf32>
!m = tensor<2x3x4x1xf32>
!p = tensor<3x1x1xf32>
func.func @no_instance_norm_of_rows(%x: !x, %s: !p) -> !x {
  %ones = inlay.constant dense<1.0> : tensor<5xf32>
  %0, %m0, %i0 = inlay.layer_normalization %x, %ones : (!x, tensor<5xf32>) -> (!x, !m, !m)
  %1 = inlay.mul %0, %s : (!x, !p) -> !x
  return %1 : !x
}
