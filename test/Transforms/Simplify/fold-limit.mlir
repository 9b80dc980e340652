// RUN: %inlay-opt %s -inlay-simplify -split-input-file | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: %inlay-opt %s -inlay-simplify=fold-limit=0 -split-input-file | FileCheck %s --check-prefixes=CHECK,ZERO
// RUN: %inlay-opt %s -inlay-simplify=fold-limit=100000000 -split-input-file | FileCheck %s --check-prefixes=CHECK,MORE
// RUN: %inlay-opt %s -inlay-simplify -inlay-simplify -split-input-file | FileCheck %s --check-prefixes=CHECK,AUTO

// 4,000 bytes from 4 make the file larger.
// CHECK-LABEL: func.func @may_grow_a_little
// AUTO-NOT: inlay.expand
// ZERO: inlay.expand
// MORE-NOT: inlay.expand
// CHECK: return
func.func @may_grow_a_little(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %one = inlay.constant dense<1.0> : tensor<f32>
  %ones = inlay.expand %one {shape = array<i64: 1000>} : (tensor<f32>) -> tensor<1000xf32>
  %y = inlay.add %x, %ones : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
  return %y : tensor<1000xf32>
}

// -----

// The large value stays an operation, but what it reads is computed.
// CHECK-LABEL: func.func @computes_what_a_large_value_is_made_of
// AUTO-NOT: inlay.shape
// AUTO: inlay.constant dense<3.000000e+00> : tensor<f32>
// AUTO: inlay.expand {{.*}}shape = array<i64: 1000, 1000>
// MORE-NOT: inlay.expand
// CHECK: return
func.func @computes_what_a_large_value_is_made_of(%x: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %a = inlay.constant dense<1.0> : tensor<f32>
  %b = inlay.constant dense<2.0> : tensor<f32>
  %c = inlay.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %shape = inlay.shape %x : (tensor<1000x1000xf32>) -> tensor<2xi64>
  %large = inlay.expand %c, shape %shape : (tensor<f32>, tensor<2xi64>) -> tensor<1000x1000xf32>
  %y = inlay.add %x, %large : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  return %y : tensor<1000x1000xf32>
}

// -----

// One of the two fits, and several runs do not add up to both.
// CHECK-LABEL: func.func @grows_by_the_limit_in_all_runs_together
// AUTO-COUNT-1: inlay.expand
// AUTO-NOT: inlay.expand
// CHECK: return
func.func @grows_by_the_limit_in_all_runs_together(%x: tensor<200000xf32>) -> (tensor<200000xf32>, tensor<200000xf32>) {
  %a = inlay.constant dense<1.0> : tensor<f32>
  %b = inlay.constant dense<2.0> : tensor<f32>
  %as = inlay.expand %a {shape = array<i64: 200000>} : (tensor<f32>) -> tensor<200000xf32>
  %bs = inlay.expand %b {shape = array<i64: 200000>} : (tensor<f32>) -> tensor<200000xf32>
  %y = inlay.add %x, %as : (tensor<200000xf32>, tensor<200000xf32>) -> tensor<200000xf32>
  %z = inlay.mul %x, %bs : (tensor<200000xf32>, tensor<200000xf32>) -> tensor<200000xf32>
  return %y, %z : tensor<200000xf32>, tensor<200000xf32>
}

// -----

// Three slices are no larger than the weight that goes.
// CHECK-LABEL: func.func @replaces_a_weight_by_its_parts
// CHECK-NOT: inlay.slice
// CHECK: return
func.func @replaces_a_weight_by_its_parts(%x: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %w = inlay.constant dense<1.0> : tensor<3000x1000xf32>
  %a = inlay.slice %w {starts = array<i64: 0>, ends = array<i64: 1000>, axes = array<i64: 0>} : (tensor<3000x1000xf32>) -> tensor<1000x1000xf32>
  %b = inlay.slice %w {starts = array<i64: 1000>, ends = array<i64: 2000>, axes = array<i64: 0>} : (tensor<3000x1000xf32>) -> tensor<1000x1000xf32>
  %c = inlay.slice %w {starts = array<i64: 2000>, ends = array<i64: 3000>, axes = array<i64: 0>} : (tensor<3000x1000xf32>) -> tensor<1000x1000xf32>
  %p = inlay.mul %x, %a : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %q = inlay.mul %p, %b : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %r = inlay.mul %q, %c : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  return %r : tensor<1000x1000xf32>
}

// -----

// The weight stays for another user: parts would be a copy of it.
// CHECK-LABEL: func.func @keeps_parts_of_a_weight_that_stays
// AUTO: inlay.slice
// ZERO: inlay.slice
// CHECK: return
func.func @keeps_parts_of_a_weight_that_stays(%x: tensor<1000x1000xf32>, %z: tensor<3000x1000xf32>) -> (tensor<1000x1000xf32>, tensor<3000x1000xf32>) {
  %w = inlay.constant dense<1.0> : tensor<3000x1000xf32>
  %a = inlay.slice %w {starts = array<i64: 0>, ends = array<i64: 1000>, axes = array<i64: 0>} : (tensor<3000x1000xf32>) -> tensor<1000x1000xf32>
  %p = inlay.mul %x, %a : (tensor<1000x1000xf32>, tensor<1000x1000xf32>) -> tensor<1000x1000xf32>
  %q = inlay.add %z, %w : (tensor<3000x1000xf32>, tensor<3000x1000xf32>) -> tensor<3000x1000xf32>
  return %p, %q : tensor<1000x1000xf32>, tensor<3000x1000xf32>
}

// -----

// A weight in another order and shape is one by reference.
// CHECK-LABEL: func.func @refers_to_a_weight_in_another_order
// CHECK: inlay.constant #inlay.stored<
// CHECK-NOT: inlay.transpose
// CHECK: return
func.func @refers_to_a_weight_in_another_order(%x: tensor<1000x4xf32>) -> tensor<1x1000x4xf32> {
  %w = inlay.constant dense<1.0> : tensor<4x1000xf32>
  %t = inlay.transpose %w {perm = array<i64: 1, 0>} : (tensor<4x1000xf32>) -> tensor<1000x4xf32>
  %u = inlay.unsqueeze %t {axes = array<i64: 0>} : (tensor<1000x4xf32>) -> tensor<1x1000x4xf32>
  %y = inlay.mul %x, %u : (tensor<1000x4xf32>, tensor<1x1000x4xf32>) -> tensor<1x1000x4xf32>
  return %y : tensor<1x1000x4xf32>
}

// -----

// How the model stores its weights is not undone for fewer nodes.
// CHECK-LABEL: func.func @keeps_quantised_weights
// CHECK: inlay.dequantize_linear
// CHECK: return
func.func @keeps_quantised_weights(%x: tensor<1000xf32>) -> tensor<1000xf32> {
  %w = inlay.constant dense<1> : tensor<1000xi8>
  %s = inlay.constant dense<0.5> : tensor<f32>
  %f = inlay.dequantize_linear %w, %s : (tensor<1000xi8>, tensor<f32>) -> tensor<1000xf32>
  %y = inlay.mul %x, %f : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
  return %y : tensor<1000xf32>
}

// -----

// What cannot be computed stays, and the rest is computed all the same.
// CHECK-LABEL: func.func @keeps_what_fails
// CHECK: inlay.constant dense<3.000000e+00> : tensor<f32>
// CHECK: inlay.gather
// CHECK: return
func.func @keeps_what_fails(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>) {
  %a = inlay.constant dense<1.0> : tensor<f32>
  %b = inlay.constant dense<2.0> : tensor<f32>
  %c = inlay.add %a, %b : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %table = inlay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %far = inlay.constant dense<7> : tensor<i64>
  %g = inlay.gather %table, %far : (tensor<2xf32>, tensor<i64>) -> tensor<f32>
  %y = inlay.add %x, %c : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %y, %g : tensor<2xf32>, tensor<f32>
}
