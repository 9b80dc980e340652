// RUN: %inlay-opt %s -inlay-rewrite -split-input-file | FileCheck %s

// Nothing between the products.
// CHECK-LABEL: func.func @plain
// CHECK-NEXT: %[[Y:.*]], %{{.*}}, %{{.*}}, %{{.*}} = inlay.attention %arg0, %arg1, %arg2 {scale = 1.000000e+00 : f32}
// CHECK-NEXT: return %[[Y]]
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @plain(%q: !q, %k: !k, %v: !v) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// Divided by the root of the head size, and a mask that nobody knows: rows that
// it hides are what softmax makes of them.
// CHECK-LABEL: func.func @scale_and_mask
// CHECK-NEXT: inlay.attention %arg0, %arg1, %arg2 mask %arg3 {masked_rows = "softmax", scale = 2.500000e-01 : f32}
// CHECK-NEXT: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @scale_and_mask(%q: !q, %k: !k, %v: !v, %m: tensor<2x1x1x7xf32>) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %c = inlay.constant dense<4.0> : tensor<f32>
  %0 = inlay.div %s, %c : (!s, tensor<f32>) -> !s
  %1 = inlay.add %m, %0 : (tensor<2x1x1x7xf32>, !s) -> !s
  %w = inlay.softmax %1 : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// The root of the scale on both sides, in front of and behind the transpose.
// CHECK-LABEL: func.func @split_scale
// CHECK-NEXT: inlay.attention %arg0, %arg1, %arg2 {scale = 2.500000e-01 : f32}
// CHECK-NEXT: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @split_scale(%q: !q, %k: !k, %v: !v) -> !y {
  %c = inlay.constant dense<0.5> : tensor<1xf32>
  %0 = inlay.mul %q, %c : (!q, tensor<1xf32>) -> !q
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %1 = inlay.mul %c, %t : (tensor<1xf32>, !t) -> !t
  %s = inlay.matmul %0, %1 : (!q, !t) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// One transpose moves the heads of the key and the key itself: it still is what
// the key is made with, and the scale stands behind it.
// CHECK-LABEL: func.func @scaled_key_behind_one_transpose
// CHECK-NEXT: %[[K:.*]] = inlay.transpose %arg1 {perm = array<i64: 0, 2, 1, 3>}
// CHECK-NEXT: inlay.attention %arg0, %[[K]], %arg2 {scale = 5.000000e-01 : f32}
// CHECK-NEXT: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x7x4x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @scaled_key_behind_one_transpose(%q: !q, %k: !k, %v: !v) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 2, 3, 1>} : (!k) -> !t
  %c = inlay.constant dense<0.5> : tensor<f32>
  %0 = inlay.mul %t, %c : (!t, tensor<f32>) -> !t
  %s = inlay.matmul %q, %0 : (!q, !t) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// A constant mask that shows a key to every row needs no care.
// CHECK-LABEL: func.func @constant_mask
// CHECK: inlay.attention %arg0, %arg1, %arg2 mask %{{.*}} {scale = 1.000000e+00 : f32}
// CHECK-NEXT: return
func.func @constant_mask(%q: tensor<1x2x2x4xf32>, %k: tensor<1x2x2x4xf32>, %v: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
  %m = inlay.constant dense<[[0.0, 0xFF800000], [0.0, 0.0]]> : tensor<2x2xf32>
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x2x2x4xf32>) -> tensor<1x2x4x2xf32>
  %s = inlay.matmul %q, %t : (tensor<1x2x2x4xf32>, tensor<1x2x4x2xf32>) -> tensor<1x2x2x2xf32>
  %0 = inlay.add %s, %m : (tensor<1x2x2x2xf32>, tensor<2x2xf32>) -> tensor<1x2x2x2xf32>
  %w = inlay.softmax %0 {axis = 3 : i64} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %y = inlay.matmul %w, %v : (tensor<1x2x2x2xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  return %y : tensor<1x2x2x4xf32>
}

// -----

// One that hides a row does.
// CHECK-LABEL: func.func @constant_mask_hides_a_row
// CHECK: inlay.attention {{.*}} {masked_rows = "softmax", scale = 1.000000e+00 : f32}
// CHECK-NEXT: return
func.func @constant_mask_hides_a_row(%q: tensor<1x2x2x4xf32>, %k: tensor<1x2x2x4xf32>, %v: tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32> {
  %m = inlay.constant dense<[[0xFF800000, 0xFF800000], [0.0, 0.0]]> : tensor<2x2xf32>
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x2x2x4xf32>) -> tensor<1x2x4x2xf32>
  %s = inlay.matmul %q, %t : (tensor<1x2x2x4xf32>, tensor<1x2x4x2xf32>) -> tensor<1x2x2x2xf32>
  %0 = inlay.add %s, %m : (tensor<1x2x2x2xf32>, tensor<2x2xf32>) -> tensor<1x2x2x2xf32>
  %w = inlay.softmax %0 {axis = 3 : i64} : (tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %y = inlay.matmul %w, %v : (tensor<1x2x2x2xf32>, tensor<1x2x2x4xf32>) -> tensor<1x2x2x4xf32>
  return %y : tensor<1x2x2x4xf32>
}

// -----

// A choice of -inf is a condition, and its opposite; NaN behind the softmax
// becomes zero.
// CHECK-LABEL: func.func @condition
// CHECK-NEXT: inlay.attention %arg0, %arg1, %arg2 mask %arg3 {masked_rows = "nan_to_zero", scale = 1.000000e+00 : f32}
// CHECK-NEXT: %[[NOT:.*]] = inlay.not %arg3
// CHECK-NEXT: inlay.attention %arg0, %arg1, %arg2 mask %[[NOT]] {masked_rows = "softmax", scale = 1.000000e+00 : f32}
// CHECK-NEXT: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @condition(%q: !q, %k: !k, %v: !v, %c: tensor<5x7xi1>) -> (!y, !y) {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %inf = inlay.constant dense<0xFF800000> : tensor<f32>
  %zero = inlay.constant dense<0.0> : tensor<f32>
  %0 = inlay.where %c, %s, %inf : (tensor<5x7xi1>, !s, tensor<f32>) -> !s
  %1 = inlay.softmax %0 : (!s) -> !s
  %2 = inlay.is_nan %1 : (!s) -> tensor<2x4x5x7xi1>
  %w = inlay.where %2, %zero, %1 : (tensor<2x4x5x7xi1>, tensor<f32>, !s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  %u = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %3 = inlay.matmul %q, %u : (!q, !t) -> !s
  %4 = inlay.where %c, %inf, %3 : (tensor<5x7xi1>, tensor<f32>, !s) -> !s
  %5 = inlay.softmax %4 : (!s) -> !s
  %z = inlay.matmul %5, %v : (!s, !v) -> !y
  return %y, %z : !y, !y
}

// -----

// A number that swallows every score is added where it replaced one.
// CHECK-LABEL: func.func @lowest_number
// CHECK: %[[M:.*]] = inlay.where %arg3, %{{.*}}, %{{.*}} : (tensor<5x7xi1>, tensor<f32>, tensor<f32>) -> tensor<5x7xf32>
// CHECK-NEXT: inlay.attention %arg0, %arg1, %arg2 mask %[[M]] {masked_rows = "softmax", scale = 1.000000e+00 : f32}
// CHECK-NEXT: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @lowest_number(%q: !q, %k: !k, %v: !v, %c: tensor<5x7xi1>) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %low = inlay.constant dense<-3.40282347E+38> : tensor<f32>
  %0 = inlay.where %c, %s, %low : (tensor<5x7xi1>, !s, tensor<f32>) -> !s
  %w = inlay.softmax %0 : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// A bias and a mask are one mask, views of the scores between them.
// CHECK-LABEL: func.func @bias_and_mask
// CHECK-DAG: %[[M:.*]] = inlay.reshape %arg4 {shape = array<i64: 2, 1, 5, 7>}
// CHECK-DAG: %[[SUM:.*]] = inlay.add
// CHECK: inlay.attention %arg0, %arg1, %arg2 mask %[[SUM]] {masked_rows = "softmax", scale = 5.000000e-01 : f32}
// CHECK-NEXT: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @bias_and_mask(%q: !q, %k: !k, %v: !v, %b: tensor<4x5x7xf32>, %m: tensor<1x2x1x5x7xf32>) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %c = inlay.constant dense<0.5> : tensor<f32>
  %0 = inlay.mul %s, %c : (!s, tensor<f32>) -> !s
  %1 = inlay.add %0, %b : (!s, tensor<4x5x7xf32>) -> !s
  %2 = inlay.reshape %1 {shape = array<i64: 1, 2, 4, 5, 7>} : (!s) -> tensor<1x2x4x5x7xf32>
  %3 = inlay.add %2, %m : (tensor<1x2x4x5x7xf32>, tensor<1x2x1x5x7xf32>) -> tensor<1x2x4x5x7xf32>
  %4 = inlay.reshape %3 {shape = array<i64: 2, 4, 5, 7>} : (tensor<1x2x4x5x7xf32>) -> !s
  %w = inlay.softmax %4 : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// Capped scores.
// CHECK-LABEL: func.func @softcap
// CHECK-NEXT: inlay.attention %arg0, %arg1, %arg2 mask %arg3 {masked_rows = "softmax", scale = 2.500000e-01 : f32, softcap = 2.000000e+01 : f32}
// CHECK-NEXT: return
!q = tensor<2x4x5x8xf32>
!k = tensor<2x4x7x8xf32>
!t = tensor<2x4x8x7xf32>
!v = tensor<2x4x7x6xf32>
!s = tensor<2x4x5x7xf32>
!y = tensor<2x4x5x6xf32>
func.func @softcap(%q: !q, %k: !k, %v: !v, %m: tensor<5x7xf32>) -> !y {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!k) -> !t
  %s = inlay.matmul %q, %t : (!q, !t) -> !s
  %c = inlay.constant dense<0.25> : tensor<f32>
  %cap = inlay.constant dense<20.0> : tensor<f32>
  %0 = inlay.mul %s, %c : (!s, tensor<f32>) -> !s
  %1 = inlay.div %0, %cap : (!s, tensor<f32>) -> !s
  %2 = inlay.tanh %1 : (!s) -> !s
  %3 = inlay.mul %2, %cap : (!s, tensor<f32>) -> !s
  %4 = inlay.add %3, %m : (!s, tensor<5x7xf32>) -> !s
  %w = inlay.softmax %4 : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !v) -> !y
  return %y : !y
}

// -----

// The softmax of halves is taken in single precision.
// CHECK-LABEL: func.func @half
// CHECK-NEXT: inlay.attention %arg0, %arg1, %arg2 {scale = 1.000000e+00 : f32, softmax_precision = 1 : i64}
// CHECK-NEXT: return
!h = tensor<1x2x4x8xf16>
func.func @half(%q: !h, %k: !h, %v: !h) -> !h {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!h) -> tensor<1x2x8x4xf16>
  %s = inlay.matmul %q, %t : (!h, tensor<1x2x8x4xf16>) -> tensor<1x2x4x4xf16>
  %0 = inlay.cast %s {to = 1 : i64} : (tensor<1x2x4x4xf16>) -> tensor<1x2x4x4xf32>
  %1 = inlay.softmax %0 : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  %w = inlay.cast %1 {to = 10 : i64} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf16>
  %y = inlay.matmul %w, %v : (tensor<1x2x4x4xf16>, !h) -> !h
  return %y : !h
}

// -----

// Stacks of matrices are one head.
// CHECK-LABEL: func.func @rank_three
// CHECK-DAG: %[[Q:.*]] = inlay.reshape %arg0 {shape = array<i64: 6, 1, 5, 8>}
// CHECK-DAG: %[[K:.*]] = inlay.reshape %arg1 {shape = array<i64: 6, 1, 7, 8>}
// CHECK-DAG: %[[V:.*]] = inlay.reshape %arg2 {shape = array<i64: 6, 1, 7, 8>}
// CHECK-DAG: %[[M:.*]] = inlay.reshape %arg3 {shape = array<i64: 6, 1, 5, 7>}
// CHECK: inlay.attention %[[Q]], %[[K]], %[[V]] mask %[[M]] {masked_rows = "softmax", scale = 1.000000e+00 : f32}
// CHECK-NEXT: inlay.reshape %{{.*}} {shape = array<i64: 6, 5, 8>}
// CHECK-NEXT: return
func.func @rank_three(%q: tensor<6x5x8xf32>, %k: tensor<6x7x8xf32>, %v: tensor<6x7x8xf32>, %m: tensor<6x5x7xf32>) -> tensor<6x5x8xf32> {
  %t = inlay.transpose %k {perm = array<i64: 0, 2, 1>} : (tensor<6x7x8xf32>) -> tensor<6x8x7xf32>
  %s = inlay.matmul %q, %t : (tensor<6x5x8xf32>, tensor<6x8x7xf32>) -> tensor<6x5x7xf32>
  %0 = inlay.add %s, %m : (tensor<6x5x7xf32>, tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %w = inlay.softmax %0 : (tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %y = inlay.matmul %w, %v : (tensor<6x5x7xf32>, tensor<6x7x8xf32>) -> tensor<6x5x8xf32>
  return %y : tensor<6x5x8xf32>
}

// -----

// Neighbouring heads of the query share one of the key.
// CHECK-LABEL: func.func @shared_heads
// CHECK-NOT: inlay.expand
// CHECK: inlay.attention %arg0, %{{.*}}, %{{.*}} {scale = 1.000000e+00 : f32} : (tensor<1x4x3x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x8xf32>)
// CHECK-NEXT: return
!h = tensor<1x2x5x8xf32>
!u = tensor<1x2x1x5x8xf32>
!e = tensor<1x2x2x5x8xf32>
func.func @shared_heads(%q: tensor<1x4x3x8xf32>, %k: !h, %v: !h) -> tensor<1x4x3x8xf32> {
  %0 = inlay.unsqueeze %k {axes = array<i64: 2>} : (!h) -> !u
  %1 = inlay.expand %0 {shape = array<i64: 1, 2, 2, 5, 8>} : (!u) -> !e
  %2 = inlay.reshape %1 {shape = array<i64: 1, 4, 5, 8>} : (!e) -> tensor<1x4x5x8xf32>
  %3 = inlay.unsqueeze %v {axes = array<i64: 2>} : (!h) -> !u
  %4 = inlay.expand %3 {shape = array<i64: 1, 2, 2, 5, 8>} : (!u) -> !e
  %5 = inlay.reshape %4 {shape = array<i64: 1, 4, 5, 8>} : (!e) -> tensor<1x4x5x8xf32>
  %t = inlay.transpose %2 {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x4x5x8xf32>) -> tensor<1x4x8x5xf32>
  %s = inlay.matmul %q, %t : (tensor<1x4x3x8xf32>, tensor<1x4x8x5xf32>) -> tensor<1x4x3x5xf32>
  %w = inlay.softmax %s : (tensor<1x4x3x5xf32>) -> tensor<1x4x3x5xf32>
  %y = inlay.matmul %w, %5 : (tensor<1x4x3x5xf32>, tensor<1x4x5x8xf32>) -> tensor<1x4x3x8xf32>
  return %y : tensor<1x4x3x8xf32>
}

// -----

// Heads that are repeated one after the other are not neighbours.
// CHECK-LABEL: func.func @repeated_in_turn
// CHECK: inlay.expand
// CHECK: inlay.attention %arg0, %{{.*}}, %{{.*}} {scale = 1.000000e+00 : f32} : (tensor<1x4x3x8xf32>, tensor<1x4x5x8xf32>, tensor<1x4x5x8xf32>)
// CHECK-NEXT: return
!h = tensor<1x2x5x8xf32>
!u = tensor<1x1x2x5x8xf32>
!e = tensor<1x2x2x5x8xf32>
func.func @repeated_in_turn(%q: tensor<1x4x3x8xf32>, %k: !h, %v: !h) -> tensor<1x4x3x8xf32> {
  %0 = inlay.unsqueeze %k {axes = array<i64: 1>} : (!h) -> !u
  %1 = inlay.expand %0 {shape = array<i64: 1, 2, 2, 5, 8>} : (!u) -> !e
  %2 = inlay.reshape %1 {shape = array<i64: 1, 4, 5, 8>} : (!e) -> tensor<1x4x5x8xf32>
  %3 = inlay.unsqueeze %v {axes = array<i64: 1>} : (!h) -> !u
  %4 = inlay.expand %3 {shape = array<i64: 1, 2, 2, 5, 8>} : (!u) -> !e
  %5 = inlay.reshape %4 {shape = array<i64: 1, 4, 5, 8>} : (!e) -> tensor<1x4x5x8xf32>
  %t = inlay.transpose %2 {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x4x5x8xf32>) -> tensor<1x4x8x5xf32>
  %s = inlay.matmul %q, %t : (tensor<1x4x3x8xf32>, tensor<1x4x8x5xf32>) -> tensor<1x4x3x5xf32>
  %w = inlay.softmax %s : (tensor<1x4x3x5xf32>) -> tensor<1x4x3x5xf32>
  %y = inlay.matmul %w, %5 : (tensor<1x4x3x5xf32>, tensor<1x4x5x8xf32>) -> tensor<1x4x3x8xf32>
  return %y : tensor<1x4x3x8xf32>
}

// -----

// Without a mask, nobody needs to know how many queries and keys there are.
// CHECK-LABEL: func.func @unknown_lengths
// CHECK-NEXT: inlay.attention %arg0, %arg1, %arg2 {scale = 1.000000e+00 : f32}
// CHECK-NEXT: return
!q = tensor<2x4x?x8xf32>
!s = tensor<2x4x?x?xf32>
func.func @unknown_lengths(%q: !q, %k: !q, %v: !q) -> !q {
  %t = inlay.transpose %k {perm = array<i64: 0, 1, 3, 2>} : (!q) -> tensor<2x4x8x?xf32>
  %s = inlay.matmul %q, %t : (!q, tensor<2x4x8x?xf32>) -> !s
  %w = inlay.softmax %s : (!s) -> !s
  %y = inlay.matmul %w, %v : (!s, !q) -> !q
  return %y : !q
}
