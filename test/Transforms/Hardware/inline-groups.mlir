// RUN: %inlay-opt %s -inlay-inline-groups -split-input-file -mlir-print-debuginfo | FileCheck %s

// What was a call in the model is noted; what only groups operators is not.
!t = tensor<4xf32>
// CHECK-LABEL: inlay.removed = [#inlay.removed<<"call", "group_1", ["b"]>, "its group is inlined">]
// CHECK: func.func @gives_back_the_graph
// CHECK-NEXT: %[[R:.*]] = inlay.relu %arg0
// CHECK-NEXT: %[[E:.*]] = inlay.exp %[[R]]
// CHECK-NEXT: return %[[R]], %[[E]]
func.func @gives_back_the_graph(%x: !t) -> (!t, !t) {
  %a = inlay.group "opu" "group_0" stages ["compare"] : !t {
    %r = inlay.relu %x : (!t) -> !t loc(fused<#inlay.origin<"relu", "Relu", ["a"]>>["r"])
    inlay.yield %r : !t
  } loc(fused<#inlay.origin<"relu", "Relu", ["a"]>>["g"])
  %b = inlay.group "opu" "group_1" stages [""] : !t {
    %e = inlay.exp %a : (!t) -> !t
    inlay.yield %e : !t
  } loc(fused<#inlay.origin<"call", "group_1", ["b"]>>["g"])
  return %a, %b : !t, !t
}

// -----

// CHECK-NOT: inlay.removed
// CHECK: func.func @leaves_graphs_without_groups
// CHECK-NEXT: inlay.relu
func.func @leaves_graphs_without_groups(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Users know more of a result than the body does: that stays.
// CHECK-LABEL: func.func @refined
func.func @refined(%x: tensor<2x?x6xf32>) -> tensor<?x?xf32> {
  // CHECK: inlay.squeeze %arg0 : (tensor<2x?x6xf32>) -> tensor<?x?xf32>
  %y = inlay.group "opu" "g" : tensor<?x?xf32> {
    %0 = inlay.squeeze %x : (tensor<2x?x6xf32>) -> tensor<*xf32>
    inlay.yield %0 : tensor<*xf32>
  }
  return %y : tensor<?x?xf32>
}
