// RUN: %inlay-opt %s -inlay-simplify -split-input-file | FileCheck %s

// Constants are passed in: what is computed at compile time stands outside.
// CHECK-LABEL: func.func @folds_out_of_groups
// CHECK: %[[C:.*]] = inlay.constant dense<-3.0
// CHECK: inlay.group
// CHECK-NEXT: inlay.add %arg0, %[[C]]
// CHECK-NEXT: inlay.yield
!t = tensor<2xf32>
func.func @folds_out_of_groups(%x: !t) -> !t {
  %c = inlay.constant dense<3.0> : !t
  %g = inlay.group "opu" "group_0" stages ["", "add"] : !t {
    %n = inlay.neg %c : (!t) -> !t
    %a = inlay.add %x, %n : (!t, !t) -> !t
    inlay.yield %a : !t
  }
  return %g : !t
}

// -----

// CHECK-LABEL: func.func @removes_groups_that_nobody_uses
// CHECK-NEXT: return %arg0
!t = tensor<2xf32>
func.func @removes_groups_that_nobody_uses(%x: !t) -> !t {
  %g = inlay.group "opu" "group_0" stages [""] : !t {
    %n = inlay.neg %x : (!t) -> !t
    inlay.yield %n : !t
  }
  return %x : !t
}

// -----

// Two groups that compute the same are two; what they read is merged.
// CHECK-LABEL: func.func @merges_what_groups_read_but_not_groups
// CHECK: %[[E:.*]] = inlay.exp
// CHECK-NOT: inlay.exp
// CHECK: inlay.group
// CHECK: inlay.neg %[[E]]
// CHECK: inlay.group
// CHECK: inlay.neg %[[E]]
!t = tensor<2xf32>
func.func @merges_what_groups_read_but_not_groups(%x: !t) -> (!t, !t) {
  %a = inlay.exp %x : (!t) -> !t
  %b = inlay.exp %x : (!t) -> !t
  %g = inlay.group "opu" "group_0" stages [""] : !t {
    %n = inlay.neg %a : (!t) -> !t
    inlay.yield %n : !t
  }
  %h = inlay.group "opu" "group_1" stages [""] : !t {
    %n = inlay.neg %b : (!t) -> !t
    inlay.yield %n : !t
  }
  return %g, %h : !t, !t
}

// -----

// What nobody uses is not given out, and not computed.
// CHECK-LABEL: func.func @drops_unused_results_of_groups
// CHECK: %[[G:.*]] = inlay.group "opu" "group_0" stages [{{.*}}] : tensor<2xf32> {
// CHECK-NEXT: %[[N:.*]] = inlay.neg %arg0
// CHECK-NEXT: inlay.yield %[[N]] : tensor<2xf32>
// CHECK: return %[[G]]
!t = tensor<2xf32>
func.func @drops_unused_results_of_groups(%x: !t) -> !t {
  %g:2 = inlay.group "opu" "group_0" stages ["", ""] : !t, !t {
    %n = inlay.neg %x : (!t) -> !t
    %e = inlay.exp %n : (!t) -> !t
    inlay.yield %e, %n : !t, !t
  }
  return %g#1 : !t
}

// -----

// What a kernel says of itself follows: types get known, operators go, and
// constants are one.
// CHECK-LABEL: func.func @updates_kernels
// CHECK: inlay.group "none" "kernel_0" kernel <elementwise, space = [2], reads = [same, other]> : tensor<2xf32> {
func.func @updates_kernels(%x: tensor<2xf32>) -> tensor<?xf32> {
  %c = inlay.constant dense<3.0> : tensor<f32>
  %d = inlay.constant dense<3.0> : tensor<f32>
  %g:2 = inlay.group "none" "kernel_0" kernel <elementwise, space = [?], reads = [other, other, other]> : tensor<?xf32>, tensor<?xf32> {
    %n = inlay.neg %x : (tensor<2xf32>) -> tensor<?xf32>
    %a = inlay.add %n, %c : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    %m = inlay.mul %a, %d : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
    inlay.yield %n, %m : tensor<?xf32>, tensor<?xf32>
  }
  return %g#1 : tensor<?xf32>
}
