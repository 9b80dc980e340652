// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/small.yaml -inlay-fuse-hardware=strategy=optimal | FileCheck %s
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/small.yaml -inlay-fuse-hardware="strategy=optimal remarks=true" 2>&1 | grep remark: | FileCheck %s --check-prefix=REMARK
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/small.yaml -inlay-fuse-hardware | FileCheck %s --check-prefix=GREEDY

!x = tensor<1x4x8x8xf32>
!w = tensor<4x4x1x1xf32>

// f3: each pair could run together, but then both would wait for each other: one
// gives way.
// CHECK-LABEL: @case_3_two_groups_that_wait_for_each_other
// GREEDY-LABEL: @case_3_two_groups_that_wait_for_each_other
// REMARK: not fused: cycle:
// REMARK: bytes that cross borders: 14336 before, 13312 after, at least 13312
func.func @case_3_two_groups_that_wait_for_each_other(%x: !x, %y: !x) -> (!x, !x) {
  // CHECK-COUNT-3: inlay.group "small"
  // CHECK-NOT: inlay.group
  // CHECK: return
  // GREEDY-COUNT-4: inlay.group "small"
  %w = inlay.constant dense<1.0> : !w
  %a1 = inlay.conv %x, %w : (!x, !w) -> !x
  %b2 = inlay.conv %y, %w : (!x, !w) -> !x
  %b1 = inlay.cos %a1 : (!x) -> !x
  %a2 = inlay.cos %b2 : (!x) -> !x
  %p = inlay.add %a1, %a2 : (!x, !x) -> !x
  %q = inlay.add %b2, %b1 : (!x, !x) -> !x
  return %p, %q : !x, !x
}

// f4: three pairs in a ring, no two of which wait for each other directly.
// CHECK-LABEL: @case_4_ring_of_three
func.func @case_4_ring_of_three(%x: !x, %y: !x, %z: !x) -> (!x, !x, !x) {
  // CHECK-COUNT-4: inlay.group "small"
  // CHECK-NOT: inlay.group
  // CHECK: return
  %w = inlay.constant dense<1.0> : !w
  %a = inlay.conv %x, %w : (!x, !w) -> !x
  %b = inlay.conv %y, %w : (!x, !w) -> !x
  %c = inlay.conv %z, %w : (!x, !w) -> !x
  %ka = inlay.cos %a : (!x) -> !x
  %kb = inlay.cos %b : (!x) -> !x
  %kc = inlay.cos %c : (!x) -> !x
  %p = inlay.add %a, %kb : (!x, !x) -> !x
  %q = inlay.add %b, %kc : (!x, !x) -> !x
  %r = inlay.add %c, %ka : (!x, !x) -> !x
  return %p, %q, %r : !x, !x, !x
}

// f8: of two convolutions the one owns the sum whose value nobody else needs.
// CHECK-LABEL: @case_8_owner_by_bytes
func.func @case_8_owner_by_bytes(%x: !x, %y: !x) -> (!x, !x) {
  // CHECK: inlay.group "small" "group_0" stages ["ipa"]
  // CHECK-NEXT: inlay.conv %arg1
  // CHECK: inlay.group "small" "group_1" stages ["ipa", "join", "act"]
  // CHECK-NEXT: inlay.conv %arg0
  // GREEDY-LABEL: @case_8_owner_by_bytes
  // GREEDY: inlay.group "small" "group_0" stages ["ipa"]
  // GREEDY-NEXT: inlay.conv %arg0
  %w = inlay.constant dense<1.0> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %d = inlay.conv %y, %w : (!x, !w) -> !x
  %a = inlay.add %c, %d : (!x, !x) -> !x
  %r = inlay.relu %a : (!x) -> !x
  return %r, %d : !x, !x
}

// f31: groups of more than one output, where greedy has left the group.
// CHECK-LABEL: @case_31_better_than_greedy
// REMARK: bytes that cross borders: 6144 before, 5120 after, at least 5120
func.func @case_31_better_than_greedy(%x: !x) -> (!x, !x) {
  // CHECK: inlay.group "small" "group_0" stages ["ipa", "act"]
  // CHECK: inlay.group "small" "group_1" stages ["ipa"]
  // CHECK-NOT: inlay.group
  // CHECK: return
  // GREEDY-LABEL: @case_31_better_than_greedy
  // GREEDY-COUNT-3: inlay.group "small"
  %w = inlay.constant dense<1.0> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %d = inlay.conv %c, %w : (!x, !w) -> !x
  %r = inlay.relu %c : (!x) -> !x
  return %d, %r : !x, !x
}
