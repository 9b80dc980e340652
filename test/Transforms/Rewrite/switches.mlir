// Each rewrite has a switch; with all of them off nothing changes.
// RUN: %inlay-opt %s -inlay-rewrite=rewrites=off > %t.off
// RUN: %inlay-opt %s | cmp - %t.off
// RUN: %inlay-opt %s -inlay-rewrite=rewrites=conv-mul | FileCheck %s --check-prefix=ONLY
// RUN: %inlay-opt %s "-inlay-rewrite=rewrites=-conv-mul,-conv-add" | FileCheck %s --check-prefix=BUT
// RUN: %inlay-opt %s "-inlay-rewrite=rewrites=conv-mul,conv-add" | FileCheck %s --check-prefix=BOTH
// RUN: %inlay-opt %s -inlay-rewrite=remarks -verify-diagnostics > /dev/null

// RUN: not %inlay-opt %s -inlay-rewrite=rewrites=conv-bath-norm 2>&1 | FileCheck %s --check-prefix=MEANT
// MEANT: error: unknown rewrite 'conv-bath-norm', did you mean 'conv-batch-norm'?
// RUN: not %inlay-opt %s -inlay-rewrite=rewrites=nothing-like-it 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown rewrite 'nothing-like-it'; 'inlay rewrites' lists them
// RUN: not %inlay-opt %s "-inlay-rewrite=rewrites=conv-mul,-conv-add" 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: error: rewrites are 'conv-mul,-conv-add': either all names have a '-' or none has
// RUN: not %inlay-opt %s -inlay-set-target=target=no-such-chip -inlay-rewrite 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: no-such-chip

// ONLY-NOT: inlay.mul
// ONLY: inlay.add
// BUT: inlay.mul
// BUT: inlay.add
// BOTH-NOT: inlay.mul
// BOTH-NOT: inlay.add
func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  %w = inlay.constant dense<5.0> : tensor<1x1x1x1xf32>
  %c = inlay.constant dense<2.0> : tensor<f32>
  %p = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  // expected-remark @+1 {{node 'inlay.mul' (Mul): conv-mul: Mul(Conv(x, W, b), c) = Conv(x, W * c, b * c)}}
  %q = inlay.mul %p, %c : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  // expected-remark @+1 {{node 'inlay.add' (Add): conv-add: Add(Conv(x, W, b), c) = Conv(x, W, b + c)}}
  %y = inlay.add %q, %c : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  return %y : tensor<1x1x4x4xf32>
}
