// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=opu -inlay-fuse-hardware=remarks=true 2>&1 | grep remark: | FileCheck %s --check-prefix=TRACE
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=opu -inlay-fuse-hardware | FileCheck %s

// The walk of Partition and CollectInputs that docs/Requirements.md describes.

!x = tensor<1x4x8x8xf32>
!p = tensor<1x4x10x10xf32>
!w = tensor<4x4x3x3xf32>
!v = tensor<4x4x1x1xf32>

// Constants and variables are new branches, which only the way up finds. They
// are attributed to a group and stay outside of it.
// TRACE: ## 0: Conv added to group 0
// TRACE-NEXT: {{.*}}## var added to group 0 via CollectInputs()
// TRACE-NEXT: {{.*}}## const added to group 0 via CollectInputs()
// TRACE-NEXT: {{.*}}## 1: Relu added to group 0
// TRACE-NEXT: {{.*}}bytes that cross borders: 4096 before, 2048 after
// CHECK-LABEL: @constants_and_variables_are_collected_upward
func.func @constants_and_variables_are_collected_upward(%x: !x) -> !x {
  // CHECK: %[[W:.*]] = inlay.constant
  // CHECK-NEXT: %[[G:.*]] = inlay.group "opu" "group_0" stages ["ipa", "compare"]
  // CHECK-NEXT: %[[C:.*]] = inlay.conv %arg0, %[[W]]
  // CHECK-NEXT: %[[R:.*]] = inlay.relu %[[C]]
  // CHECK-NEXT: inlay.yield %[[R]]
  // CHECK: return %[[G]]
  %w = inlay.constant dense<1.0> : !v
  %c = inlay.conv %x, %w : (!x, !v) -> !x
  %r = inlay.relu %c : (!x) -> !x
  return %r : !x
}

// What no stage takes is collected by the operator that needs it, and what that
// needs; what a stage takes is not, its turn comes.
// TRACE: ## 0: Relu added to group 0
// TRACE-NEXT: {{.*}}## var added to group 0 via CollectInputs()
// TRACE-NEXT: {{.*}}## 3: Conv added to group 1
// TRACE-NEXT: {{.*}}## const added to group 1 via CollectInputs()
// TRACE-NEXT: {{.*}}## 2: Cos added to group 1 via CollectInputs()
// TRACE-NEXT: {{.*}}## 1: Sin added to group 1 via CollectInputs()
// CHECK-LABEL: @operators_that_no_stage_maps_are_collected_upward
func.func @operators_that_no_stage_maps_are_collected_upward(%x: !x) -> !x {
  // CHECK: inlay.group "opu" "group_0" stages ["compare"]
  // CHECK: inlay.group "opu" "group_1" stages ["", "", "ipa"]
  // CHECK-NEXT: inlay.sin
  // CHECK-NEXT: inlay.cos
  // CHECK-NEXT: inlay.conv
  %w = inlay.constant dense<1.0> : !v
  %r = inlay.relu %x : (!x) -> !x
  %s = inlay.sin %r : (!x) -> !x
  %t = inlay.cos %s : (!x) -> !x
  %c = inlay.conv %t, %w : (!x, !v) -> !x
  return %c : !x
}

// A tuple is an operator with any number of operands. Its two relus are not
// collected: Partition captures them.
// TRACE: ## 0: Relu added to group 0
// TRACE: ## 1: Relu added to group 1
// TRACE: ## 2: Concat added to group 2
// TRACE-NEXT: {{.*}}## 3: Conv added to group 2
// TRACE: 'inlay.relu' and 'inlay.concat' are not fused: stage: no links lead from stage 'compare' to stage 'concat'
// CHECK-LABEL: @tuple
func.func @tuple(%x: !x, %y: !x) -> tensor<1x4x8x8xf32> {
  // CHECK: inlay.group "opu" "group_2" stages ["concat", "ipa"]
  %w = inlay.constant dense<1.0> : tensor<4x8x1x1xf32>
  %a = inlay.relu %x : (!x) -> !x
  %b = inlay.relu %y : (!x) -> !x
  %t = inlay.concat %a, %b {axis = 1 : i64} : (!x, !x) -> tensor<1x8x8x8xf32>
  %c = inlay.conv %t, %w : (tensor<1x8x8x8xf32>, tensor<4x8x1x1xf32>) -> !x
  return %c : !x
}

// There is one pad on the way: a second one opens a new group.
// TRACE: ## 0: Pad added to group 0
// TRACE: ## 1: Conv added to group 0
// TRACE: ## 2: Pad added to group 1
// TRACE: ## 3: Conv added to group 1
// CHECK-LABEL: @second_pad_opens_a_new_group
func.func @second_pad_opens_a_new_group(%x: !x) -> !x {
  // CHECK: inlay.group "opu" "group_0" stages ["pad", "ipa"]
  // CHECK: inlay.group "opu" "group_1" stages ["pad", "ipa"]
  %w = inlay.constant dense<1.0> : !w
  %p = inlay.pad %x {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (!x) -> !p
  %c = inlay.conv %p, %w : (!p, !w) -> !x
  %q = inlay.pad %c {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (!x) -> !p
  %d = inlay.conv %q, %w : (!p, !w) -> !x
  return %d : !x
}

// A convolution's own pads occupy the pad as well, and its bias the add.
// CHECK-LABEL: @pads_and_bias_occupy_their_stages
func.func @pads_and_bias_occupy_their_stages(%x: !x) -> !x {
  // CHECK: inlay.group "opu" "group_0" stages ["pad"]
  // CHECK: inlay.group "opu" "group_1" stages ["pad+ipa+add"]
  // CHECK: inlay.group "opu" "group_2" stages ["mul_pre"]
  %w = inlay.constant dense<1.0> : !w
  %b = inlay.constant dense<1.0> : tensor<4xf32>
  %k = inlay.constant dense<1.0> : tensor<4x1x1xf32>
  %p = inlay.pad %x {pads = array<i64: 0, 0, 0, 0, 0, 0, 0, 0>} : (!x) -> !x
  %c = inlay.conv %p, %w, %b {pads = array<i64: 1, 1, 1, 1>} : (!x, !w, tensor<4xf32>) -> !x
  %m = inlay.mul %c, %k : (!x, tensor<4x1x1xf32>) -> !x
  return %m : !x
}

// After the last stage that links lead to, matching starts over at the root.
// TRACE: ## 0: Conv added to group 0
// TRACE: ## 1: Relu added to group 0
// TRACE: ## 2: Conv added to group 1
// TRACE: 'inlay.relu' and 'inlay.conv' are not fused: stage: no links lead from stage 'compare' to stage 'ipa'
// CHECK-LABEL: @restart_from_the_root
func.func @restart_from_the_root(%x: !x) -> !x {
  // CHECK: inlay.group "opu" "group_0" stages ["ipa", "compare"]
  // CHECK: inlay.group "opu" "group_1" stages ["ipa"]
  %w = inlay.constant dense<1.0> : !v
  %c = inlay.conv %x, %w : (!x, !v) -> !x
  %r = inlay.relu %c : (!x) -> !x
  %d = inlay.conv %r, %w : (!x, !v) -> !x
  return %d : !x
}
