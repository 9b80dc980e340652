// RUN: not %inlay-opt %s -inlay-set-target=target=opu -inlay-fuse-hardware=strategy=eager 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not %inlay-opt %s -inlay-set-target=target=no-such-target -inlay-fuse-hardware 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: %inlay-opt %s -inlay-set-target=target=nhwc -inlay-fuse-hardware | FileCheck %s

// STRATEGY: Cannot find option named 'eager'!
// TARGET: error: {{.*}}no-such-target

// A target without a pipeline groups nothing.
// CHECK-LABEL: @f
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NOT: inlay.group
  %r = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
