// RUN: %inlay-opt %s -inlay-simplify -split-input-file | FileCheck %s

// What is done with a tensor tells the rank that is not declared.

// CHECK-LABEL: func.func @takes_the_rank_of_a_permutation
// CHECK-SAME: (%arg0: tensor<?x?x?xf32> {inlay.declared_type = tensor<*xf32>}
// CHECK: inlay.relu %{{.*}} : (tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
func.func @takes_the_rank_of_a_permutation(%x: tensor<*xf32>) -> tensor<*xf32> {
  %a = inlay.relu %x : (tensor<*xf32>) -> tensor<*xf32>
  %y = inlay.transpose %a {perm = array<i64: 0, 2, 1>} : (tensor<*xf32>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}

// -----

// CHECK-LABEL: func.func @keeps_a_rank_that_nothing_tells
// CHECK-SAME: (%arg0: tensor<*xf32>
func.func @keeps_a_rank_that_nothing_tells(%x: tensor<*xf32>) -> tensor<*xf32> {
  %a = inlay.relu %x : (tensor<*xf32>) -> tensor<*xf32>
  %y = inlay.transpose %a : (tensor<*xf32>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}

// -----

// CHECK-LABEL: func.func @takes_the_rank_of_the_weight
// CHECK-SAME: (%arg0: tensor<?x?x?x?x?xf32> {inlay.declared_type
func.func @takes_the_rank_of_the_weight(%x: tensor<*xf32>, %w: tensor<4x3x1x1x1xf32>) -> tensor<*xf32> {
  %y = inlay.conv %x, %w : (tensor<*xf32>, tensor<4x3x1x1x1xf32>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}

// -----

// The other operand may have fewer.
// CHECK-LABEL: func.func @keeps_the_rank_of_what_is_broadcast
// CHECK-SAME: (%arg0: tensor<*xf32>
func.func @keeps_the_rank_of_what_is_broadcast(%x: tensor<*xf32>, %z: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = inlay.add %x, %z : (tensor<*xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @adds_the_axes_that_are_squeezed
// CHECK-SAME: (%arg0: tensor<?x?x?x?xf32> {inlay.declared_type
func.func @adds_the_axes_that_are_squeezed(%x: tensor<*xf32>) -> tensor<?x?xf32> {
  %y = inlay.squeeze %x {axes = array<i64: 0, -1>} : (tensor<*xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// Which branch runs is not known.
// CHECK-LABEL: func.func @keeps_the_rank_that_a_branch_tells
// CHECK-SAME: (%arg0: tensor<*xf32>
func.func @keeps_the_rank_that_a_branch_tells(%x: tensor<*xf32>, %c: tensor<i1>) -> tensor<*xf32> {
  %y = inlay.if %c : (tensor<i1>) -> tensor<*xf32> {
    %a = inlay.transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<*xf32>) -> tensor<*xf32>
    inlay.yield %a : tensor<*xf32>
  } else {
    inlay.yield %x : tensor<*xf32>
  }
  return %y : tensor<*xf32>
}

// -----

// No run has a result; that is for the run to say.
// CHECK-LABEL: func.func @keeps_ranks_that_contradict_each_other
// CHECK-SAME: (%arg0: tensor<*xf32>
func.func @keeps_ranks_that_contradict_each_other(%x: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>) {
  %a = inlay.relu %x : (tensor<*xf32>) -> tensor<*xf32>
  %y = inlay.transpose %a {perm = array<i64: 0, 2, 1>} : (tensor<*xf32>) -> tensor<*xf32>
  %z = inlay.transpose %a {perm = array<i64: 1, 0>} : (tensor<*xf32>) -> tensor<*xf32>
  return %y, %z : tensor<*xf32>, tensor<*xf32>
}

// -----

// CHECK-LABEL: func.func @keeps_the_rank_of_an_input_with_a_default
// CHECK-SAME: (%arg0: tensor<*xf32> {inlay.default
func.func @keeps_the_rank_of_an_input_with_a_default(%x: tensor<*xf32> {inlay.default = dense<0.0> : tensor<2x3x1xf32>}) -> tensor<*xf32> {
  %y = inlay.transpose %x {perm = array<i64: 0, 2, 1>} : (tensor<*xf32>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}
