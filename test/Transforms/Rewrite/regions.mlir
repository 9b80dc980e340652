// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-rewrite | FileCheck %s

// Branches are rewritten like the graph around them.
// CHECK-LABEL: @inside_a_branch
func.func @inside_a_branch(%cond: tensor<i1>, %x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  // CHECK: inlay.if
  // CHECK-NOT: inlay.mul
  // CHECK: inlay.conv
  // CHECK: return
  %w = inlay.constant dense<5.0> : tensor<1x1x1x1xf32>
  %s = inlay.constant dense<2.0> : tensor<f32>
  %r = inlay.if %cond : (tensor<i1>) -> tensor<1x1x4x4xf32> {
    %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
    %y = inlay.mul %c, %s : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
    inlay.yield %y : tensor<1x1x4x4xf32>
  } else {
    inlay.yield %x : tensor<1x1x4x4xf32>
  }
  return %r : tensor<1x1x4x4xf32>
}

// A body may run again and again; what is outside of it stays there.
// CHECK-LABEL: @keeps_what_is_outside_of_a_body
func.func @keeps_what_is_outside_of_a_body(%cond: tensor<i1>, %x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  // CHECK: inlay.conv
  // CHECK: inlay.if
  // CHECK: inlay.mul
  %w = inlay.constant dense<5.0> : tensor<1x1x1x1xf32>
  %s = inlay.constant dense<2.0> : tensor<f32>
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  %r = inlay.if %cond : (tensor<i1>) -> tensor<1x1x4x4xf32> {
    %y = inlay.mul %c, %s : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
    inlay.yield %y : tensor<1x1x4x4xf32>
  } else {
    inlay.yield %x : tensor<1x1x4x4xf32>
  }
  return %r : tensor<1x1x4x4xf32>
}

// Groups are finished.
// CHECK-LABEL: @keeps_groups
func.func @keeps_groups(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  // CHECK: inlay.group
  // CHECK: inlay.conv
  // CHECK: inlay.mul
  %w = inlay.constant dense<5.0> : tensor<1x1x1x1xf32>
  %s = inlay.constant dense<2.0> : tensor<f32>
  %r = inlay.group "opu" "group_0" stages ["ipa", "mul"] : tensor<1x1x4x4xf32> {
    %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
    %y = inlay.mul %c, %s : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
    inlay.yield %y : tensor<1x1x4x4xf32>
  }
  return %r : tensor<1x1x4x4xf32>
}

// What a rewrite makes is tried again.
// CHECK-LABEL: @a_chain_of_products
func.func @a_chain_of_products(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32> {
  // CHECK: %[[Y:.*]] = inlay.conv
  // CHECK-NEXT: return %[[Y]]
  %w = inlay.constant dense<5.0> : tensor<1x1x1x1xf32>
  %s = inlay.constant dense<2.0> : tensor<f32>
  %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  %d = inlay.mul %c, %s : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  %e = inlay.mul %d, %s : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  %f = inlay.mul %e, %s : (tensor<1x1x4x4xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  return %f : tensor<1x1x4x4xf32>
}

// What a model declares of a value stays, whatever is known of what computes it.
// CHECK-LABEL: @keeps_the_type_of_the_root
// CHECK-SAME: -> tensor<1x1x4x4xf32>
func.func @keeps_the_type_of_the_root(%x: tensor<1x1x?x?xf32>) -> tensor<1x1x4x4xf32> {
  // CHECK: inlay.conv {{.*}} -> tensor<1x1x4x4xf32>
  %w = inlay.constant dense<5.0> : tensor<1x1x1x1xf32>
  %s = inlay.constant dense<2.0> : tensor<f32>
  %c = inlay.conv %x, %w : (tensor<1x1x?x?xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x?x?xf32>
  %y = inlay.mul %c, %s : (tensor<1x1x?x?xf32>, tensor<f32>) -> tensor<1x1x4x4xf32>
  return %y : tensor<1x1x4x4xf32>
}
