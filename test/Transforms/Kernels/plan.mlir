// What is decided stands in the IR until kernels are made.
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-expand -inlay-plan-kernels | FileCheck %s
// RUN: %inlay-opt %s -inlay-expand -inlay-plan-kernels -o %t.mlir
// RUN: %inlay-opt %t.mlir -mlir-print-debuginfo=false -inlay-reconstruct | FileCheck %s --check-prefix=MADE
// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-reconstruct | FileCheck %s --check-prefix=UNPLANNED

// A plan takes the place of an earlier one, whosever that was.
// RUN: sed 's|inlay.tanh %%s|inlay.tanh %%s {inlay.in_kernel = 0 : i64}|; s|tensor<4x16xf32> {$|tensor<4x16xf32> attributes {inlay.planned_kernels = [["mine", "reduce"]]} {|' %s > %t.old.mlir
// RUN: %inlay-opt %t.old.mlir -mlir-print-debuginfo=false -inlay-expand -inlay-plan-kernels | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: inlay.planned_kernels = {{\[\[}}"kernel_0", "elementwise"]]
// CHECK: inlay.add {{.*}}{inlay.in_kernel = 0 : i64}
// CHECK: inlay.tanh {{.*}}{inlay.in_kernel = 0 : i64}
// CHECK-NOT: inlay.group

// MADE-LABEL: func.func @main
// MADE-NOT: inlay.in_kernel
// MADE-NOT: inlay.planned_kernels
// MADE: inlay.group
// MADE: inlay.add
// MADE: inlay.tanh

// UNPLANNED-NOT: inlay.group
module attributes {inlay.opsets = {ai.onnx = 17 : i64}} {
  func.func @main(%x: tensor<4x16xf32>, %y: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %s = inlay.add %x, %y : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
    %t = inlay.tanh %s : (tensor<4x16xf32>) -> tensor<4x16xf32>
    return %t : tensor<4x16xf32>
  }
}
