// RUN: not %inlay-opt %s -inlay-layout-preset=strategy=best 2>&1 | FileCheck %s --check-prefix=STRATEGY
// RUN: not %inlay-opt %s -inlay-set-target=target=nwhc -inlay-layout-preset 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not %inlay-opt %s -inlay-layout-preset=minimize=time 2>&1 | FileCheck %s --check-prefix=MINIMIZE
// RUN: not %inlay-opt %s -inlay-layout-preset=stratgy=region 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: %inlay-opt %s -inlay-set-target=target=none -inlay-layout-preset="strategy=region minimize=count" | FileCheck %s

// STRATEGY: Cannot find option named 'best'!
// TARGET: error: no target or file 'nwhc', expected a file or one of none, nhwc
// MINIMIZE: Cannot find option named 'time'!
// OPTION: no such option stratgy

// CHECK: func.func @nothing_to_do
// CHECK-NEXT: inlay.relu
func.func @nothing_to_do(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = inlay.relu %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
