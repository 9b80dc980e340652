// What nothing uses goes where it has no effect but its results.
// RUN: %inlay-opt %s -inlay-simplify -allow-unregistered-dialect -split-input-file | FileCheck %s

// CHECK-LABEL: func.func @removes_operations_without_effects
// CHECK-NEXT: return
func.func @removes_operations_without_effects(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %f = func.constant @removes_operations_without_effects : (tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

// Nobody uses its result, and yet it is a call.
func.func private @log(tensor<4xf32>) -> tensor<4xf32>
// CHECK-LABEL: func.func @keeps_calls
// CHECK: call @log
func.func @keeps_calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = func.call @log(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @keeps_operations_of_unknown_effect
// CHECK: inlay.relu
// CHECK-NEXT: "acme.log"
// CHECK-NEXT: "acme.count"
func.func @keeps_operations_of_unknown_effect(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  "acme.log"(%a) : (tensor<4xf32>) -> ()
  %b = "acme.count"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %x : tensor<4xf32>
}

// -----

// Inside a region as outside of one.
// CHECK-LABEL: func.func @keeps_what_has_an_effect_in_a_branch
// CHECK: inlay.if
// CHECK: "acme.log"
// CHECK-NOT: inlay.abs
// CHECK: return
func.func @keeps_what_has_an_effect_in_a_branch(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = inlay.if %c : (tensor<i1>) -> tensor<4xf32> {
    "acme.log"(%x) : (tensor<4xf32>) -> ()
    inlay.yield %x : tensor<4xf32>
  } else {
    %a = inlay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %x : tensor<4xf32>
  }
  return %x : tensor<4xf32>
}
