// RUN: %inlay-opt %s -inlay-simplify -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @shape_chain_becomes_a_constant_shape
// CHECK-NOT: inlay.shape
// CHECK: inlay.reshape %arg0 {shape = array<i64: 2, -1>} : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
func.func @shape_chain_becomes_a_constant_shape(%x: tensor<2x3x4xf32>) -> tensor<?x?xf32> {
  %zero = inlay.constant dense<0> : tensor<i64>
  %rest = inlay.constant dense<-1> : tensor<1xi64>
  %shape = inlay.shape %x : (tensor<2x3x4xf32>) -> tensor<3xi64>
  %batch = inlay.gather %shape, %zero : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %first = inlay.unsqueeze %batch {axes = array<i64: 0>} : (tensor<i64>) -> tensor<1xi64>
  %target = inlay.concat %first, %rest {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = inlay.reshape %x, shape %target : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @computes_with_small_constants
// CHECK: %[[C:.*]] = inlay.constant dense<[5.000000e+00, 7.000000e+00]>
// CHECK-NEXT: return %[[C]]
func.func @computes_with_small_constants() -> tensor<2xf32> {
  %a = inlay.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %b = inlay.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %y = inlay.add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @computes_a_resize_to_whole_extents
// CHECK-NOT: inlay.resize
func.func @computes_a_resize_to_whole_extents() -> tensor<3xf32> {
  %x = inlay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = inlay.resize %x {mode = "linear", scales = array<f32: 1.5>} : (tensor<2xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// -----

// Runtimes do not agree on what a scale does that leaves the extent as it is.
// CHECK-LABEL: func.func @keeps_a_resize_that_is_read_in_two_ways
// CHECK: inlay.resize
func.func @keeps_a_resize_that_is_read_in_two_ways() -> tensor<2xf32> {
  %x = inlay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = inlay.resize %x {mode = "linear", scales = array<f32: 1.25>} : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// The large value is only on the way to a small one.
// CHECK-LABEL: func.func @computes_through_large_values
// CHECK-NOT: inlay.expand
// CHECK: inlay.constant dense<1.000000e+00> : tensor<2xf32>
func.func @computes_through_large_values(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = inlay.constant dense<1.0> : tensor<f32>
  %ones = inlay.expand %one {shape = array<i64: 1000>} : (tensor<f32>) -> tensor<1000xf32>
  %two = inlay.slice %ones {starts = array<i64: 0>, ends = array<i64: 2>} : (tensor<1000xf32>) -> tensor<2xf32>
  %y = inlay.add %x, %two : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @bypasses_identities
// CHECK-NEXT: return %arg0
func.func @bypasses_identities(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = inlay.identity %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %b = inlay.transpose %a {perm = array<i64: 0, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %c = inlay.reshape %b {shape = array<i64: 2, -1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %c : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @keeps_a_transpose_that_moves
// CHECK: inlay.transpose
func.func @keeps_a_transpose_that_moves(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %y = inlay.transpose %x {perm = array<i64: 1, 0>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}

// -----

// CHECK-LABEL: func.func @merges_equal_operations
// CHECK: %[[A:.*]] = inlay.relu %arg0
// CHECK-NEXT: inlay.add %[[A]], %[[A]]
func.func @merges_equal_operations(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %b = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %y = inlay.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @keeps_operations_with_other_attributes
// CHECK: inlay.leaky_relu %arg0 {alpha = 1.000000e-01
// CHECK: inlay.leaky_relu %arg0 {alpha = 2.000000e-01
func.func @keeps_operations_with_other_attributes(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = inlay.leaky_relu %x {alpha = 0.1 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %b = inlay.leaky_relu %x {alpha = 0.2 : f32} : (tensor<4xf32>) -> tensor<4xf32>
  %y = inlay.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @merges_views_in_one_shape
// CHECK: %[[A:.*]] = inlay.squeeze %arg0
// CHECK-NEXT: inlay.sum %[[A]], %[[A]], %[[A]], %[[A]]
func.func @merges_views_in_one_shape(%x: tensor<3x1x4xf32>) -> tensor<3x4xf32> {
  %a = inlay.squeeze %x : (tensor<3x1x4xf32>) -> tensor<3x4xf32>
  %b = inlay.squeeze %x {axes = array<i64: -2>} : (tensor<3x1x4xf32>) -> tensor<3x4xf32>
  %c = inlay.reshape %x {shape = array<i64: 0, -1>} : (tensor<3x1x4xf32>) -> tensor<3x4xf32>
  %d = inlay.flatten %x {axis = 2 : i64} : (tensor<3x1x4xf32>) -> tensor<3x4xf32>
  %y = inlay.sum %a, %b, %c, %d : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// The first may drop another dimension than the second.
// CHECK-LABEL: func.func @keeps_views_of_unknown_shape
// CHECK-COUNT-2: inlay.reshape
func.func @keeps_views_of_unknown_shape(%x: tensor<?x?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %a = inlay.reshape %x {shape = array<i64: -1, 4>} : (tensor<?x?x4xf32>) -> tensor<?x4xf32>
  %b = inlay.reshape %x {shape = array<i64: 0, 4>} : (tensor<?x?x4xf32>) -> tensor<?x4xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}

// -----

// CHECK-LABEL: func.func @merges_axes_that_are_counted_from_the_other_end
// CHECK: %[[A:.*]] = inlay.softmax %arg0
// CHECK-NEXT: %[[B:.*]] = inlay.reduce_sum %arg0
// CHECK-NEXT: %[[C:.*]] = inlay.slice %arg0
// CHECK-NEXT: %[[D:.*]] = inlay.transpose %arg0
// CHECK-NEXT: return %[[A]], %[[A]], %[[B]], %[[B]], %[[C]], %[[C]], %[[D]], %[[D]]
func.func @merges_axes_that_are_counted_from_the_other_end(%x: tensor<2x3x4xf32>) -> (
    tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>,
    tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<4x3x2xf32>, tensor<4x3x2xf32>) {
  %a = inlay.softmax %x : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %b = inlay.softmax %x {axis = 2 : i64} : (tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %c = inlay.reduce_sum %x {axes = array<i64: -1, 0>} : (tensor<2x3x4xf32>) -> tensor<1x3x1xf32>
  %d = inlay.reduce_sum %x {axes = array<i64: 0, 2>, keepdims = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<1x3x1xf32>
  %e = inlay.slice %x {axes = array<i64: -1, 0>, ends = array<i64: 4, 1>, starts = array<i64: 2, 0>} : (tensor<2x3x4xf32>) -> tensor<1x3x2xf32>
  %f = inlay.slice %x {axes = array<i64: 0, 2>, ends = array<i64: 1, 4>, starts = array<i64: 0, 2>, steps = array<i64: 1, 1>} : (tensor<2x3x4xf32>) -> tensor<1x3x2xf32>
  %g = inlay.transpose %x : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  %h = inlay.transpose %x {perm = array<i64: 2, 1, 0>} : (tensor<2x3x4xf32>) -> tensor<4x3x2xf32>
  return %a, %b, %c, %d, %e, %f, %g, %h : tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<1x3x1xf32>, tensor<1x3x1xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>, tensor<4x3x2xf32>, tensor<4x3x2xf32>
}

// -----

// OneHot counts the dimensions of its result, Gather those of its data.
// CHECK-LABEL: func.func @keeps_axes_that_are_others
// CHECK-COUNT-2: inlay.one_hot
// CHECK-COUNT-2: inlay.gather
func.func @keeps_axes_that_are_others(%i: tensor<3x3xi64>, %x: tensor<3x3x3xf32>, %values: tensor<2xf32>) -> (
    tensor<3x3x3xf32>, tensor<3x3x3xf32>, tensor<3x3x3x3xf32>, tensor<3x3x3x3xf32>) {
  %depth = inlay.constant dense<3> : tensor<i64>
  %a = inlay.one_hot %i, %depth, %values {axis = -1 : i64} : (tensor<3x3xi64>, tensor<i64>, tensor<2xf32>) -> tensor<3x3x3xf32>
  %b = inlay.one_hot %i, %depth, %values {axis = 1 : i64} : (tensor<3x3xi64>, tensor<i64>, tensor<2xf32>) -> tensor<3x3x3xf32>
  %c = inlay.gather %x, %i {axis = -1 : i64} : (tensor<3x3x3xf32>, tensor<3x3xi64>) -> tensor<3x3x3x3xf32>
  %d = inlay.gather %x, %i {axis = 1 : i64} : (tensor<3x3x3xf32>, tensor<3x3xi64>) -> tensor<3x3x3x3xf32>
  return %a, %b, %c, %d : tensor<3x3x3xf32>, tensor<3x3x3xf32>, tensor<3x3x3x3xf32>, tensor<3x3x3x3xf32>
}

// -----

// Two random numbers are not one.
// CHECK-LABEL: func.func @keeps_random_operations_apart
// CHECK-COUNT-2: inlay.opaque "::RandomNormal"
func.func @keeps_random_operations_apart() -> tensor<4xf32> {
  %a = inlay.opaque "::RandomNormal"() : () -> tensor<4xf32>
  %b = inlay.opaque "::RandomNormal"() : () -> tensor<4xf32>
  %y = inlay.add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @removes_dead_operations
// CHECK-NEXT: return
func.func @removes_dead_operations(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %b = inlay.opaque "::Unmodelled"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

// Of a foreign operator nothing is known, not even that it may go.
// CHECK-LABEL: func.func @keeps_dead_foreign_operations
// CHECK: inlay.opaque "com.acme::Log"
func.func @keeps_dead_foreign_operations(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = inlay.opaque "com.acme::Log"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @takes_the_known_branch
// CHECK-NEXT: %[[A:.*]] = inlay.relu %arg0
// CHECK-NEXT: return %[[A]]
func.func @takes_the_known_branch(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = inlay.constant dense<true> : tensor<i1>
  %y = inlay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %a = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %a : tensor<4xf32>
  } else {
    inlay.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @keeps_an_unknown_branch
// CHECK: inlay.if
func.func @keeps_an_unknown_branch(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = inlay.if %c : (tensor<i1>) -> tensor<4xf32> {
    %a = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %a : tensor<4xf32>
  } else {
    inlay.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
