// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/limits.yaml -inlay-fuse-hardware | FileCheck %s
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/limits.yaml -inlay-fuse-hardware=strategy=optimal | FileCheck %s
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/limits.yaml -inlay-fuse-hardware=remarks=true 2>&1 | grep remark: | FileCheck %s --check-prefix=BYTES
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/limit-inputs.yaml -inlay-fuse-hardware=remarks=true 2>&1 | grep remark: | FileCheck %s --check-prefix=INPUTS
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/limit-outputs.yaml -inlay-fuse-hardware=remarks=true 2>&1 | grep remark: | FileCheck %s --check-prefix=OUTPUTS
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/limit-ops.yaml -inlay-fuse-hardware=remarks=true 2>&1 | grep remark: | FileCheck %s --check-prefix=OPS

// f30: limits of a group, each with its own reason.

!small = tensor<1x8xf32>
!large = tensor<8x8xf32>

// The expanded value, what is computed of it and the next are 768 bytes at once.
// The border goes to the one value that both ends of the chain need, not to the
// last that fits, where two would cross it.
// CHECK-LABEL: @case_30_cut_at_the_cheapest_tensor
// BYTES: ## 3: Sigmoid moved to group 1, where fewer bytes cross the border
// BYTES: 'inlay.expand' and 'inlay.sigmoid' are not fused: on-chip-bytes: a group has at most 600 bytes on chip, found 768
// BYTES: bytes that cross borders: 2880 before, 1024 after
func.func @case_30_cut_at_the_cheapest_tensor(%x: !large) -> !large {
  // CHECK: inlay.group "limits" "group_0" stages ["act", "act", "act"]
  // CHECK-NEXT: inlay.relu
  // CHECK-NEXT: inlay.reduce_max
  // CHECK-NEXT: inlay.expand
  // CHECK: inlay.group "limits" "group_1" stages ["act", "act", "act"]
  // CHECK-NEXT: inlay.sigmoid
  %r = inlay.relu %x : (!large) -> !large
  %m = inlay.reduce_max %r {axes = array<i64: 0>} : (!large) -> !small
  %e = inlay.expand %m {shape = array<i64: 8, 8>} : (!small) -> !large
  %s = inlay.sigmoid %e : (!large) -> !large
  %t = inlay.tanh %s : (!large) -> !large
  %a = inlay.add %t, %e : (!large, !large) -> !large
  return %a : !large
}

// INPUTS: 'inlay.relu' and 'inlay.add' are not fused: inputs: {{.*}}a group has at most 1 inputs, found 2
func.func @case_30_inputs(%x: !large, %y: !large) -> !large {
  %r = inlay.relu %x : (!large) -> !large
  %a = inlay.add %r, %y : (!large, !large) -> !large
  return %a : !large
}

// OUTPUTS: 'inlay.relu' and 'inlay.sigmoid' are not fused: outputs: a group has at most 1 outputs, found 2
func.func @case_30_outputs(%x: !large) -> (!large, !large) {
  %r = inlay.relu %x : (!large) -> !large
  %s = inlay.sigmoid %r : (!large) -> !large
  return %r, %s : !large, !large
}

// OPS: 'inlay.sigmoid' and 'inlay.tanh' are not fused: ops: a group has at most 2 operators, found 3
func.func @case_30_ops(%x: !large) -> !large {
  %r = inlay.relu %x : (!large) -> !large
  %s = inlay.sigmoid %r : (!large) -> !large
  %t = inlay.tanh %s : (!large) -> !large
  return %t : !large
}
