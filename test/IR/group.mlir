// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// A group reads values from outside and yields its results.
// CHECK-LABEL: func.func @main
// CHECK:      %[[G:.*]]:2 = inlay.group "opu" "group_0" stages ["compare", ""] : tensor<4xf32>, tensor<4xf32> {
// CHECK-NEXT:   inlay.relu
// CHECK-NEXT:   inlay.exp
// CHECK-NEXT:   inlay.yield
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %g:2 = inlay.group "opu" "group_0" stages ["compare", ""] : tensor<4xf32>, tensor<4xf32> {
    %r = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    %e = inlay.exp %r : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %r, %e : tensor<4xf32>, tensor<4xf32>
  }
  return %g#0, %g#1 : tensor<4xf32>, tensor<4xf32>
}
