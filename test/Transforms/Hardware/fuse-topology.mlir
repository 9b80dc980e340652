// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/small.yaml -inlay-fuse-hardware | FileCheck %s
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/small.yaml -inlay-fuse-hardware=strategy=optimal | FileCheck %s
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/small.yaml -inlay-fuse-hardware=remarks=true 2>&1 | grep remark: | FileCheck %s --check-prefix=REMARK
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/one-output.yaml -inlay-fuse-hardware | FileCheck %s --check-prefix=ONE
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/small.yaml -inlay-fuse-hardware > %t.once
// RUN: %inlay-opt %t.once -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/small.yaml -inlay-fuse-hardware | diff %t.once -

// Topology and legality, by the numbers of docs/Requirements.md (f1 to f18). The
// last two lines are f18: a second run changes nothing.

!x = tensor<1x4x8x8xf32>
!w = tensor<4x4x1x1xf32>

// f1: the relu runs with the convolution only if the raw value is an output too.
// CHECK-LABEL: @case_1_raw_value_is_an_output_too
// ONE-LABEL: @case_1_raw_value_is_an_output_too
func.func @case_1_raw_value_is_an_output_too(%x: !x, %s: !x) -> (!x, !x) {
  // CHECK: %[[G:.*]]:2 = inlay.group "small" "group_0" stages ["ipa", "act"]
  // CHECK-NEXT: %[[C:.*]] = inlay.conv
  // CHECK-NEXT: %[[R:.*]] = inlay.relu %[[C]]
  // CHECK-NEXT: inlay.yield %[[C]], %[[R]]
  // CHECK: inlay.cos %[[G]]#0
  // CHECK: return %[[G]]#1
  // ONE: inlay.group "one_output" "group_0" stages ["ipa"]
  // ONE: inlay.group "one_output" "group_1" stages ["act"]
  %w = inlay.constant dense<1.0> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %r = inlay.relu %c : (!x) -> !x
  %a = inlay.cos %c : (!x) -> !x
  return %r, %a : !x, !x
}

// f2: what no group takes stands between the two.
// CHECK-LABEL: @case_2_operator_between
// REMARK: 'inlay.conv' and 'inlay.add' are not fused: cycle: 'inlay.cos' needs a result of group_0 and must run before 'inlay.add'
func.func @case_2_operator_between(%x: !x) -> !x {
  // CHECK: inlay.group "small" "group_0" stages ["ipa"]
  // CHECK: inlay.cos
  // CHECK: inlay.group "small" "group_1" stages ["join"]
  %w = inlay.constant dense<1.0> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %s = inlay.cos %c : (!x) -> !x
  %a = inlay.add %c, %s : (!x, !x) -> !x
  return %a : !x
}

// f5: a shared constant does not bring two regions together.
// CHECK-LABEL: @case_5_shared_constant
func.func @case_5_shared_constant(%x: !x, %y: !x) -> (!x, !x) {
  // CHECK: inlay.group "small" "group_0" stages ["act", "join"]
  // CHECK: inlay.group "small" "group_1" stages ["act", "join"]
  %k = inlay.constant dense<1.0> : !x
  %a = inlay.relu %x : (!x) -> !x
  %p = inlay.add %a, %k : (!x, !x) -> !x
  %b = inlay.relu %y : (!x) -> !x
  %q = inlay.add %b, %k : (!x, !x) -> !x
  return %p, %q : !x, !x
}

// f6: SiLU is one group with one output.
// CHECK-LABEL: @case_6_diamond
func.func @case_6_diamond(%x: !x) -> !x {
  // CHECK: %[[G:.*]] = inlay.group "small" "group_0" stages ["ipa", "act", "join"] : tensor<1x4x8x8xf32>
  // CHECK: inlay.mul
  // CHECK-NEXT: inlay.yield
  // CHECK: return %[[G]]
  %w = inlay.constant dense<1.0> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %s = inlay.sigmoid %c : (!x) -> !x
  %m = inlay.mul %c, %s : (!x, !x) -> !x
  return %m : !x
}

// f7: the same value on two ports.
// CHECK-LABEL: @case_7_same_value_twice
// REMARK: bytes that cross borders: 4096 before, 2048 after
func.func @case_7_same_value_twice(%x: !x) -> !x {
  // CHECK: inlay.group "small" "group_0" stages ["join", "join"]
  %a = inlay.add %x, %x : (!x, !x) -> !x
  %m = inlay.mul %a, %a : (!x, !x) -> !x
  return %m : !x
}

// f8: one of the two convolutions owns the sum.
// CHECK-LABEL: @case_8_residual_sum_has_one_owner
func.func @case_8_residual_sum_has_one_owner(%x: !x, %y: !x) -> !x {
  // CHECK: inlay.group "small" "group_0" stages ["ipa"]
  // CHECK: inlay.group "small" "group_1" stages ["ipa", "join", "act"]
  %w = inlay.constant dense<1.0> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %d = inlay.conv %y, %w : (!x, !w) -> !x
  %a = inlay.add %c, %d : (!x, !x) -> !x
  %r = inlay.relu %a : (!x) -> !x
  return %r : !x
}

// f9: the skip operand waits for the owner.
// CHECK-LABEL: @case_9_skip_depends_on_the_owner
func.func @case_9_skip_depends_on_the_owner(%x: !x) -> !x {
  // CHECK: inlay.group "small" "group_0" stages ["ipa"]
  // CHECK: inlay.group "small" "group_1" stages ["ipa", "join"]
  %w = inlay.constant dense<1.0> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %d = inlay.conv %c, %w : (!x, !w) -> !x
  %a = inlay.add %c, %d : (!x, !x) -> !x
  return %a : !x
}

// f10: outputs of all kinds.
// CHECK-LABEL: @case_10_outputs
func.func @case_10_outputs(%x: !x) -> (!x, !x, !x, !x) {
  // CHECK: %[[G:.*]]:2 = inlay.group "small" "group_0" stages ["act", "join", "act"]
  // CHECK: return %[[G]]#0, %arg0, %[[G]]#1, %[[G]]#1
  %b = inlay.relu %x : (!x) -> !x
  %a = inlay.add %b, %b : (!x, !x) -> !x
  %c = inlay.relu %a : (!x) -> !x
  return %b, %x, %c, %c : !x, !x, !x, !x
}

// f11: what nobody uses has no group, and operands may be absent.
// CHECK-LABEL: @case_11_unused
// REMARK: in no group: unused: nobody uses its results
func.func @case_11_unused(%x: !x) -> !x {
  // CHECK: %[[G:.*]] = inlay.group "small" "group_0" stages ["ipa"] : tensor<1x4x8x8xf32>
  // CHECK-NOT: inlay.group
  // CHECK: inlay.relu
  // CHECK: return %[[G]]
  %w = inlay.constant dense<1.0> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %r = inlay.relu %x : (!x) -> !x
  return %c : !x
}

// f12: a value that a body captures is used outside, and bodies stay as they are.
// CHECK-LABEL: @case_12_captured_by_a_body
func.func @case_12_captured_by_a_body(%x: !x, %p: tensor<i1>) -> (!x, !x) {
  // CHECK: %[[G:.*]]:2 = inlay.group "small" "group_0" stages ["ipa", "act"]
  // CHECK: inlay.if
  // CHECK-NOT: inlay.group
  // CHECK: inlay.relu %[[G]]#0
  // CHECK: return
  %w = inlay.constant dense<1.0> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %r = inlay.relu %c : (!x) -> !x
  %i = inlay.if %p : (tensor<i1>) -> !x {
    %t = inlay.relu %c : (!x) -> !x
    inlay.yield %t : !x
  } else {
    inlay.yield %c : !x
  }
  return %r, %i : !x, !x
}

// f13: results once each, in the order of the body, after all inputs.
// CHECK-LABEL: @case_13_several_outputs
func.func @case_13_several_outputs(%x: !x) -> (!x, !x, !x) {
  // CHECK: inlay.cos %arg0
  // CHECK: %[[G:.*]]:3 = inlay.group "small" "group_0" stages ["act", "join", "act"]
  // CHECK-NEXT: %[[R:.*]] = inlay.relu
  // CHECK-NEXT: %[[A:.*]] = inlay.add %[[R]]
  // CHECK-NEXT: %[[S:.*]] = inlay.sigmoid %[[A]]
  // CHECK-NEXT: inlay.yield %[[R]], %[[A]], %[[S]]
  // CHECK: return %[[G]]#2, %[[G]]#0, %[[G]]#1
  %r = inlay.relu %x : (!x) -> !x
  %k = inlay.cos %x : (!x) -> !x
  %a = inlay.add %r, %k : (!x, !x) -> !x
  %s = inlay.sigmoid %a : (!x) -> !x
  return %s, %r, %a : !x, !x, !x
}

// f14: equal chains have names of their own.
// CHECK-LABEL: @case_14_equal_chains
func.func @case_14_equal_chains(%x: !x, %y: !x) -> (!x, !x) {
  // CHECK: inlay.group "small" "group_0" stages ["ipa", "act"]
  // CHECK: inlay.group "small" "group_1" stages ["ipa", "act"]
  %w = inlay.constant dense<1.0> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %r = inlay.relu %c : (!x) -> !x
  %d = inlay.conv %y, %w : (!x, !w) -> !x
  %s = inlay.relu %d : (!x) -> !x
  return %r, %s : !x, !x
}

// f16: nothing to do.
// CHECK-LABEL: @case_16_empty
func.func @case_16_empty(%x: !x) -> !x {
  // CHECK-NEXT: return %arg0
  return %x : !x
}
// CHECK-LABEL: @case_16_constant_only
func.func @case_16_constant_only() -> !x {
  // CHECK-NEXT: inlay.constant
  // CHECK-NEXT: return
  %k = inlay.constant dense<1.0> : !x
  return %k : !x
}
// CHECK-LABEL: @case_16_single_operator
func.func @case_16_single_operator(%x: !x) -> !x {
  // CHECK: inlay.group "small" "group_0" stages ["act"]
  %r = inlay.relu %x : (!x) -> !x
  return %r : !x
}

// f17: the same graph as in f8 with its nodes in another order.
// CHECK-LABEL: @case_17_another_order
func.func @case_17_another_order(%x: !x, %y: !x) -> !x {
  // CHECK: inlay.group "small" "group_0" stages ["ipa"]
  // CHECK-NEXT: inlay.conv %arg0
  // CHECK: inlay.group "small" "group_1" stages ["ipa", "join", "act"]
  // CHECK-NEXT: inlay.conv %arg1
  %w = inlay.constant dense<1.0> : !w
  %d = inlay.conv %y, %w : (!x, !w) -> !x
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %a = inlay.add %c, %d : (!x, !x) -> !x
  %r = inlay.relu %a : (!x) -> !x
  return %r : !x
}
