// The three stages (docs/Requirements.md): composite operators 1, 3 and 4 are
// expanded, the basic operator 2 joins them in one cluster, and two new
// operators are made of it.

// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-expand | FileCheck %s --check-prefix=EXPAND
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-expand -inlay-aggregate | FileCheck %s --check-prefix=CLUSTER
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-expand -inlay-aggregate -inlay-plan-kernels -inlay-reconstruct | FileCheck %s
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-expand -inlay-plan-kernels -inlay-reconstruct | FileCheck %s

// EXPAND-LABEL: @figure
// EXPAND: inlay.expanded {{.*}}inlay.expansion = 0
// EXPAND: inlay.mul
// EXPAND: inlay.expanded {{.*}}inlay.expansion = 1
// EXPAND: inlay.expanded {{.*}}inlay.expansion = 2

// CLUSTER-LABEL: @figure
// CLUSTER: inlay.group "none" "cluster_0" cluster
// CLUSTER-NOT: inlay.group
// CLUSTER: return

// The first new operator reduces over places, the second one over channels.
// CHECK-LABEL: @figure
// CHECK: %[[Y:.*]] = inlay.group "none" "kernel_0" kernel <reduce
// CHECK-NEXT: inlay.instance_normalization
// CHECK-NEXT: inlay.mul
// CHECK-NEXT: inlay.yield
// CHECK: inlay.group "none" "kernel_1" kernel <reduce
// CHECK-NEXT: inlay.softmax %[[Y]]
// CHECK-NEXT: inlay.lp_normalization
// CHECK-NEXT: inlay.yield
// CHECK-NOT: inlay.group
func.func @figure(%x: tensor<2x8x6x6xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>, %y: tensor<2x8x6x6xf32>) -> (tensor<2x8x6x6xf32>, tensor<2x8x6x6xf32>) {
  %1 = inlay.instance_normalization %x, %s, %b : (tensor<2x8x6x6xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x6x6xf32>
  %2 = inlay.mul %1, %y : (tensor<2x8x6x6xf32>, tensor<2x8x6x6xf32>) -> tensor<2x8x6x6xf32>
  %3 = inlay.softmax %2 {axis = 1 : i64} : (tensor<2x8x6x6xf32>) -> tensor<2x8x6x6xf32>
  %4 = inlay.lp_normalization %3 {axis = 1 : i64} : (tensor<2x8x6x6xf32>) -> tensor<2x8x6x6xf32>
  return %2, %4 : tensor<2x8x6x6xf32>, tensor<2x8x6x6xf32>
}

// f39: an expansion that saves nothing is the operator that it was.
// CHECK-LABEL: @alone
// CHECK-NEXT: inlay.softmax
// CHECK-NEXT: return
func.func @alone(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = inlay.softmax %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// One whose pieces save something stays in pieces: the product reads what was
// normalised, and only the norms are written in between.
// CHECK-LABEL: @in_pieces
// CHECK: inlay.group "none" "kernel_0" kernel <reduce{{.*}}> : tensor<64x1xf32>
// CHECK: inlay.group "none" "kernel_1" kernel <contraction
// CHECK-NEXT: inlay.div
// CHECK: inlay.matmul
// CHECK-NOT: inlay.lp_normalization
func.func @in_pieces(%x: tensor<64x64xf32>, %w: tensor<64x8xf32>) -> tensor<64x8xf32> {
  %0 = inlay.lp_normalization %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = inlay.matmul %0, %w : (tensor<64x64xf32>, tensor<64x8xf32>) -> tensor<64x8xf32>
  return %1 : tensor<64x8xf32>
}
