// RUN: not %inlay-opt %s -inlay-fuse-hardware="target=opu strategy=eager" 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not %inlay-opt %s -inlay-fuse-hardware="target=no-such-target" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: %inlay-opt %s -inlay-fuse-hardware="target=nhwc" | FileCheck %s

// STRATEGY: error: unknown strategy 'eager', expected greedy or optimal
// TARGET: error: {{.*}}no-such-target

// A target without a pipeline groups nothing.
// CHECK-LABEL: @f
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NOT: inlay.group
  %r = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
