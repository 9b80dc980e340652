// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/three.yaml -inlay-legalize | FileCheck %s

// Cases 41 and 42 of instruction limits, three at a time.

// CHECK-LABEL: @keeps_concat_within_the_limit
func.func @keeps_concat_within_the_limit(%a: tensor<1x2xf32>) -> tensor<1x6xf32> {
  // CHECK: %[[Y:.*]] = inlay.concat %arg0, %arg0, %arg0
  // CHECK-NEXT: return %[[Y]]
  %y = inlay.concat %a, %a, %a {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
  return %y : tensor<1x6xf32>
}

// The order of the operands stays, the axis counts from the end.
// CHECK-LABEL: @recopies_two_of_four
func.func @recopies_two_of_four(%a: tensor<1x2xf32>, %b: tensor<1x2xf32>, %c: tensor<1x2xf32>, %d: tensor<1x2xf32>) -> tensor<1x8xf32> {
  // CHECK: %[[AB:.*]] = inlay.concat %arg0, %arg1 {axis = -1 : i64} : {{.*}} -> tensor<1x4xf32>
  // CHECK-NEXT: %[[Y:.*]] = inlay.concat %[[AB]], %arg2, %arg3 {axis = -1 : i64} : {{.*}} -> tensor<1x8xf32>
  // CHECK-NEXT: return %[[Y]]
  %y = inlay.concat %a, %b, %c, %d {axis = -1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x8xf32>
  return %y : tensor<1x8xf32>
}

// CHECK-LABEL: @recopies_the_smallest_neighbours
func.func @recopies_the_smallest_neighbours(%a: tensor<9x2xf32>, %b: tensor<9x2xf32>, %c: tensor<1x2xf32>, %d: tensor<2x2xf32>) -> tensor<21x2xf32> {
  // CHECK: %[[CD:.*]] = inlay.concat %arg2, %arg3
  // CHECK-NEXT: inlay.concat %arg0, %arg1, %[[CD]]
  %y = inlay.concat %a, %b, %c, %d {axis = 0 : i64} : (tensor<9x2xf32>, tensor<9x2xf32>, tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<21x2xf32>
  return %y : tensor<21x2xf32>
}

// Unknown extents count as the target assumes: 'rows' is more than 9.
// CHECK-LABEL: @assumes_extents_that_are_not_known
func.func @assumes_extents_that_are_not_known(%a: tensor<?x2xf32> {inlay.dims = ["rows", ""]}, %b: tensor<9x2xf32>, %c: tensor<9x2xf32>, %d: tensor<?x2xf32> {inlay.dims = ["rows", ""]}) -> tensor<?x2xf32> {
  // CHECK: %[[BC:.*]] = inlay.concat %arg1, %arg2 {{.*}} -> tensor<18x2xf32>
  // CHECK-NEXT: inlay.concat %arg0, %[[BC]], %arg3 {{.*}} -> tensor<?x2xf32>
  %y = inlay.concat %a, %b, %c, %d {axis = 0 : i64} : (tensor<?x2xf32>, tensor<9x2xf32>, tensor<9x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %y : tensor<?x2xf32>
}

// Repeated operands and constants are operands like any other.
// CHECK-LABEL: @takes_repeated_and_constant_operands
func.func @takes_repeated_and_constant_operands(%a: tensor<2xf32>) -> tensor<8xf32> {
  // CHECK: %[[C:.*]] = inlay.constant
  %c = inlay.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK: %[[S:.*]] = inlay.concat %arg0, %[[C]] {{.*}} -> tensor<4xf32>
  // CHECK-NEXT: inlay.concat %[[S]], %arg0, %[[C]]
  %y = inlay.concat %a, %c, %a, %c {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// Of unknown rank, too.
// CHECK-LABEL: @joins_tensors_of_unknown_rank
func.func @joins_tensors_of_unknown_rank(%a: tensor<*xf32>) -> tensor<*xf32> {
  // CHECK: %[[S:.*]] = inlay.concat %arg0, %arg0 {{.*}} -> tensor<*xf32>
  // CHECK-NEXT: inlay.concat %[[S]], %arg0, %arg0
  %y = inlay.concat %a, %a, %a, %a {axis = 0 : i64} : (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  return %y : tensor<*xf32>
}

// CHECK-LABEL: @cuts_two_of_four_again
func.func @cuts_two_of_four_again(%x: tensor<2x20xf32>) -> (tensor<2x2xf32>, tensor<2x9xf32>, tensor<2x1xf32>, tensor<2x8xf32>) {
  // CHECK: %[[F:.*]]:3 = inlay.split %arg0 {axis = -1 : i64, split = array<i64: 2, 9, 9>} : {{.*}} -> (tensor<2x2xf32>, tensor<2x9xf32>, tensor<2x9xf32>)
  // CHECK-NEXT: %[[G:.*]]:2 = inlay.split %[[F]]#2 {axis = -1 : i64, split = array<i64: 1, 8>} : {{.*}} -> (tensor<2x1xf32>, tensor<2x8xf32>)
  // CHECK-NEXT: return %[[F]]#0, %[[F]]#1, %[[G]]#0, %[[G]]#1
  %y:4 = inlay.split %x {axis = -1 : i64, split = array<i64: 2, 9, 1, 8>} : (tensor<2x20xf32>) -> (tensor<2x2xf32>, tensor<2x9xf32>, tensor<2x1xf32>, tensor<2x8xf32>)
  return %y#0, %y#1, %y#2, %y#3 : tensor<2x2xf32>, tensor<2x9xf32>, tensor<2x1xf32>, tensor<2x8xf32>
}

// Neighbours that nothing uses are one part.
// CHECK-LABEL: @cuts_unused_results_together
func.func @cuts_unused_results_together(%x: tensor<8xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK: %[[F:.*]]:3 = inlay.split %arg0 {split = array<i64: 2, 4, 2>}
  // CHECK-NEXT: return %[[F]]#0, %[[F]]#2
  %y:4 = inlay.split %x {axis = 0 : i64} : (tensor<8xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
  return %y#0, %y#3 : tensor<2xf32>, tensor<2xf32>
}

// Left to right, as before: ((a + b) + c) + d, then + e and + f.
// CHECK-LABEL: @sums_in_the_same_order
func.func @sums_in_the_same_order(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>, %d: tensor<2xf32>, %e: tensor<2xf32>, %f: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: %[[S:.*]] = inlay.sum %arg0, %arg1 :
  // CHECK-NEXT: %[[T:.*]] = inlay.sum %[[S]], %arg2, %arg3 :
  // CHECK-NEXT: %[[Y:.*]] = inlay.sum %[[T]], %arg4, %arg5 :
  // CHECK-NEXT: return %[[Y]]
  %y = inlay.sum %a, %b, %c, %d, %e, %f : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// Operands that broadcast make results that grow.
// CHECK-LABEL: @takes_maxima_with_broadcasting
func.func @takes_maxima_with_broadcasting(%a: tensor<1xf32>, %b: tensor<4x2xf32>) -> tensor<4x2xf32> {
  // CHECK: %[[S:.*]] = inlay.max %arg0, %arg0 : {{.*}} -> tensor<1xf32>
  // CHECK-NEXT: inlay.max %[[S]], %arg0, %arg1 : {{.*}} -> tensor<4x2xf32>
  %y = inlay.max %a, %a, %a, %b : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// CHECK-LABEL: @divides_the_sum_for_the_mean
func.func @divides_the_sum_for_the_mean(%a: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: %[[S:.*]] = inlay.sum %arg0, %arg0 :
  // CHECK-NEXT: %[[T:.*]] = inlay.sum %[[S]], %arg0, %arg0 :
  // CHECK-NEXT: %[[N:.*]] = inlay.constant dense<4.000000e+00> : tensor<f32>
  // CHECK-NEXT: %[[Y:.*]] = inlay.div %[[T]], %[[N]]
  // CHECK-NEXT: return %[[Y]]
  %y = inlay.mean %a, %a, %a, %a : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// CHECK-LABEL: @looks_into_regions
func.func @looks_into_regions(%p: tensor<i1>, %a: tensor<1xf32>) -> tensor<4xf32> {
  // CHECK: inlay.if
  // CHECK: inlay.concat %arg1, %arg1 {{.*}} -> tensor<2xf32>
  // CHECK-NEXT: inlay.concat %{{.*}}, %arg1, %arg1 {{.*}} -> tensor<4xf32>
  %y = inlay.if %p : (tensor<i1>) -> (tensor<4xf32>) {
    %t = inlay.concat %a, %a, %a, %a {axis = 0 : i64} : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
    inlay.yield %t : tensor<4xf32>
  } else {
    %e = inlay.constant dense<0.0> : tensor<4xf32>
    inlay.yield %e : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
