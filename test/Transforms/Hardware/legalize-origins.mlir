// RUN: %inlay-opt %s -inlay-set-target=target=%S/Inputs/three.yaml -inlay-legalize | FileCheck %s

// Every step bears the node's origin, one of them its name; results keep theirs.
// CHECK: inlay.concat {{.*}} loc([[STEP:#.*]])
// CHECK: inlay.concat {{.*}} loc([[LAST:#.*]])
// CHECK: inlay.split {{.*}} loc([[FIRST:#.*]])
// CHECK: inlay.split {{.*}} loc([[SECOND:#.*]])
// CHECK-DAG: [[LAST]] = loc(fused<#inlay.origin<"cat", "Concat", ["y"]>>
// CHECK-DAG: [[STEP1:#loc[0-9]*]] = loc(fused<#inlay.origin<"cat/step_1", "Concat", [""]>>
// CHECK-DAG: [[STEP]] = loc(fused{{\[}}[[STEP1]], [[LAST]]])
// CHECK-DAG: [[CUT:#loc[0-9]*]] = loc(fused<#inlay.origin<"cut", "Split", ["p", "q", "r", "s"]>>
// CHECK-DAG: [[CUT1:#loc[0-9]*]] = loc(fused<#inlay.origin<"cut", "Split", ["", "r", "s"]>>
// CHECK-DAG: [[CUT2:#loc[0-9]*]] = loc(fused<#inlay.origin<"cut/step_2", "Split", ["p", "q"]>>
// CHECK-DAG: [[FIRST]] = loc(fused{{\[}}[[CUT1]], [[CUT]]])
// CHECK-DAG: [[SECOND]] = loc(fused{{\[}}[[CUT2]], [[CUT]]])
module {
  func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
    %y = inlay.concat %a, %a, %a, %a {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<8xf32> loc(fused<#inlay.origin<"cat", "Concat", ["y"]>>[unknown])
    %p, %q, %r, %s = inlay.split %y {axis = 0 : i64} : (tensor<8xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) loc(fused<#inlay.origin<"cut", "Split", ["p", "q", "r", "s"]>>[unknown])
    return %p, %q, %r, %s : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  }
}
