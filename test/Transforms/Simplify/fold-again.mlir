// RUN: %inlay-opt %s -inlay-simplify -split-input-file | FileCheck %s

// What has grown says from which size.
// CHECK: module attributes {{.*}}inlay.metadata = {inlay.original_bytes = "{{[0-9]+}}"}
// CHECK-LABEL: func.func @notes_the_size_before
// CHECK-NOT: inlay.expand
// CHECK: return
module {
  func.func @notes_the_size_before(%x: tensor<1000xf32>) -> tensor<1000xf32> {
    %one = inlay.constant dense<1.0> : tensor<f32>
    %ones = inlay.expand %one {shape = array<i64: 1000>} : (tensor<f32>) -> tensor<1000xf32>
    %y = inlay.add %x, %ones : (tensor<1000xf32>, tensor<1000xf32>) -> tensor<1000xf32>
    return %y : tensor<1000xf32>
  }
}

// -----

// CHECK-NOT: inlay.metadata
// CHECK-LABEL: func.func @notes_nothing_where_nothing_grew
module {
  func.func @notes_nothing_where_nothing_grew(%x: tensor<1000xf32>) -> tensor<1000xf32> {
    %a = inlay.constant dense<1.0> : tensor<f32>
    %b = inlay.neg %a : (tensor<f32>) -> tensor<f32>
    %y = inlay.add %x, %b : (tensor<1000xf32>, tensor<f32>) -> tensor<1000xf32>
    return %y : tensor<1000xf32>
  }
}

// -----

// 800,000 bytes were added before: the limit holds for both compilations.
// CHECK-LABEL: func.func @grows_by_the_limit_in_all_compilations
// CHECK: inlay.expand
// CHECK: return
module attributes {inlay.metadata = {inlay.original_bytes = "200"}} {
  func.func @grows_by_the_limit_in_all_compilations(%x: tensor<200000xf32>) -> tensor<200000xf32> {
    %as = inlay.constant dense<1.0> : tensor<200000xf32>
    %b = inlay.constant dense<2.0> : tensor<f32>
    %bs = inlay.expand %b {shape = array<i64: 200000>} : (tensor<f32>) -> tensor<200000xf32>
    %y = inlay.add %x, %as : (tensor<200000xf32>, tensor<200000xf32>) -> tensor<200000xf32>
    %z = inlay.add %y, %bs : (tensor<200000xf32>, tensor<200000xf32>) -> tensor<200000xf32>
    return %z : tensor<200000xf32>
  }
}

// -----

// A file cannot ask for more than its size allows.
// CHECK-LABEL: func.func @does_not_believe_in_a_larger_model
// CHECK: inlay.expand
// CHECK: return
module attributes {inlay.metadata = {inlay.original_bytes = "99999999999"}} {
  func.func @does_not_believe_in_a_larger_model(%x: tensor<400000xf32>) -> tensor<400000xf32> {
    %b = inlay.constant dense<2.0> : tensor<f32>
    %bs = inlay.expand %b {shape = array<i64: 400000>} : (tensor<f32>) -> tensor<400000xf32>
    %z = inlay.add %x, %bs : (tensor<400000xf32>, tensor<400000xf32>) -> tensor<400000xf32>
    return %z : tensor<400000xf32>
  }
}
