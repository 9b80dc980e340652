// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=opu -inlay-fuse-hardware | FileCheck %s --check-prefix=OPU
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/once.yaml -inlay-fuse-hardware | FileCheck %s --check-prefix=ONCE
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/once.yaml -inlay-fuse-hardware=remarks=true 2>&1 | grep remark: | FileCheck %s --check-prefix=REMARK

// The order and number of stages, by the numbers of docs/Requirements.md. That
// two targets give two results without rebuilding is f28.

!x = tensor<1x4x8x8xf32>
!w = tensor<4x4x1x1xf32>
!k = tensor<4x1x1xf32>

// f19: a scale and a shift before the convolution and another pair behind it.
// OPU-LABEL: @case_19_before_and_behind
// ONCE-LABEL: @case_19_before_and_behind
func.func @case_19_before_and_behind(%x: !x) -> !x {
  // OPU: inlay.group "opu" "group_0" stages ["add_pre", "mul_pre", "ipa", "mul", "add"]
  // OPU-NOT: inlay.group
  // OPU: return
  // ONCE: inlay.group "once" "group_0" stages ["ipa"]
  // ONCE: inlay.mul
  %w = inlay.constant dense<1.0> : !w
  %k = inlay.constant dense<1.0> : !k
  %a = inlay.add %x, %k : (!x, !k) -> !x
  %m = inlay.mul %a, %k : (!x, !k) -> !x
  %c = inlay.conv %m, %w : (!x, !w) -> !x
  %n = inlay.mul %c, %k : (!x, !k) -> !x
  %b = inlay.add %n, %k : (!x, !k) -> !x
  return %b : !x
}

// f19: between two convolutions a scale uses one slot.
// OPU-LABEL: @case_19_one_slot
func.func @case_19_one_slot(%x: !x) -> !x {
  // OPU: inlay.group "opu" "group_0" stages ["ipa", "mul"]
  // OPU: inlay.group "opu" "group_1" stages ["ipa"]
  %w = inlay.constant dense<1.0> : !w
  %k = inlay.constant dense<1.0> : !k
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %m = inlay.mul %c, %k : (!x, !k) -> !x
  %d = inlay.conv %m, %w : (!x, !w) -> !x
  return %d : !x
}

// f20: stages out of order split, stages that are left out do not.
// ONCE-LABEL: @case_20_out_of_order
// REMARK: 'inlay.relu' and 'inlay.add' are not fused: stage: 'inlay.add' is in no group: no links lead from the root to stage 'add' without stage 'ipa', which cannot be skipped
func.func @case_20_out_of_order(%x: !x) -> !x {
  // ONCE: inlay.group "once" "group_0" stages ["ipa", "compare"]
  // ONCE: inlay.add
  // ONCE-NOT: inlay.group
  %w = inlay.constant dense<1.0> : !w
  %k = inlay.constant dense<1.0> : !k
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %r = inlay.relu %c : (!x) -> !x
  %a = inlay.add %r, %k : (!x, !k) -> !x
  return %a : !x
}

// f20, f21: a stage twice where links lead back to it, and once where the target
// says so.
// OPU-LABEL: @case_20_21_same_stage_twice
// ONCE-LABEL: @case_20_21_same_stage_twice
// REMARK: in no group: stage: {{.*}}stage 'compare'
// REMARK: 'inlay.max_pool' and 'inlay.relu' are not fused
func.func @case_20_21_same_stage_twice(%x: !x) -> tensor<1x4x4x4xf32> {
  // OPU: inlay.group "opu" "group_0" stages ["ipa", "compare", "pool", "compare"]
  // ONCE: inlay.group "once" "group_0" stages ["ipa", "compare", "pool"]
  // ONCE: inlay.relu
  %w = inlay.constant dense<1.0> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %r = inlay.relu %c : (!x) -> !x
  %p, %i = inlay.max_pool %r {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (!x) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xi64>)
  %s = inlay.relu %p : (tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %s : tensor<1x4x4x4xf32>
}

// f21: a slope that the stage does not take.
// ONCE-LABEL: @case_21_slope
// REMARK: in no group: predicate: stage 'compare' requires slope 0 to 0.500000, found 0.750000
func.func @case_21_slope(%x: !x) -> !x {
  // ONCE: inlay.group "once" "group_0" stages ["ipa"]
  // ONCE: inlay.leaky_relu
  %w = inlay.constant dense<1.0> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %r = inlay.leaky_relu %c {alpha = 0.75 : f32} : (!x) -> !x
  return %r : !x
}

// f27: what stands behind the convolution runs alone, unless data must pass the
// convolution.
// OPU-LABEL: @case_27_no_main_operator
// ONCE-LABEL: @case_27_no_main_operator
// REMARK: in no group: stage: no links lead from the root to stage 'compare' without stage 'ipa', which cannot be skipped
func.func @case_27_no_main_operator(%x: !x) -> !x {
  // OPU: inlay.group "opu" "group_0" stages ["compare"]
  // ONCE-NOT: inlay.group
  // ONCE: return
  %r = inlay.relu %x : (!x) -> !x
  return %r : !x
}

// f25: pools in forms that the stage does not take.
// ONCE-LABEL: @case_25_pools
// REMARK: stage 'pool' requires ceil_mode whole numbers of 0, found 1
// REMARK: stage 'pool' requires dilation whole numbers of 1, found 2
// REMARK: stage 'pool' requires count_include_pad whole numbers of 0, found 1
// REMARK: only its first result may be used, found a use of result 1
func.func @case_25_pools(%x: !x) -> (tensor<1x4x4x4xf32>, tensor<1x4x6x6xf32>, tensor<1x4x7x7xf32>, tensor<1x4x7x7xi64>) {
  // ONCE: inlay.group "once" "group_0" stages ["ipa"]
  // ONCE-NOT: inlay.group
  // ONCE: return
  %w = inlay.constant dense<1.0> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %a, %i = inlay.max_pool %c {ceil_mode = 1 : i64, kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (!x) -> (tensor<1x4x4x4xf32>, tensor<1x4x4x4xi64>)
  %b, %j = inlay.max_pool %c {dilations = array<i64: 2, 2>, kernel_shape = array<i64: 2, 2>} : (!x) -> (tensor<1x4x6x6xf32>, tensor<1x4x6x6xi64>)
  %d = inlay.average_pool %c {count_include_pad = 1 : i64, kernel_shape = array<i64: 2, 2>} : (!x) -> tensor<1x4x7x7xf32>
  %e, %k = inlay.max_pool %c {kernel_shape = array<i64: 2, 2>} : (!x) -> (tensor<1x4x7x7xf32>, tensor<1x4x7x7xi64>)
  return %a, %b, %d, %k : tensor<1x4x4x4xf32>, tensor<1x4x6x6xf32>, tensor<1x4x7x7xf32>, tensor<1x4x7x7xi64>
}
