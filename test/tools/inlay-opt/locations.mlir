// Locations carry the names of nodes, so that they are printed unless somebody
// asks not to.

// RUN: %inlay-opt %s | FileCheck %s
// RUN: %inlay-opt %s --mlir-print-debuginfo=false | FileCheck %s --check-prefix=WITHOUT

// CHECK: #inlay.origin<"act", "Relu", ["y"]>
// WITHOUT-NOT: origin
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = inlay.relu %x : (tensor<2xf32>) -> tensor<2xf32>
      loc(fused<#inlay.origin<"act", "Relu", ["y"]>>[unknown])
  return %0 : tensor<2xf32>
}
