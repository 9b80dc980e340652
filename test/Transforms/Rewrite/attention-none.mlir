// RUN: %inlay-opt %s -inlay-rewrite -split-input-file | FileCheck %s

// Over the queries instead of the keys.
// CHECK-LABEL: func.func @other_axis
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @other_axis(%q: !q, %k: !k, %v: !v) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %w = inlay.softmax %s {axis = 2 : i64} : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// The scores are a result as well, and would be computed twice.
// CHECK-LABEL: func.func @scores_used_elsewhere
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @scores_used_elsewhere(%q: !q, %k: !k, %v: !v) -> (!y, !s) {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y, %s : !y, !s
}

// -----

// So would the weights.
// CHECK-LABEL: func.func @weights_used_elsewhere
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @weights_used_elsewhere(%q: !q, %k: !k, %v: !v) -> (!y, !s) {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y, %w : !y, !s
}

// -----

// The mask has a batch of its own.
// CHECK-LABEL: func.func @mask_broadcasts_the_scores
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @mask_broadcasts_the_scores(%q: tensor<1x4x5x8xf32>, %k: tensor<1x4x7x8xf32>, %v: tensor<2x4x7x6xf32>, %m: tensor<2x1x5x7xf32>) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x4x7x8xf32>) -> tensor<1x4x8x7xf32>
  %s = inlay.matmul %q, %t : (tensor<1x4x5x8xf32>, tensor<1x4x8x7xf32>) -> tensor<1x4x5x7xf32>
  %0 = inlay.add %s, %m : (tensor<1x4x5x7xf32>, tensor<2x1x5x7xf32>) -> !s
  %w = inlay.softmax %0 : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// A mask per query: attention would read one key of it, and hide the others.
// CHECK-LABEL: func.func @mask_of_one_column
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @mask_of_one_column(%q: !q, %k: !k, %v: !v, %m: tensor<2x1x5x1xf32>) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %0 = inlay.add %s, %m : (!s, tensor<2x1x5x1xf32>) -> !s
  %w = inlay.softmax %0 : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// A scale per head.
// CHECK-LABEL: func.func @scale_is_no_scalar
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @scale_is_no_scalar(%q: !q, %k: !k, %v: !v, %c: tensor<4x1x1xf32>) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %0 = inlay.mul %s, %c : (!s, tensor<4x1x1xf32>) -> !s
  %w = inlay.softmax %0 : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// Scaled behind the mask, which would have to be scaled as well.
// CHECK-LABEL: func.func @scale_behind_the_mask
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @scale_behind_the_mask(%q: !q, %k: !k, %v: !v, %m: tensor<5x7xf32>) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %c = inlay.constant dense<0.5> : tensor<f32>
  %0 = inlay.add %s, %m : (!s, tensor<5x7xf32>) -> !s
  %1 = inlay.mul %0, %c : (!s, tensor<f32>) -> !s
  %w = inlay.softmax %1 : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// Only a positive scale is one.
// CHECK-LABEL: func.func @negative_scale
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @negative_scale(%q: !q, %k: !k, %v: !v) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %c = inlay.constant dense<-0.5> : tensor<f32>
  %0 = inlay.mul %s, %c : (!s, tensor<f32>) -> !s
  %w = inlay.softmax %0 : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// A key that lies transposed would need a transpose that is not there.
// CHECK-LABEL: func.func @transposed_key
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @transposed_key(%q: !q, %t: !t, %v: !v) -> !y {
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// Nor where it is scaled.
// CHECK-LABEL: func.func @transposed_key_that_is_scaled
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x5x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @transposed_key_that_is_scaled(%q: !q, %t: !t, %v: !v) -> !y {
  %c = inlay.constant dense<0.5> : tensor<f32>
  %0 = inlay.mul %t, %c : (!t, tensor<f32>) -> !t
  %s = inlay.matmul %q, %0 : (!q, !t) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// The key broadcasts along the batch.
// CHECK-LABEL: func.func @key_broadcasts
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @key_broadcasts(%q: !q, %k: tensor<1x4x7x8xf32>, %v: !v) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x4x7x8xf32>) -> tensor<1x4x8x7xf32>
  %s = inlay.matmul %q, %t : (!q, tensor<1x4x8x7xf32>) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// -1e4 does not swallow what it replaces.
// CHECK-LABEL: func.func @choice_of_a_small_number
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @choice_of_a_small_number(%q: !q, %k: !k, %v: !v, %c: tensor<5x7xi1>) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %low = inlay.constant dense<-1.0e+4> : tensor<f32>
  %0 = inlay.where %c, %s, %low : (tensor<5x7xi1>, !s, tensor<f32>) -> !s
  %w = inlay.softmax %0 : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// Zero where the weights are NaN is no guard against zero where they are not.
// CHECK-LABEL: func.func @other_guard
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @other_guard(%q: !q, %k: !k, %v: !v) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %zero = inlay.constant dense<0.0> : tensor<f32>
  %1 = inlay.softmax %s : (!s) -> !s
  %2 = inlay.is_nan %1 : (!s) -> tensor<2x4x5x7xi1>
  %w = inlay.where %2, %1, %zero : (tensor<2x4x5x7xi1>, !s, tensor<f32>) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// Nobody knows whether both batches are the same.
// CHECK-LABEL: func.func @unknown_batch
// CHECK-NOT: inlay.attention
// CHECK: return
func.func @unknown_batch(%q: tensor<?x4x5x8xf32>, %k: tensor<?x4x7x8xf32>, %v: tensor<?x4x7x6xf32>) -> tensor<?x4x5x6xf32> {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<?x4x7x8xf32>) -> tensor<?x4x8x7xf32>
  %s = inlay.matmul %q, %t : (tensor<?x4x5x8xf32>, tensor<?x4x8x7xf32>) -> tensor<?x4x5x7xf32>
  %w = inlay.softmax %s : (tensor<?x4x5x7xf32>) -> tensor<?x4x5x7xf32>
  %y = inlay.matmul %w, %v : (tensor<?x4x5x7xf32>, tensor<?x4x7x6xf32>) -> tensor<?x4x5x6xf32>
  return %y : tensor<?x4x5x6xf32>
}

// -----

// With one, they might be what the mask broadcasts.
// CHECK-LABEL: func.func @mask_of_unknown_length
// CHECK-NOT: inlay.attention
// CHECK: return
!q = tensor<2x4x?x8xf32>
!s = tensor<2x4x?x?xf32>
func.func @mask_of_unknown_length(%q: !q, %k: !q, %v: !q, %m: tensor<?x?xf32>) -> !q {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!q) -> tensor<2x4x8x?xf32>
  %s = inlay.matmul %q, %t : (!q, tensor<2x4x8x?xf32>) -> !s
  %0 = inlay.add %s, %m : (!s, tensor<?x?xf32>) -> !s
  %w = inlay.softmax %0 : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !q) -> !q
  return %y : !q
}

// -----

// The scores are computed once, the product with the value in a body.
// CHECK-LABEL: func.func @scores_in_front_of_a_body
// CHECK-NOT: inlay.attention
// CHECK: return
!h = tensor<2x4x5x8xf32>
!s = tensor<2x4x5x5xf32>
func.func @scores_in_front_of_a_body(%c: tensor<i1>, %q: !h, %k: !h, %v: !h) -> !h {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!h) -> tensor<2x4x8x5xf32>
  %s = inlay.matmul %q, %t : (!h, tensor<2x4x8x5xf32>) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %y = inlay.if %c : (tensor<i1>) -> !h {
    %0 = inlay.matmul %w, %v : (!s, !h) -> !h
    inlay.yield %0 : !h
  } else {
    inlay.yield %v : !h
  }
  return %y : !h
}
