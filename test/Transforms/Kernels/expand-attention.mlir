// RUN: %inlay-opt %s -inlay-expand="replace all" -mlir-print-debuginfo=false -split-input-file | FileCheck %s

// Scores are scaled where the softmax reads them anyway.
// CHECK-LABEL: func @heads_in_front
// CHECK: %[[T:.*]] = inlay.transpose %arg1 {perm = array<i64: 0, 1, 3, 2>}
// CHECK: %[[S:.*]] = inlay.matmul %arg0, %[[T]]
// CHECK: %[[SCALED:.*]] = inlay.mul %[[S]], %{{.*}}
// CHECK: %[[MASKED:.*]] = inlay.add %[[SCALED]], %arg3
// CHECK: inlay.reduce_max %[[MASKED]]
// CHECK: %[[W:.*]] = inlay.div
// CHECK-NOT: inlay.where
// CHECK: inlay.matmul %[[W]], %arg2
// CHECK-NEXT: return
!h = tensor<2x4x5x8xf32>
func.func @heads_in_front(%q: !h, %k: !h, %v: !h, %m: tensor<5x5xf32>) -> !h {
  %0:4 = inlay.attention %q, %k, %v mask %m {masked_rows = "softmax"}
      : (!h, !h, !h, tensor<5x5xf32>) -> (!h, !h, !h, tensor<2x4x5x5xf32>)
  return %0#0 : !h
}

// -----

// The key needs one transpose only.
// CHECK-LABEL: func @merged_heads
// CHECK: %[[Q:.*]] = inlay.reshape %arg0 {shape = array<i64: 0, 5, 4, 8>} : (tensor<?x5x32xf32>) -> tensor<?x5x4x8xf32>
// CHECK: inlay.transpose %[[Q]] {perm = array<i64: 0, 2, 1, 3>}
// CHECK: %[[K:.*]] = inlay.reshape %arg1 {shape = array<i64: 0, 5, 4, 8>}
// CHECK: inlay.transpose %[[K]] {perm = array<i64: 0, 2, 3, 1>}
// CHECK: %[[V:.*]] = inlay.reshape %arg2 {shape = array<i64: 0, 5, 4, 8>}
// CHECK: inlay.transpose %[[V]] {perm = array<i64: 0, 2, 1, 3>}
// CHECK: %[[Y:.*]] = inlay.transpose %{{.*}} {perm = array<i64: 0, 2, 1, 3>}
// CHECK: inlay.reshape %[[Y]] {shape = array<i64: 0, 5, 32>}
// CHECK-NEXT: return
!x = tensor<?x5x32xf32>
func.func @merged_heads(%q: !x, %k: !x, %v: !x) -> !x {
  %0:4 = inlay.attention %q, %k, %v {q_num_heads = 4 : i64, kv_num_heads = 4 : i64}
      : (!x, !x, !x) -> (!x, tensor<?x4x5x8xf32>, tensor<?x4x5x8xf32>, tensor<?x4x5x5xf32>)
  return %0#0 : !x
}

// -----

// Heads that share one are rows of one matrix: nothing is repeated.
// CHECK-LABEL: func @shared_heads
// CHECK-NOT: inlay.expand
// CHECK: %[[Q:.*]] = inlay.reshape %arg0 {shape = array<i64: 2, 2, 10, 8>}
// CHECK: inlay.matmul %[[Q]], %{{.*}} : (tensor<2x2x10x8xf32>, tensor<2x2x8x7xf32>)
!q = tensor<2x4x5x8xf32>
!k = tensor<2x2x7x8xf32>
func.func @shared_heads(%q: !q, %k: !k, %v: !k) -> !q {
  %0:4 = inlay.attention %q, %k, %v : (!q, !k, !k) -> (!q, !k, !k, tensor<2x4x5x7xf32>)
  return %0#0 : !q
}

// -----

// A row that looks nowhere is zero, unless a constant mask shows that there is
// none.
// CHECK-LABEL: func @hidden_rows
// CHECK: inlay.where %arg1, %{{.*}}, %{{.*}} : (tensor<2x2xi1>, tensor<1x1x2x2xf32>, tensor<f32>)
// CHECK: inlay.div
// CHECK: inlay.where %arg1, %{{.*}}, %{{.*}} : (tensor<2x2xi1>, tensor<1x1x2x2xf32>, tensor<f32>)
// CHECK: inlay.where %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x2xi1>, tensor<1x1x2x2xf32>, tensor<f32>)
// CHECK: inlay.div
// CHECK-NOT: inlay.where
// CHECK: return
!h = tensor<1x1x2x4xf32>
func.func @hidden_rows(%x: !h, %m: tensor<2x2xi1>) -> (!h, !h) {
  %c = inlay.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %0:4 = inlay.attention %x, %x, %x mask %m : (!h, !h, !h, tensor<2x2xi1>) -> (!h, !h, !h, tensor<1x1x2x2xf32>)
  %1:4 = inlay.attention %x, %x, %x mask %c : (!h, !h, !h, tensor<2x2xi1>) -> (!h, !h, !h, tensor<1x1x2x2xf32>)
  return %0#0, %1#0 : !h, !h
}

// -----

// CHECK-LABEL: func @rotation
// CHECK: %[[C:.*]] = inlay.gather %arg1, %arg3
// CHECK: inlay.reshape %[[C]] {shape = array<i64: 2, 1, 5, 4>}
// CHECK: inlay.slice %arg0 {axes = array<i64: -1>, ends = array<i64: 4>, starts = array<i64: 0>, steps = array<i64: 1>}
// CHECK: inlay.slice %arg0 {axes = array<i64: -1>, ends = array<i64: 8>, starts = array<i64: 4>, steps = array<i64: 1>}
// CHECK: %[[RE:.*]] = inlay.sub
// CHECK: %[[IM:.*]] = inlay.add
// CHECK: inlay.concat %[[RE]], %[[IM]]
// CHECK-NEXT: return
!h = tensor<2x4x5x8xf32>
func.func @rotation(%x: !h, %c: tensor<9x4xf32>, %s: tensor<9x4xf32>, %p: tensor<2x5xi64>) -> !h {
  %0 = inlay.rotary_embedding %x, %c, %s at %p : (!h, tensor<9x4xf32>, tensor<9x4xf32>, tensor<2x5xi64>) -> !h
  return %0 : !h
}
