// Bodies of If, Loop and Scan are graphs of their own: kernels are made in
// them, none has operators of two, and what they capture is read in them.

// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-expand -inlay-plan-kernels -inlay-reconstruct | FileCheck %s
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-expand -inlay-aggregate -inlay-plan-kernels -inlay-reconstruct | FileCheck %s
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-expand -inlay-aggregate | FileCheck %s --check-prefix=CLUSTER
// RUN: %inlay-opt %s -inlay-expand -inlay-plan-kernels="remarks=1 strategy=optimal" 2>&1 | FileCheck %s --check-prefix=BYTES

// A function that has kernels, in bodies only, is finished.
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-expand -inlay-plan-kernels -inlay-reconstruct > %t.mlir
// RUN: %inlay-opt %t.mlir -mlir-print-debuginfo=false -inlay-expand -inlay-plan-kernels -inlay-reconstruct | diff %t.mlir -

// The kernels of a body follow those of the graph that it is in.
// CHECK-LABEL: @choose
// CHECK-NEXT: inlay.tanh
// CHECK-NEXT: inlay.if
// CHECK-NEXT: inlay.group "none" "kernel_1" kernel <reduce
// CHECK-NEXT: inlay.exp
// CHECK-NEXT: inlay.mul
// CHECK-NEXT: inlay.softmax
// CHECK: else
// CHECK-NEXT: inlay.group "none" "kernel_2" kernel <elementwise
// CHECK: inlay.group "none" "kernel_0" kernel <elementwise
// CHECK-NEXT: inlay.exp
// CHECK-NEXT: inlay.mul
// CLUSTER-LABEL: @choose
// CLUSTER: inlay.if
// CLUSTER-NEXT: inlay.group "none" "cluster_1" cluster
// CLUSTER: else
// CLUSTER-NEXT: inlay.group "none" "cluster_2" cluster
// CLUSTER: inlay.group "none" "cluster_0" cluster

// A tensor has 128 bytes. The tanh reads one; the If its condition, of one
// byte, and not what its branches capture; each of the three kernels two. All
// five write one.
// BYTES: operators: 9 before, 5 after
// BYTES: bytes read: 1409 before, 897 after; written: 1152 before, 640 after
func.func @choose(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %c: tensor<i1>) -> tensor<4x8xf32> {
  %t = inlay.tanh %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = inlay.if %c : (tensor<i1>) -> tensor<4x8xf32> {
    %a = inlay.exp %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %b = inlay.mul %a, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %s = inlay.softmax %b : (tensor<4x8xf32>) -> tensor<4x8xf32>
    inlay.yield %s : tensor<4x8xf32>
  } else {
    %a = inlay.neg %t : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %b = inlay.add %a, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    inlay.yield %b : tensor<4x8xf32>
  }
  %e = inlay.exp %r : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %f = inlay.mul %e, %t : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %f : tensor<4x8xf32>
}

// What a loop carries is what its body reads and writes. A view that only the
// kernel needs is in it, one of the graph around it stays there.
// CHECK-LABEL: @repeat
// CHECK: inlay.reshape
// CHECK: inlay.loop
// CHECK-NOT: inlay.reshape
// CHECK: inlay.group "none" "kernel_0" kernel <elementwise
// CHECK-NEXT: inlay.squeeze
// CHECK-NEXT: inlay.add
// CHECK-NEXT: inlay.tanh
// CHECK-NEXT: inlay.yield
func.func @repeat(%x: tensor<8xf32>, %y: tensor<2x4xf32>, %n: tensor<i64>) -> tensor<8xf32> {
  %v = inlay.reshape %y {shape = array<i64: 1, 8>} : (tensor<2x4xf32>) -> tensor<1x8xf32>
  %r = inlay.loop(trip %n carry %x) : (tensor<i64>, tensor<8xf32>) -> tensor<8xf32> {
  ^bb0(%i: tensor<i64>, %go: tensor<i1>, %a: tensor<8xf32>):
    %w = inlay.squeeze %v {axes = array<i64: 0>} : (tensor<1x8xf32>) -> tensor<8xf32>
    %b = inlay.add %a, %w : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %d = inlay.tanh %b : (tensor<8xf32>) -> tensor<8xf32>
    inlay.yield %go, %d : tensor<i1>, tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// In a body of a body, and in no other graph.
// CHECK-LABEL: @nested
// CHECK: inlay.scan
// CHECK-NOT: inlay.group
// CHECK: inlay.if
// CHECK-NEXT: inlay.group "none" "kernel_0" kernel <elementwise
// CHECK-NOT: inlay.group
func.func @nested(%x: tensor<8xf32>, %rows: tensor<3x8xf32>, %c: tensor<i1>) -> tensor<8xf32> {
  %r = inlay.scan(%x, %rows) {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 0>, scan_input_directions = array<i64: 0>, scan_output_axes = array<i64>, scan_output_directions = array<i64>} : (tensor<8xf32>, tensor<3x8xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<8xf32>, %row: tensor<8xf32>):
    %b = inlay.if %c : (tensor<i1>) -> tensor<8xf32> {
      %d = inlay.add %a, %row : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %e = inlay.tanh %d : (tensor<8xf32>) -> tensor<8xf32>
      inlay.yield %e : tensor<8xf32>
    } else {
      inlay.yield %a : tensor<8xf32>
    }
    inlay.yield %b : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
