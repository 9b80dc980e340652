// RUN: %inlay-opt %s -inlay-simplify -split-input-file | FileCheck %s

// 0 copies the batch, also one of zero.
// CHECK-LABEL: func.func @copies_an_extent_of_the_same_dimension
// CHECK-NOT: inlay.shape
// CHECK: inlay.reshape %arg0 {shape = array<i64: 0, 12>} : (tensor<?x3x4xf32>) -> tensor<?x12xf32>
func.func @copies_an_extent_of_the_same_dimension(%x: tensor<?x3x4xf32>) -> tensor<?x?xf32> {
  %zero = inlay.constant dense<0> : tensor<i64>
  %rest = inlay.constant dense<12> : tensor<1xi64>
  %shape = inlay.shape %x : (tensor<?x3x4xf32>) -> tensor<3xi64>
  %batch = inlay.gather %shape, %zero : (tensor<3xi64>, tensor<i64>) -> tensor<i64>
  %first = inlay.unsqueeze %batch {axes = array<i64: 0>} : (tensor<i64>) -> tensor<1xi64>
  %target = inlay.concat %first, %rest {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = inlay.reshape %x, shape %target : (tensor<?x3x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// With allowzero a zero is a zero; that of the batch is one either way.
// CHECK-LABEL: func.func @copies_an_extent_beside_allowzero
// CHECK: inlay.reshape %arg0 {shape = array<i64: 0, 12>} :
func.func @copies_an_extent_beside_allowzero(%x: tensor<?x3x4xf32>) -> tensor<?x?xf32> {
  %zero = inlay.constant dense<0> : tensor<1xi64>
  %rest = inlay.constant dense<12> : tensor<1xi64>
  %shape = inlay.shape %x : (tensor<?x3x4xf32>) -> tensor<3xi64>
  %batch = inlay.gather %shape, %zero : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %target = inlay.concat %batch, %rest {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = inlay.reshape %x, shape %target {allowzero = 1 : i64} : (tensor<?x3x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// An entry that is known to be zero means zero there, and a copy here.
// CHECK-LABEL: func.func @keeps_a_known_zero
// CHECK: inlay.shape
// CHECK: inlay.reshape %arg0, shape {{.*}}allowzero = 1
func.func @keeps_a_known_zero(%x: tensor<?x0x4xf32>) -> tensor<?x?xf32> {
  %zero = inlay.constant dense<0> : tensor<1xi64>
  %shape = inlay.shape %x : (tensor<?x0x4xf32>) -> tensor<3xi64>
  %batch = inlay.gather %shape, %zero : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %target = inlay.concat %batch, %zero {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = inlay.reshape %x, shape %target {allowzero = 1 : i64} : (tensor<?x0x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @divides_where_all_else_is_known
// CHECK-NOT: inlay.shape
// CHECK: inlay.reshape %arg0 {shape = array<i64: -1, 8>} :
func.func @divides_where_all_else_is_known(%x: tensor<?x?x8xf32>) -> tensor<?x?xf32> {
  %zero = inlay.constant dense<0> : tensor<1xi64>
  %one = inlay.constant dense<1> : tensor<1xi64>
  %eight = inlay.constant dense<8> : tensor<1xi64>
  %shape = inlay.shape %x : (tensor<?x?x8xf32>) -> tensor<3xi64>
  %b = inlay.gather %shape, %zero : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %l = inlay.gather %shape, %one : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %bl = inlay.mul %b, %l : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %target = inlay.concat %bl, %eight {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = inlay.reshape %x, shape %target : (tensor<?x?x8xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// For a batch of zero, -1 would be zero divided by zero.
// CHECK-LABEL: func.func @keeps_a_product_beside_what_may_be_zero
// CHECK: inlay.mul
// CHECK: inlay.reshape %arg0, shape
func.func @keeps_a_product_beside_what_may_be_zero(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %zero = inlay.constant dense<0> : tensor<1xi64>
  %one = inlay.constant dense<1> : tensor<1xi64>
  %two = inlay.constant dense<2> : tensor<1xi64>
  %shape = inlay.shape %x : (tensor<?x?x?xf32>) -> tensor<3xi64>
  %b = inlay.gather %shape, %zero : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %h = inlay.gather %shape, %one : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %w = inlay.gather %shape, %two : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %hw = inlay.mul %h, %w : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %target = inlay.concat %b, %hw {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = inlay.reshape %x, shape %target : (tensor<?x?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// The -1 of the model stays what it is, also for a batch of zero.
// CHECK-LABEL: func.func @copies_beside_a_division_of_the_model
// CHECK-NOT: inlay.shape
// CHECK: inlay.reshape %arg0 {shape = array<i64: 0, -1>} :
func.func @copies_beside_a_division_of_the_model(%x: tensor<?x?x?xf32>) -> tensor<?x?xf32> {
  %zero = inlay.constant dense<0> : tensor<1xi64>
  %rest = inlay.constant dense<-1> : tensor<1xi64>
  %shape = inlay.shape %x : (tensor<?x?x?xf32>) -> tensor<3xi64>
  %b = inlay.gather %shape, %zero : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %target = inlay.concat %b, %rest {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %y = inlay.reshape %x, shape %target : (tensor<?x?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// Heads are split and merged again: extents go through what moves dimensions.
// CHECK-LABEL: func.func @follows_extents_through_the_graph
// CHECK-NOT: inlay.shape
// CHECK: inlay.reshape {{.*}}shape = array<i64: 0, 0, 2, 4>
// CHECK: inlay.reshape {{.*}}shape = array<i64: 0, 0, 8>
func.func @follows_extents_through_the_graph(%x: tensor<?x?x8xf32>) -> tensor<?x?x?xf32> {
  %zero = inlay.constant dense<0> : tensor<1xi64>
  %one = inlay.constant dense<1> : tensor<1xi64>
  %two = inlay.constant dense<2> : tensor<1xi64>
  %four = inlay.constant dense<4> : tensor<1xi64>
  %eight = inlay.constant dense<8> : tensor<1xi64>
  %r = inlay.relu %x : (tensor<?x?x8xf32>) -> tensor<?x?x8xf32>
  %shape = inlay.shape %x : (tensor<?x?x8xf32>) -> tensor<3xi64>
  %b = inlay.gather %shape, %zero : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %l = inlay.gather %shape, %one : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %split = inlay.concat %b, %l, %two, %four {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
  %h = inlay.reshape %r, shape %split : (tensor<?x?x8xf32>, tensor<4xi64>) -> tensor<?x?x?x?xf32>
  %t = inlay.transpose %h {perm = array<i64: 0, 2, 1, 3>} : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %s = inlay.softmax %t {axis = -1 : i64} : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %u = inlay.transpose %s {perm = array<i64: 0, 2, 1, 3>} : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %merged = inlay.concat %b, %l, %eight {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %y = inlay.reshape %u, shape %merged : (tensor<?x?x?x?xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  return %y : tensor<?x?x?xf32>
}

// -----

// Either operand may be stretched to the other.
// CHECK-LABEL: func.func @keeps_an_extent_of_a_broadcast
// CHECK: inlay.reshape {{.*}}, shape
func.func @keeps_an_extent_of_a_broadcast(%x: tensor<?x?x8xf32>, %z: tensor<?x1x8xf32>) -> tensor<?x?x?xf32> {
  %zero = inlay.constant dense<0> : tensor<1xi64>
  %tail = inlay.constant dense<[8, -1]> : tensor<2xi64>
  %shape = inlay.shape %x : (tensor<?x?x8xf32>) -> tensor<3xi64>
  %b = inlay.gather %shape, %zero : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %sum = inlay.add %x, %z : (tensor<?x?x8xf32>, tensor<?x1x8xf32>) -> tensor<?x?x8xf32>
  %target = inlay.concat %b, %tail {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
  %y = inlay.reshape %sum, shape %target : (tensor<?x?x8xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  return %y : tensor<?x?x?xf32>
}

// -----

// CHECK-LABEL: func.func @expands_by_what_is_there
// CHECK-NEXT: return %arg0
func.func @expands_by_what_is_there(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %shape = inlay.shape %x : (tensor<?x?xf32>) -> tensor<2xi64>
  %y = inlay.expand %x, shape %shape : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @keeps_an_expand_by_another_extent
// CHECK: inlay.expand
func.func @keeps_an_expand_by_another_extent(%x: tensor<?x?xf32>, %z: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %shape = inlay.shape %z : (tensor<?x?xf32>) -> tensor<2xi64>
  %y = inlay.expand %x, shape %shape : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @slices_to_the_end
// CHECK-NOT: inlay.shape
// CHECK: inlay.slice %arg0 {axes = array<i64: 1>, ends = array<i64: 9223372036854775807>, starts = array<i64: 1>}
func.func @slices_to_the_end(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %one = inlay.constant dense<1> : tensor<1xi64>
  %shape = inlay.shape %x : (tensor<?x?xf32>) -> tensor<2xi64>
  %end = inlay.gather %shape, %one : (tensor<2xi64>, tensor<1xi64>) -> tensor<1xi64>
  %y = inlay.slice %x ends %end {starts = array<i64: 1>, axes = array<i64: 1>} : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// CHECK-LABEL: func.func @drops_a_slice_of_everything
// CHECK-NEXT: return %arg0
func.func @drops_a_slice_of_everything(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %one = inlay.constant dense<1> : tensor<1xi64>
  %shape = inlay.shape %x : (tensor<?x?xf32>) -> tensor<2xi64>
  %end = inlay.gather %shape, %one : (tensor<2xi64>, tensor<1xi64>) -> tensor<1xi64>
  %y = inlay.slice %x ends %end {starts = array<i64: 0>, axes = array<i64: -1>} : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// Backwards, the extent is where the slice begins.
// CHECK-LABEL: func.func @keeps_the_end_of_a_slice_backwards
// CHECK: inlay.slice %arg0 ends
func.func @keeps_the_end_of_a_slice_backwards(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %one = inlay.constant dense<1> : tensor<1xi64>
  %shape = inlay.shape %x : (tensor<?x?xf32>) -> tensor<2xi64>
  %end = inlay.gather %shape, %one : (tensor<2xi64>, tensor<1xi64>) -> tensor<1xi64>
  %y = inlay.slice %x ends %end {starts = array<i64: 5>, axes = array<i64: 1>, steps = array<i64: -1>} : (tensor<?x?xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// Both are the extents of x, and a product is one either way round.
// CHECK-LABEL: func.func @computes_an_extent_once
// CHECK-COUNT-1: inlay.shape
// CHECK-NOT: inlay.shape
// CHECK-COUNT-1: inlay.mul
// CHECK-NOT: inlay.mul
func.func @computes_an_extent_once(%x: tensor<?x?xf32>) -> (tensor<1xi64>, tensor<1xi64>, tensor<?x?xf32>) {
  %zero = inlay.constant dense<0> : tensor<1xi64>
  %one = inlay.constant dense<1> : tensor<1xi64>
  %r = inlay.relu %x : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %s = inlay.shape %x : (tensor<?x?xf32>) -> tensor<2xi64>
  %t = inlay.shape %r : (tensor<?x?xf32>) -> tensor<2xi64>
  %a = inlay.gather %s, %zero : (tensor<2xi64>, tensor<1xi64>) -> tensor<1xi64>
  %b = inlay.gather %t, %one : (tensor<2xi64>, tensor<1xi64>) -> tensor<1xi64>
  %c = inlay.gather %t, %zero : (tensor<2xi64>, tensor<1xi64>) -> tensor<1xi64>
  %p = inlay.mul %a, %b : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %q = inlay.mul %b, %c : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %y = inlay.reshape %r, shape %t : (tensor<?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %p, %q, %y : tensor<1xi64>, tensor<1xi64>, tensor<?x?xf32>
}
