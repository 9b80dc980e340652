// RUN: %inlay-opt %s -inlay-rewrite -split-input-file | FileCheck %s

// Constants whose halves are alike; halves by Slice, in any order of operands.
// CHECK-LABEL: func.func @constant_caches
// CHECK-DAG: %[[C:.*]] = inlay.constant dense<{{.*}}1.000000e+00, 2.000000e+00, 1.000000e+00, 2.000000e+00
// CHECK-DAG: %[[S:.*]] = inlay.constant dense<3.000000e+00>
// CHECK-DAG: inlay.slice %[[C]] {axes = array<i64: -1>, ends = array<i64: 2>, starts = array<i64: 0>}
// CHECK-DAG: inlay.slice %[[S]] {axes = array<i64: -1>, ends = array<i64: 2>, starts = array<i64: 0>}
// CHECK: %[[Y:.*]] = inlay.rotary_embedding %arg0, %{{.*}}, %{{.*}} : (tensor<1x2x3x4xf32>, tensor<1x3x2xf32>, tensor<1x3x2xf32>)
// CHECK-NEXT: return %[[Y]]
!x = tensor<1x2x3x4xf32>
!h = tensor<1x2x3x2xf32>
!c = tensor<1x1x3x4xf32>
func.func @constant_caches(%x: !x) -> !x {
  %c = inlay.constant dense<[[[[1.0, 2.0, 1.0, 2.0], [1.0, 2.0, 1.0, 2.0], [5.0, 6.0, 5.0, 6.0]]]]> : !c
  %s = inlay.constant dense<3.0> : !c
  %0 = inlay.mul %x, %c : (!x, !c) -> !x
  %1 = inlay.slice %x {starts = array<i64: 0>, ends = array<i64: 2>, axes = array<i64: 3>} : (!x) -> !h
  %2 = inlay.slice %x {starts = array<i64: 2>, ends = array<i64: 9223372036854775807>, axes = array<i64: -1>, steps = array<i64: 1>} : (!x) -> !h
  %3 = inlay.neg %2 : (!h) -> !h
  %4 = inlay.concat %3, %1 {axis = -1 : i64} : (!h, !h) -> !x
  %5 = inlay.mul %s, %4 : (!c, !x) -> !x
  %y = inlay.add %5, %0 : (!x, !x) -> !x
  return %y : !x
}

// -----

// Computed from positions; halves by Split; one cache for the batch.
// CHECK-LABEL: func.func @computed_caches
// CHECK-DAG: inlay.cos
// CHECK-DAG: inlay.sin
// CHECK: inlay.rotary_embedding %arg0, %{{.*}}, %{{.*}} : (tensor<2x2x3x4xf32>, tensor<2x3x2xf32>, tensor<2x3x2xf32>)
!x = tensor<2x2x3x4xf32>
!h = tensor<2x2x3x2xf32>
!c = tensor<1x1x3x4xf32>
!f = tensor<1x3x2xf32>
!d = tensor<1x3x4xf32>
func.func @computed_caches(%x: !x, %f: !f) -> !x {
  %angles = inlay.concat %f, %f {axis = 2 : i64} : (!f, !f) -> !d
  %0 = inlay.cos %angles : (!d) -> !d
  %c = inlay.unsqueeze %0 {axes = array<i64: 1>} : (!d) -> !c
  %1 = inlay.sin %angles : (!d) -> !d
  %s = inlay.unsqueeze %1 {axes = array<i64: 1>} : (!d) -> !c
  %2 = inlay.mul %c, %x : (!c, !x) -> !x
  %3:2 = inlay.split %x {axis = 3 : i64, num_outputs = 2 : i64} : (!x) -> (!h, !h)
  %4 = inlay.neg %3#1 : (!h) -> !h
  %5 = inlay.concat %4, %3#0 {axis = 3 : i64} : (!h, !h) -> !x
  %6 = inlay.mul %5, %s : (!x, !c) -> !x
  %y = inlay.add %2, %6 : (!x, !x) -> !x
  return %y : !x
}

// -----

// Halves of a cache that nobody knows; a cache per head; the halves the other
// way round; without the sign.
// CHECK-LABEL: func.func @none
// CHECK-NOT: inlay.rotary_embedding
// CHECK: return
!x = tensor<1x2x3x4xf32>
!h = tensor<1x2x3x2xf32>
!c = tensor<1x1x3x4xf32>
!p = tensor<1x2x3x4xf32>
func.func @none(%x: !x, %a: !c) -> (!x, !x, !x, !x) {
  %c = inlay.constant dense<2.0> : !c
  %p = inlay.constant dense<2.0> : !p
  %0 = inlay.mul %x, %a : (!x, !c) -> !x
  %1 = inlay.slice %x {starts = array<i64: 0>, ends = array<i64: 2>, axes = array<i64: 3>} : (!x) -> !h
  %2 = inlay.slice %x {starts = array<i64: 2>, ends = array<i64: 4>, axes = array<i64: 3>} : (!x) -> !h
  %3 = inlay.neg %2 : (!h) -> !h
  %4 = inlay.concat %3, %1 {axis = 3 : i64} : (!h, !h) -> !x
  %5 = inlay.mul %4, %c : (!x, !c) -> !x
  %6 = inlay.add %0, %5 : (!x, !x) -> !x
  %7 = inlay.mul %x, %p : (!x, !p) -> !x
  %8 = inlay.neg %2 : (!h) -> !h
  %9 = inlay.concat %8, %1 {axis = 3 : i64} : (!h, !h) -> !x
  %10 = inlay.mul %9, %p : (!x, !p) -> !x
  %11 = inlay.add %7, %10 : (!x, !x) -> !x
  %12 = inlay.mul %x, %c : (!x, !c) -> !x
  %13 = inlay.neg %1 : (!h) -> !h
  %14 = inlay.concat %13, %2 {axis = 3 : i64} : (!h, !h) -> !x
  %15 = inlay.mul %14, %c : (!x, !c) -> !x
  %16 = inlay.add %12, %15 : (!x, !x) -> !x
  %17 = inlay.mul %x, %c : (!x, !c) -> !x
  %18 = inlay.concat %2, %1 {axis = 3 : i64} : (!h, !h) -> !x
  %19 = inlay.mul %18, %c : (!x, !c) -> !x
  %20 = inlay.add %17, %19 : (!x, !x) -> !x
  return %6, %11, %16, %20 : !x, !x, !x, !x
}
