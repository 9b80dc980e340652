// RUN: %inlay-opt %s -inlay-expand="all replace" -mlir-print-debuginfo=false | FileCheck %s
// RUN: %inlay-opt %s -inlay-expand="all replace also=Sigmoid" -mlir-print-debuginfo=false | FileCheck %s --check-prefix=ALSO
// RUN: %inlay-opt %s -inlay-expand="also=Gelu" -mlir-print-debuginfo=false | FileCheck %s --check-prefix=GELU

// Requirement f39: the factor is the one of sqrt(2), rounded once.
// CHECK-LABEL: func @gelu
// CHECK-DAG: %[[X:.*]] = inlay.mul %arg0
// CHECK-DAG: inlay.constant #inlay.scaled<dense<0.70710678118654757> : tensor<f64>, {{.*}}> : tensor<f32>
// CHECK: inlay.erf
// CHECK-NOT: inlay.gelu
// CHECK: return
// GELU-LABEL: func @gelu
// GELU: inlay.erf {{.*}}inlay.expansion = 0 : i64
// GELU: inlay.gelu
// GELU: inlay.expanded
func.func @gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = inlay.gelu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// What is basic nearly everywhere is expanded by name only.
// CHECK-LABEL: func @swish
// CHECK-NEXT: inlay.sigmoid
// CHECK-NEXT: inlay.mul
// ALSO-LABEL: func @swish
// ALSO-NOT: inlay.sigmoid
// ALSO: inlay.neg
// ALSO: inlay.exp
// ALSO: inlay.div
func.func @swish(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = inlay.swish %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// Sums keep their order; two operands are as many as a basic operator has.
// CHECK-LABEL: func @variadic
// CHECK: %[[AB:.*]] = inlay.add %arg0, %arg1
// CHECK: %[[ABC:.*]] = inlay.add %[[AB]], %arg2
// CHECK: inlay.max %[[ABC]], %arg0
func.func @variadic(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %s = inlay.sum %a, %b, %c : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = inlay.max %s, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK-LABEL: func @powers
// CHECK: inlay.mul %arg0, %arg0
// CHECK: inlay.pow %arg0, %{{.*}}
// CHECK: inlay.pow %arg0, %arg1
func.func @powers(%x: tensor<4xf32>, %e: tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %two = inlay.constant dense<2.0> : tensor<f32>
  %three = inlay.constant dense<3.0> : tensor<f32>
  %a = inlay.pow %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %b = inlay.pow %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %c = inlay.pow %x, %e : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Chance is not expanded.
// CHECK-LABEL: func @dropout
// CHECK: inlay.identity %arg0
// CHECK: inlay.dropout
func.func @dropout(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a, %m = inlay.dropout %x : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>)
  %b, %n = inlay.dropout %x {training_mode = 1 : i64, ratio = 5.000000e-01 : f32} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>)
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// Views become the one that all are; what needs more than one unknown extent
// stays.
// CHECK-LABEL: func @views
// CHECK: inlay.reshape %arg0 {shape = array<i64: -1, 1, 4>}
// CHECK: inlay.unsqueeze %arg1
func.func @views(%x: tensor<?x4xf32>, %z: tensor<?x?xf32>) -> (tensor<?x1x4xf32>, tensor<?x1x?xf32>) {
  %a = inlay.unsqueeze %x {axes = array<i64: 1>} : (tensor<?x4xf32>) -> tensor<?x1x4xf32>
  %b = inlay.unsqueeze %z {axes = array<i64: 1>} : (tensor<?x?xf32>) -> tensor<?x1x?xf32>
  return %a, %b : tensor<?x1x4xf32>, tensor<?x1x?xf32>
}

// CHECK-LABEL: func @split
// CHECK: inlay.slice %arg0 {axes = array<i64: 0>, ends = array<i64: 4>, starts = array<i64: 1>}
// CHECK-NOT: inlay.slice
func.func @split(%x: tensor<4xf32>) -> tensor<3xf32> {
  %a, %b = inlay.split %x {split = array<i64: 1, 3>} : (tensor<4xf32>) -> (tensor<1xf32>, tensor<3xf32>)
  return %b : tensor<3xf32>
}
