// Inlining all groups gives back the graph before fusion (case 54).
// RUN: %inlay-opt %s -inlay-set-target=target=opu -inlay-fuse-hardware | FileCheck %s --check-prefix=FUSED
// RUN: %inlay-opt %s -inlay-set-target=target=opu -inlay-fuse-hardware -inlay-inline-groups -o %t.inlined
// RUN: %inlay-opt %s -inlay-set-target=target=opu -o %t.plain
// RUN: diff %t.plain %t.inlined

// FUSED: inlay.group "opu" "group_0"
// FUSED: inlay.group "opu" "group_1"
!x = tensor<1x4x8x8xf32>
!w = tensor<4x4x1x1xf32>
func.func @main(%x: !x) -> (!x, !x) {
  %w = inlay.constant dense<0.5> : !w
  %c = inlay.conv %x, %w : (!x, !w) -> !x
  %r = inlay.relu %c : (!x) -> !x
  %d = inlay.conv %r, %w : (!x, !w) -> !x
  %a = inlay.add %d, %x : (!x, !x) -> !x
  %e = inlay.relu %a : (!x) -> !x
  return %e, %c : !x, !x
}
