// RUN: %inlay-opt %s -o %t -inlay-plan-kernels=remarks=true -inlay-reconstruct 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-plan-kernels -inlay-reconstruct | FileCheck %s
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-plan-kernels -inlay-reconstruct -inlay-plan-kernels -inlay-reconstruct | FileCheck %s

// REMARK: 'A' and 'C' are not fused: cycle: something outside would wait for the kernel and the kernel for it

// f1: the raw value is a result, too.
// CHECK-LABEL: @raw_value_used
// CHECK: %{{.*}}:2 = inlay.group "none" "kernel_0" kernel <contraction
// CHECK: inlay.conv
// CHECK-NEXT: inlay.relu
func.func @raw_value_used(%x: tensor<1x4x4x4xf32>, %w: tensor<4x4x1x1xf32>) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) {
  %c = inlay.conv %x, %w : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %r = inlay.relu %c : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %c, %r : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>
}

// f2: A and C around something opaque.
// CHECK-LABEL: @around_opaque
// CHECK: inlay.relu
// CHECK-NEXT: inlay.cumsum
// CHECK-NEXT: inlay.add
// CHECK-NOT: inlay.group
func.func @around_opaque(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = inlay.relu %x : (tensor<4x4xf32>) -> tensor<4x4xf32> loc(fused<#inlay.origin<"A", "Relu", ["a"]>>[unknown])
  %b = inlay.cumsum %a {axis = 0 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = inlay.add %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> loc(fused<#inlay.origin<"C", "Add", ["c"]>>[unknown])
  return %c : tensor<4x4xf32>
}

// f3: two kernels that would each feed the other.
// CHECK-LABEL: @each_feeds_the_other
// CHECK: return
func.func @each_feeds_the_other(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %a1 = inlay.relu %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %o1 = inlay.cumsum %a1 {axis = 0 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %b2 = inlay.exp %y : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %o2 = inlay.cumsum %b2 {axis = 0 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %b1 = inlay.add %o1, %b2 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %a2 = inlay.add %o2, %a1 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %b1, %a2 : tensor<4x4xf32>, tensor<4x4xf32>
}

// f5: a shared constant joins nothing.
// CHECK-LABEL: @shared_constant
// CHECK-NOT: inlay.group
func.func @shared_constant(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %c = inlay.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a = inlay.add %x, %c : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %b = inlay.mul %y, %c : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %a, %b : tensor<2x2xf32>, tensor<2x2xf32>
}

// f6: a diamond is one kernel with one result.
// CHECK-LABEL: @diamond
// CHECK: inlay.group "none" "kernel_0" kernel <contraction, anchor = 0, space = [1, 4, 4, 4, 4, 1, 1], reduced = [4, 5, 6], reads = [anchor, anchor]> : tensor<1x4x4x4xf32>
// CHECK-NEXT: inlay.conv
// CHECK-NEXT: inlay.sigmoid
// CHECK-NEXT: inlay.mul
// CHECK-NEXT: inlay.yield
func.func @diamond(%x: tensor<1x4x4x4xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32> {
  %c = inlay.conv %x, %w : (tensor<1x4x4x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x4x4xf32>
  %s = inlay.sigmoid %c : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %m = inlay.mul %c, %s : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %m : tensor<1x4x4x4xf32>
}

// f7: the same value on two ports is read once: 64 bytes.
// REMARK: bytes read: 128 before, 64 after; written: 128 before, 64 after
// CHECK-LABEL: @two_ports
// CHECK: inlay.group
func.func @two_ports(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %a = inlay.add %x, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = inlay.mul %a, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %m : tensor<4x4xf32>
}

// f10: an input that is an output, and one output listed twice.
// CHECK-LABEL: @listed_twice
// CHECK: %[[R:.*]] = inlay.group
// CHECK: return %arg0, %[[R]], %[[R]]
func.func @listed_twice(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = inlay.relu %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = inlay.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %x, %b, %b : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// f11: one used and one unused result.
// CHECK-LABEL: @unused_result
// CHECK: kernel <window{{.*}}> : tensor<1x4x2x2xf32>
// CHECK-NEXT: %{{.*}}, %{{.*}} = inlay.max_pool
// CHECK-NEXT: inlay.relu
func.func @unused_result(%x: tensor<1x4x4x4xf32>) -> tensor<1x4x2x2xf32> {
  %p, %i = inlay.max_pool %x {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x4x4x4xf32>) -> (tensor<1x4x2x2xf32>, tensor<1x4x2x2xi64>)
  %r = inlay.relu %p : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  return %r : tensor<1x4x2x2xf32>
}

// f12: what a branch captures is a use; nothing is fused across its border.
// CHECK-LABEL: @captured
// CHECK: %{{.*}}:2 = inlay.group
// CHECK: inlay.if
// CHECK: inlay.exp
func.func @captured(%x: tensor<4x4xf32>, %c: tensor<i1>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = inlay.relu %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = inlay.neg %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %i = "inlay.if"(%c) ({
    %e = inlay.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
    inlay.yield %e : tensor<4x4xf32>
  }, {
    inlay.yield %x : tensor<4x4xf32>
  }) : (tensor<i1>) -> tensor<4x4xf32>
  return %b, %i : tensor<4x4xf32>, tensor<4x4xf32>
}

// f16: an empty function and a single operator.
// CHECK-LABEL: @empty
// CHECK-NEXT: return
func.func @empty() {
  return
}
// CHECK-LABEL: @single
// CHECK-NEXT: inlay.relu
// CHECK-NEXT: return
func.func @single(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
