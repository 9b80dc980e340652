// RUN: %inlay-opt %s -inlay-outline-groups -split-input-file | FileCheck %s

// Constants and inputs are passed in, each once (Add(x, x) has one input), in
// the order of the body.
// CHECK-LABEL: func.func @takes_what_the_body_reads
// CHECK: %[[C:.*]] = inlay.constant
// CHECK: %[[G:.*]]:2 = call @group_0(%arg1, %[[C]], %arg0) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK: return %[[G]]#1, %[[G]]#0, %arg0, %[[G]]#0
// CHECK: func.func private @group_0(%[[A:[^:]*]]: tensor<4xf32> {inlay.name = "y"} {{.*}}, %[[B:[^:]*]]: tensor<4xf32> loc{{.*}}, %[[D:[^:]*]]: tensor<4xf32> {inlay.name = "x"}
// CHECK-SAME: -> (tensor<4xf32> {inlay.name = "doubled"}, tensor<4xf32>)
// CHECK-SAME: attributes {inlay.stages = ["add", "add", "add"], inlay.target = "opu"}
// CHECK-NEXT: %[[E:.*]] = inlay.add %[[A]], %[[A]]
// CHECK-NEXT: %[[F:.*]] = inlay.add %[[E]], %[[B]]
// CHECK-NEXT: %[[H:.*]] = inlay.add %[[F]], %[[D]]
// CHECK-NEXT: return %[[E]], %[[H]]
!t = tensor<4xf32>
func.func @takes_what_the_body_reads(%x: !t {inlay.name = "x"}, %y: !t {inlay.name = "y"}) -> (!t, !t, !t, !t) {
  %c = inlay.constant dense<1.0> : !t
  %g:2 = inlay.group "opu" "group_0" stages ["add", "add", "add"] : !t, !t {
    %a = inlay.add %y, %y : (!t, !t) -> !t loc(fused<#inlay.origin<"d", "Add", ["doubled"]>>["d"])
    %b = inlay.add %a, %c : (!t, !t) -> !t
    %d = inlay.add %b, %x : (!t, !t) -> !t
    inlay.yield %a, %d : !t, !t
  }
  return %g#1, %g#0, %x, %g#0 : !t, !t, !t, !t
}

// -----

// Names of functions do not collide.
// CHECK-LABEL: func.func @group_0
// CHECK: %[[A:.*]] = call @[[FIRST:.*]](%arg0)
// CHECK: %[[B:.*]] = call @[[SECOND:.*]](%[[A]])
// CHECK: return %[[B]]
// CHECK: func.func private @[[FIRST]]
// CHECK: func.func private @[[SECOND]]
!t = tensor<4xf32>
func.func @group_0(%x: !t) -> !t {
  %a = inlay.group "opu" "group_0" stages ["compare"] : !t {
    %r = inlay.relu %x : (!t) -> !t
    inlay.yield %r : !t
  }
  %b = inlay.group "opu" "group_0" stages ["compare"] : !t {
    %r = inlay.relu %a : (!t) -> !t
    inlay.yield %r : !t
  }
  return %b : !t
}

// -----

// A group in a branch reads what is around the branch.
// CHECK-LABEL: func.func @outlines_groups_of_subgraphs
// CHECK: inlay.if
// CHECK: call @group_0(%arg1)
!t = tensor<4xf32>
func.func @outlines_groups_of_subgraphs(%c: tensor<i1>, %x: !t) -> !t {
  %y = inlay.if %c : (tensor<i1>) -> !t {
    %a = inlay.group "opu" "group_0" stages ["compare"] : !t {
      %r = inlay.relu %x : (!t) -> !t
      inlay.yield %r : !t
    }
    inlay.yield %a : !t
  } else {
    inlay.yield %x : !t
  }
  return %y : !t
}
