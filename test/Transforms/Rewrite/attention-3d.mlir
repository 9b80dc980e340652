// RUN: %inlay-opt %s -inlay-rewrite -split-input-file | FileCheck %s

// Heads that were put in front of the positions, by one transpose each; the key
// by one that transposes it as well.
// CHECK-LABEL: func.func @no_transpose_is_left
// CHECK-NEXT: %[[Y:.*]], %{{.*}}, %{{.*}}, %{{.*}} = inlay.attention %arg0, %arg1, %arg2 {kv_num_heads = 4 : i64, q_num_heads = 4 : i64, scale = 1.000000e+00 : f32}
// CHECK-NEXT: return %[[Y]]
!x = tensor<2x5x32xf32>
!r = tensor<2x5x4x8xf32>
!h = tensor<2x4x5x8xf32>
!s = tensor<2x4x5x5xf32>
func.func @no_transpose_is_left(%a: !x, %b: !x, %c: !x) -> !x {
  %0 = inlay.reshape %a {shape = array<i64: 2, 5, 4, 8>} : (!x) -> !r
  %q = inlay.transpose %0 {perm = array<i64: 0, 2, 1, 3>} : (!r) -> !h
  %1 = inlay.reshape %b {shape = array<i64: 0, 0, 4, -1>} : (!x) -> !r
  %t = inlay.transpose %1 {perm = array<i64: 0, 2, 3, 1>} : (!r) -> tensor<2x4x8x5xf32>
  %2 = inlay.reshape %c {shape = array<i64: 2, 5, 4, 8>} : (!x) -> !r
  %v = inlay.transpose %2 {perm = array<i64: 0, 2, 1, 3>} : (!r) -> !h
  %s = inlay.matmul %q, %t : (!h, tensor<2x4x8x5xf32>) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %3 = inlay.matmul %w, %v : (!s, !h) -> !h
  %4 = inlay.transpose %3 {perm = array<i64: 0, 2, 1, 3>} : (!h) -> !r
  %y = inlay.reshape %4 {shape = array<i64: 2, 5, 32>} : (!r) -> !x
  return %y : !x
}

// -----

// Query, key and value are slices of one tensor behind a transpose of all.
// CHECK-LABEL: func.func @slices_of_one_tensor
// CHECK-DAG: %[[X:.*]] = inlay.reshape %arg0 {shape = array<i64: 2, 5, 3, 4, 8>}
// CHECK-DAG: %[[I:.*]] = inlay.constant dense<0>
// CHECK-DAG: %[[Q:.*]] = inlay.gather %[[X]], %[[I]] {axis = 2 : i64}
// CHECK-NOT: inlay.transpose
// CHECK: inlay.attention {{.*}} {kv_num_heads = 4 : i64, q_num_heads = 4 : i64, scale = 1.000000e+00 : f32}
!x = tensor<2x5x96xf32>
!h = tensor<2x4x5x8xf32>
!s = tensor<2x4x5x5xf32>
func.func @slices_of_one_tensor(%x: !x) -> tensor<2x5x4x8xf32> {
  %i = inlay.constant dense<0> : tensor<i64>
  %j = inlay.constant dense<1> : tensor<i64>
  %l = inlay.constant dense<2> : tensor<i64>
  %0 = inlay.reshape %x {shape = array<i64: 2, 5, 3, 4, 8>} : (!x) -> tensor<2x5x3x4x8xf32>
  %1 = inlay.transpose %0 {perm = array<i64: 2, 0, 3, 1, 4>} : (tensor<2x5x3x4x8xf32>) -> tensor<3x2x4x5x8xf32>
  %q = inlay.gather %1, %i : (tensor<3x2x4x5x8xf32>, tensor<i64>) -> !h
  %k = inlay.gather %1, %j : (tensor<3x2x4x5x8xf32>, tensor<i64>) -> !h
  %v = inlay.gather %1, %l : (tensor<3x2x4x5x8xf32>, tensor<i64>) -> !h
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!h) -> tensor<2x4x8x5xf32>
  %s = inlay.matmul %q, %t : (!h, tensor<2x4x8x5xf32>) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %2 = inlay.matmul %w, %v : (!s, !h) -> !h
  %y = inlay.transpose %2 {perm = array<i64: 0, 2, 1, 3>} : (!h) -> tensor<2x5x4x8xf32>
  return %y : tensor<2x5x4x8xf32>
}

// -----

// Positions come before a batch of one; the heads are a batch of their own on
// the way.
// CHECK-LABEL: func.func @batch_of_one_behind_the_positions
// CHECK-NOT: inlay.transpose
// CHECK: inlay.attention {{.*}} {kv_num_heads = 4 : i64, q_num_heads = 4 : i64, scale = 2.500000e-01 : f32} : (tensor<1x5x32xf32>, tensor<1x5x32xf32>, tensor<1x5x32xf32>)
// CHECK-NOT: inlay.transpose
// CHECK: return
!x = tensor<5x1x32xf32>
!r = tensor<5x4x8xf32>
!b = tensor<4x5x8xf32>
!h = tensor<1x4x5x8xf32>
!s = tensor<1x4x5x5xf32>
func.func @batch_of_one_behind_the_positions(%a: !x, %b: !x, %c: !x) -> tensor<5x32xf32> {
  %half = inlay.constant dense<0.5> : tensor<1xf32>
  %0 = inlay.reshape %a {shape = array<i64: 5, 4, 8>} : (!x) -> !r
  %1 = inlay.transpose %0 {perm = array<i64: 1, 0, 2>} : (!r) -> !b
  %2 = inlay.reshape %1 {shape = array<i64: 1, 4, 5, 8>} : (!b) -> !h
  %q = inlay.mul %2, %half : (!h, tensor<1xf32>) -> !h
  %3 = inlay.reshape %b {shape = array<i64: 5, 4, 8>} : (!x) -> !r
  %4 = inlay.transpose %3 {perm = array<i64: 1, 0, 2>} : (!r) -> !b
  %5 = inlay.transpose %4 {perm = array<i64: 0, 2, 1>} : (!b) -> tensor<4x8x5xf32>
  %6 = inlay.reshape %5 {shape = array<i64: 1, 4, 8, 5>} : (tensor<4x8x5xf32>) -> tensor<1x4x8x5xf32>
  %t = inlay.mul %6, %half : (tensor<1x4x8x5xf32>, tensor<1xf32>) -> tensor<1x4x8x5xf32>
  %7 = inlay.reshape %c {shape = array<i64: 5, 4, 8>} : (!x) -> !r
  %8 = inlay.transpose %7 {perm = array<i64: 1, 0, 2>} : (!r) -> !b
  %v = inlay.reshape %8 {shape = array<i64: 1, 4, 5, 8>} : (!b) -> !h
  %s = inlay.matmul %q, %t : (!h, tensor<1x4x8x5xf32>) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %9 = inlay.matmul %w, %v : (!s, !h) -> !h
  %10 = inlay.transpose %9 {perm = array<i64: 2, 0, 1, 3>} : (!h) -> tensor<5x1x4x8xf32>
  %y = inlay.reshape %10 {shape = array<i64: 5, 32>} : (tensor<5x1x4x8xf32>) -> tensor<5x32xf32>
  return %y : tensor<5x32xf32>
}

// -----

// One of the operands has its heads in front by itself: its transpose would be
// one more than there is.
// CHECK-LABEL: func.func @heads_of_the_value_are_in_front
// CHECK: inlay.attention %{{.*}}, %{{.*}}, %arg2 {scale = 1.000000e+00 : f32} : (tensor<2x4x5x8xf32>,
// CHECK-NEXT: inlay.transpose
!r = tensor<2x5x4x8xf32>
!h = tensor<2x4x5x8xf32>
!s = tensor<2x4x5x5xf32>
func.func @heads_of_the_value_are_in_front(%a: !r, %b: !r, %v: !h) -> !r {
  %q = inlay.transpose %a {perm = array<i64: 0, 2, 1, 3>} : (!r) -> !h
  %t = inlay.transpose %b {perm = array<i64: 0, 2, 3, 1>} : (!r) -> tensor<2x4x8x5xf32>
  %s = inlay.matmul %q, %t : (!h, tensor<2x4x8x5xf32>) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %0 = inlay.matmul %w, %v : (!s, !h) -> !h
  %y = inlay.transpose %0 {perm = array<i64: 0, 2, 1, 3>} : (!h) -> !r
  return %y : !r
}

// -----

// The result keeps its heads in front, or goes to two users.
// CHECK-LABEL: func.func @heads_of_the_result_stay
// CHECK: inlay.attention {{.*}} {scale = 1.000000e+00 : f32} : (tensor<2x4x5x8xf32>,
// CHECK-NEXT: inlay.transpose
!r = tensor<2x5x4x8xf32>
!h = tensor<2x4x5x8xf32>
!s = tensor<2x4x5x5xf32>
func.func @heads_of_the_result_stay(%a: !r) -> (!r, !h) {
  %q = inlay.transpose %a {perm = array<i64: 0, 2, 1, 3>} : (!r) -> !h
  %t = inlay.transpose %a {perm = array<i64: 0, 2, 3, 1>} : (!r) -> tensor<2x4x8x5xf32>
  %s = inlay.matmul %q, %t : (!h, tensor<2x4x8x5xf32>) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %0 = inlay.matmul %w, %q : (!s, !h) -> !h
  %y = inlay.transpose %0 {perm = array<i64: 0, 2, 1, 3>} : (!h) -> !r
  return %y, %0 : !r, !h
}

// -----

// Another transpose than that of heads and positions.
// CHECK-LABEL: func.func @sizes_are_moved
// CHECK: inlay.attention {{.*}} {scale = 1.000000e+00 : f32} : (tensor<2x4x5x8xf32>,
// CHECK-NEXT: inlay.transpose
!r = tensor<2x5x4x8xf32>
!h = tensor<2x4x5x8xf32>
!s = tensor<2x4x5x5xf32>
func.func @sizes_are_moved(%a: !r) -> tensor<2x5x8x4xf32> {
  %q = inlay.transpose %a {perm = array<i64: 0, 2, 1, 3>} : (!r) -> !h
  %t = inlay.transpose %a {perm = array<i64: 0, 2, 3, 1>} : (!r) -> tensor<2x4x8x5xf32>
  %s = inlay.matmul %q, %t : (!h, tensor<2x4x8x5xf32>) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %0 = inlay.matmul %w, %q : (!s, !h) -> !h
  %y = inlay.transpose %0 {perm = array<i64: 0, 2, 3, 1>} : (!h) -> tensor<2x5x8x4xf32>
  return %y : tensor<2x5x8x4xf32>
}

// -----

// A rotation keeps its place, in its own form of rank 3.
// CHECK-LABEL: func.func @behind_a_rotation
// CHECK-NEXT: %[[Q:.*]] = inlay.rotary_embedding %arg0, %arg3, %arg3 {num_heads = 4 : i64}
// CHECK-NEXT: %[[K:.*]] = inlay.rotary_embedding %arg1, %arg3, %arg3 {num_heads = 2 : i64}
// CHECK-NEXT: inlay.attention %[[Q]], %[[K]], %arg2 {kv_num_heads = 2 : i64, q_num_heads = 4 : i64}
// CHECK-NEXT: return
!x = tensor<2x5x32xf32>
!k = tensor<2x5x16xf32>
!h = tensor<2x4x5x8xf32>
!i = tensor<2x2x5x8xf32>
!c = tensor<2x5x4xf32>
func.func @behind_a_rotation(%a: !x, %b: !k, %c: !k, %cache: !c) -> !x {
  %0 = inlay.reshape %a {shape = array<i64: 2, 5, 4, 8>} : (!x) -> tensor<2x5x4x8xf32>
  %1 = inlay.transpose %0 {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x5x4x8xf32>) -> !h
  %q = inlay.rotary_embedding %1, %cache, %cache : (!h, !c, !c) -> !h
  %2 = inlay.reshape %b {shape = array<i64: 2, 5, 2, 8>} : (!k) -> tensor<2x5x2x8xf32>
  %3 = inlay.transpose %2 {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x5x2x8xf32>) -> !i
  %k = inlay.rotary_embedding %3, %cache, %cache : (!i, !c, !c) -> !i
  %4 = inlay.reshape %c {shape = array<i64: 2, 5, 2, 8>} : (!k) -> tensor<2x5x2x8xf32>
  %v = inlay.transpose %4 {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x5x2x8xf32>) -> !i
  %5:4 = inlay.attention %q, %k, %v : (!h, !i, !i) -> (!h, !i, !i, tensor<2x4x5x5xf32>)
  %6 = inlay.transpose %5#0 {perm = array<i64: 0, 2, 1, 3>} : (!h) -> tensor<2x5x4x8xf32>
  %y = inlay.reshape %6 {shape = array<i64: 2, 5, 32>} : (tensor<2x5x4x8xf32>) -> !x
  return %y : !x
}
