// RUN: %inlay-opt %s -inlay-rewrite=rewrites=swish,pad-conv --inlay-log=rewrite -o /dev/null 2>&1 | FileCheck %s --implicit-check-not="at 'applied'"
// RUN: %inlay-opt %s -inlay-rewrite=rewrites=swish,pad-conv -o /dev/null 2>&1 | count 0
// RUN: not %inlay-opt %s --inlay-log=layouts 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// Every guard says why it refused, and what was applied is not in the log. No
// rewrite of any other test here refuses without a reason:
// RUN: sh -c 'for model in "$1"/*.mlir; do "$0" "$model" -split-input-file -inlay-rewrite --inlay-log=rewrite -o /dev/null || exit 1; done' %inlay-opt %S > %t 2>&1
// RUN: not grep "gives no reason" %t
// RUN: grep -c "^rewrite: " %t

// UNKNOWN: Cannot find option named 'layouts'

!x = tensor<1x4x8x8xf32>
!p = tensor<1x4x10x10xf32>
!w = tensor<4x4x3x3xf32>

// CHECK: rewrite: swish at 'scaled': there is a factor beside x and its sigmoid
// CHECK-NEXT: rewrite: swish at 'other': no factor is the sigmoid of the other
// CHECK-NEXT: rewrite: pad-conv at 'conv': the Pad adds other numbers than 0
// Once more, as something has changed.
// CHECK-NEXT: rewrite: swish at 'scaled'
func.func @says_which_guard_refused(%x: !x, %y: !x, %w: !w) -> (!x, !x, !x, !x) {
  %two = inlay.constant dense<2.0> : tensor<f32>
  %s = inlay.sigmoid %x : (!x) -> !x
  %a = inlay.mul %x, %s : (!x, !x) -> !x loc(fused<#inlay.origin<"applied", "Mul", ["a"]>>[unknown])
  %t = inlay.sigmoid %x : (!x) -> !x
  %u = inlay.mul %x, %t : (!x, !x) -> !x loc(fused<#inlay.origin<"inner", "Mul", ["u"]>>[unknown])
  %b = inlay.mul %u, %two : (!x, tensor<f32>) -> !x loc(fused<#inlay.origin<"scaled", "Mul", ["b"]>>[unknown])
  %v = inlay.sigmoid %y : (!x) -> !x
  %c = inlay.mul %x, %v : (!x, !x) -> !x loc(fused<#inlay.origin<"other", "Mul", ["c"]>>[unknown])
  %p = inlay.pad %x value %two {pads = array<i64: 0, 0, 1, 1, 0, 0, 1, 1>} : (!x, tensor<f32>) -> !p
  %d = inlay.conv %p, %w : (!p, !w) -> !x loc(fused<#inlay.origin<"conv", "Conv", ["d"]>>[unknown])
  return %a, %b, %c, %d : !x, !x, !x, !x
}
