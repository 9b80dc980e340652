// RUN: %inlay-opt %s -inlay-set-target=target=ort -inlay-layout-transmit -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s
// RUN: %inlay-opt %s -inlay-set-target=target=none -inlay-layout-transmit -inlay-layout-preset -inlay-materialize-layouts | FileCheck %s --check-prefix=BYTES

// Means along another dimension than the last are no LayerNormalization to the
// runtime; two transposes stay.
// CHECK-LABEL: func.func @normalisation_stays_on_the_last_axis
// CHECK: inlay.transpose
// CHECK-COUNT-2: inlay.reduce_mean {{.*}} {axes = array<i64: 2>}
// CHECK: inlay.transpose
// CHECK-NEXT: return
// BYTES-LABEL: func.func @normalisation_stays_on_the_last_axis
// BYTES-NOT: inlay.transpose
// BYTES-COUNT-2: inlay.reduce_mean {{.*}} {axes = array<i64: 1>}
// BYTES-NOT: inlay.transpose
!x = tensor<64x16x32xf32>
!y = tensor<64x32x16xf32>
!m = tensor<64x16x1xf32>
!p = tensor<32xf32>
!s = tensor<f32>
func.func @normalisation_stays_on_the_last_axis(%in: !y) -> !y {
  %two = inlay.constant dense<2.0> : !s
  %eps = inlay.constant dense<1.0e-3> : !s
  %scale = inlay.constant dense<3.0> : !p
  %x = inlay.transpose %in {perm = array<i64: 0, 2, 1>} : (!y) -> !x
  %mean = inlay.reduce_mean %x {axes = array<i64: 2>} : (!x) -> !m
  %d = inlay.sub %x, %mean : (!x, !m) -> !x
  %q = inlay.pow %d, %two : (!x, !s) -> !x
  %v = inlay.reduce_mean %q {axes = array<i64: 2>} : (!x) -> !m
  %e = inlay.add %v, %eps : (!m, !s) -> !m
  %r = inlay.sqrt %e : (!m) -> !m
  %n = inlay.div %d, %r : (!x, !m) -> !x
  %w = inlay.mul %n, %scale : (!x, !p) -> !x
  %out = inlay.transpose %w {perm = array<i64: 0, 2, 1>} : (!x) -> !y
  return %out : !y
}


// What is not the last dimension changes places for all of them together.
// CHECK-LABEL: func.func @normalisation_is_moved_as_one
// CHECK-NOT: inlay.transpose
// CHECK-COUNT-2: inlay.reduce_mean {{.*}} {axes = array<i64: 2>} : (tensor<64x16x32xf32>)
// CHECK-NOT: inlay.transpose
!x1 = tensor<16x64x32xf32>
!y1 = tensor<64x16x32xf32>
!m1 = tensor<16x64x1xf32>
!s1 = tensor<f32>
func.func @normalisation_is_moved_as_one(%in: !y1) -> !y1 {
  %two = inlay.constant dense<2.0> : !s1
  %eps = inlay.constant dense<1.0e-3> : !s1
  %x = inlay.transpose %in {perm = array<i64: 1, 0, 2>} : (!y1) -> !x1
  %mean = inlay.reduce_mean %x {axes = array<i64: 2>} : (!x1) -> !m1
  %d = inlay.sub %x, %mean : (!x1, !m1) -> !x1
  %q = inlay.pow %d, %two : (!x1, !s1) -> !x1
  %v = inlay.reduce_mean %q {axes = array<i64: 2>} : (!x1) -> !m1
  %e = inlay.add %v, %eps : (!m1, !s1) -> !m1
  %r = inlay.sqrt %e : (!m1) -> !m1
  %n = inlay.div %d, %r : (!x1, !m1) -> !x1
  %out = inlay.transpose %n {perm = array<i64: 1, 0, 2>} : (!x1) -> !y1
  return %out : !y1
}


// The root is used elsewhere, so that nobody fuses it: nothing is kept.
// CHECK-LABEL: func.func @what_is_no_pattern_is_moved
// CHECK-NOT: inlay.transpose
// CHECK-COUNT-2: inlay.reduce_mean {{.*}} {axes = array<i64: 1>}
!x2 = tensor<64x16x32xf32>
!y2 = tensor<64x32x16xf32>
!m2 = tensor<64x16x1xf32>
!z2 = tensor<64x1x16xf32>
!s2 = tensor<f32>
func.func @what_is_no_pattern_is_moved(%in: !y2) -> (!y2, !z2) {
  %two = inlay.constant dense<2.0> : !s2
  %eps = inlay.constant dense<1.0e-3> : !s2
  %x = inlay.transpose %in {perm = array<i64: 0, 2, 1>} : (!y2) -> !x2
  %mean = inlay.reduce_mean %x {axes = array<i64: 2>} : (!x2) -> !m2
  %d = inlay.sub %x, %mean : (!x2, !m2) -> !x2
  %q = inlay.pow %d, %two : (!x2, !s2) -> !x2
  %v = inlay.reduce_mean %q {axes = array<i64: 2>} : (!x2) -> !m2
  %e = inlay.add %v, %eps : (!m2, !s2) -> !m2
  %r = inlay.sqrt %e : (!m2) -> !m2
  %n = inlay.div %d, %r : (!x2, !m2) -> !x2
  %out = inlay.transpose %n {perm = array<i64: 0, 2, 1>} : (!x2) -> !y2
  %root = inlay.transpose %r {perm = array<i64: 0, 2, 1>} : (!m2) -> !z2
  return %out, %root : !y2, !z2
}


// The scores are the smallest tensor, and would be the one to transpose.
// CHECK-LABEL: func.func @nothing_is_copied_between_two_products
// CHECK: %[[A:.*]] = inlay.softmax
// CHECK: %[[V:.*]] = inlay.transpose %arg2
// CHECK-NEXT: inlay.matmul %[[A]], %[[V]]
// BYTES-LABEL: func.func @nothing_is_copied_between_two_products
// BYTES: inlay.softmax
// BYTES-NEXT: inlay.transpose
// BYTES-NEXT: inlay.matmul
// BYTES-NEXT: return
!q3 = tensor<4x6x8x64xf32>
!k3 = tensor<4x6x64x8xf32>
!v3 = tensor<6x4x8x64xf32>
!w3 = tensor<4x6x8x8xf32>
func.func @nothing_is_copied_between_two_products(%q: !q3, %k: !k3, %in: !v3) -> !v3 {
  %v = inlay.transpose %in {perm = array<i64: 1, 0, 2, 3>} : (!v3) -> !q3
  %s = inlay.matmul %q, %k : (!q3, !k3) -> !w3
  %a = inlay.softmax %s : (!w3) -> !w3
  %y = inlay.matmul %a, %v : (!w3, !q3) -> !q3
  %out = inlay.transpose %y {perm = array<i64: 1, 0, 2, 3>} : (!q3) -> !v3
  return %out : !v3
}


// One transpose in front of the Split would do for query and value. An attention
// is known by what moves its heads: these are moved behind it, as they were.
// CHECK-LABEL: func.func @heads_are_moved_where_they_were
// CHECK: %[[S:.*]]:3 = inlay.split %arg0
// CHECK-DAG: inlay.transpose %[[S]]#0 {perm = array<i64: 0, 2, 1, 3>}
// CHECK-DAG: inlay.transpose %[[S]]#1 {perm = array<i64: 0, 2, 3, 1>}
// CHECK-DAG: inlay.transpose %[[S]]#2 {perm = array<i64: 0, 2, 1, 3>}
// CHECK: %[[T:.*]] = inlay.transpose %{{.*}} {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x4x196x32xf32>)
// CHECK-NEXT: inlay.sigmoid %[[T]]
!x5 = tensor<1x196x4x64xf32>
!q5 = tensor<1x196x4x16xf32>
!v5 = tensor<1x196x4x32xf32>
!h5 = tensor<1x4x196x16xf32>
!k5 = tensor<1x4x16x196xf32>
!u5 = tensor<1x4x196x32xf32>
!s5 = tensor<1x4x196x196xf32>
func.func @heads_are_moved_where_they_were(%x: !x5) -> !v5 {
  %s:3 = inlay.split %x {axis = 3 : i64, split = array<i64: 16, 16, 32>} : (!x5) -> (!q5, !q5, !v5)
  %q = inlay.transpose %s#0 {perm = array<i64: 0, 2, 1, 3>} : (!q5) -> !h5
  %k = inlay.transpose %s#1 {perm = array<i64: 0, 2, 3, 1>} : (!q5) -> !k5
  %v = inlay.transpose %s#2 {perm = array<i64: 0, 2, 1, 3>} : (!v5) -> !u5
  %a = inlay.matmul %q, %k : (!h5, !k5) -> !s5
  %w = inlay.softmax %a : (!s5) -> !s5
  %y = inlay.matmul %w, %v : (!s5, !u5) -> !u5
  %t = inlay.transpose %y {perm = array<i64: 0, 2, 1, 3>} : (!u5) -> !v5
  %r = inlay.sigmoid %t : (!v5) -> !v5
  return %r : !v5
}


// What is no attention has no heads: one transpose in front of the Split.
// CHECK-LABEL: func.func @what_is_no_attention_has_no_heads
// CHECK: inlay.transpose %arg0 {perm = array<i64: 0, 2, 1, 3>}
// CHECK-NEXT: inlay.split
!x6 = tensor<1x196x4x64xf32>
!q6 = tensor<1x196x4x16xf32>
!v6 = tensor<1x196x4x32xf32>
!h6 = tensor<1x4x196x16xf32>
!k6 = tensor<1x4x16x196xf32>
!u6 = tensor<1x4x196x32xf32>
!s6 = tensor<1x4x196x196xf32>
func.func @what_is_no_attention_has_no_heads(%x: !x6) -> !v6 {
  %s:3 = inlay.split %x {axis = 3 : i64, split = array<i64: 16, 16, 32>} : (!x6) -> (!q6, !q6, !v6)
  %q = inlay.transpose %s#0 {perm = array<i64: 0, 2, 1, 3>} : (!q6) -> !h6
  %k = inlay.transpose %s#1 {perm = array<i64: 0, 2, 3, 1>} : (!q6) -> !k6
  %v = inlay.transpose %s#2 {perm = array<i64: 0, 2, 1, 3>} : (!v6) -> !u6
  %a = inlay.matmul %q, %k : (!h6, !k6) -> !s6
  %w = inlay.sigmoid %a : (!s6) -> !s6
  %y = inlay.matmul %w, %v : (!s6, !u6) -> !u6
  %t = inlay.transpose %y {perm = array<i64: 0, 2, 1, 3>} : (!u6) -> !v6
  %r = inlay.sigmoid %t : (!v6) -> !v6
  return %r : !v6
}


// Elementwise from end to end: it goes along with any order.
// CHECK-LABEL: func.func @gelu_is_moved_as_one
// CHECK-NOT: inlay.transpose
// CHECK: return
!x4 = tensor<64x32x16xf32>
!y4 = tensor<64x16x32xf32>
!s4 = tensor<f32>
func.func @gelu_is_moved_as_one(%in: !y4) -> !y4 {
  %root = inlay.constant dense<1.41421356> : !s4
  %one = inlay.constant dense<1.0> : !s4
  %half = inlay.constant dense<0.5> : !s4
  %x = inlay.transpose %in {perm = array<i64: 0, 2, 1>} : (!y4) -> !x4
  %a = inlay.div %x, %root : (!x4, !s4) -> !x4
  %e = inlay.erf %a : (!x4) -> !x4
  %o = inlay.add %e, %one : (!x4, !s4) -> !x4
  %p = inlay.mul %x, %o : (!x4, !x4) -> !x4
  %g = inlay.mul %p, %half : (!x4, !s4) -> !x4
  %out = inlay.transpose %g {perm = array<i64: 0, 2, 1>} : (!x4) -> !y4
  return %out : !y4
}
