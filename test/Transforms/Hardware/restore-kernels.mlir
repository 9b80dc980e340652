// RUN: inlay-opt %s -inlay-outline-groups | FileCheck %s --check-prefix=OUTLINED
// RUN: inlay-opt %s -inlay-outline-groups -inlay-restore-groups | FileCheck %s
// What a function says of its class is not trusted.
// RUN: inlay-opt %s -inlay-outline-groups | sed 's/"elementwise"/"contraction"/' | inlay-opt -inlay-restore-groups | FileCheck %s
// RUN: inlay-opt %s -inlay-outline-groups | sed 's/"elementwise"/"fast"/' | not inlay-opt -inlay-restore-groups 2>&1 | FileCheck %s --check-prefix=FAST

// A function keeps whether it was a kernel or a cluster; which loops a kernel
// is follows from its operators.
// OUTLINED: func.func private @kernel_0({{.*}} attributes {inlay.kernel = "elementwise", inlay.target = "none"}
// OUTLINED: func.func private @cluster_0({{.*}} attributes {inlay.kernel = "cluster", inlay.target = "none"}
// CHECK: inlay.group "none" "kernel_0" kernel <elementwise, space = [4], reads = [same]> : tensor<4xf32> {
// CHECK: inlay.group "none" "cluster_0" cluster : tensor<4xf32> {
// FAST: function 'kernel_0' is a kernel of class 'fast', expected that of an operator, as 'elementwise' or 'contraction'
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %k = inlay.group "none" "kernel_0" kernel <elementwise, space = [4], reads = [same]> : tensor<4xf32> {
    %r = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    %y = inlay.exp %r : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %y : tensor<4xf32>
  }
  %c = inlay.group "none" "cluster_0" cluster : tensor<4xf32> {
    %y = inlay.abs %k : (tensor<4xf32>) -> tensor<4xf32>
    inlay.yield %y : tensor<4xf32>
  }
  return %c : tensor<4xf32>
}
