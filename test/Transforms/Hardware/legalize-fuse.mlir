// RUN: %inlay-opt %s -mlir-print-debuginfo=false -inlay-set-target=target=%S/Inputs/concat-relu.yaml -inlay-legalize -inlay-fuse-hardware | FileCheck %s

// Case 43: of the steps of a Concat only the last one is the pipeline's stage.
// CHECK: %[[S:.*]] = inlay.group "concat-relu" "group_0" stages ["concat"]
// CHECK-NEXT: inlay.concat %arg0, %arg1
// CHECK: inlay.group "concat-relu" "group_1" stages ["concat", "compare"]
// CHECK-NEXT: inlay.concat %[[S]], %arg2, %arg3
// CHECK-NEXT: inlay.relu
func.func @main(%a: tensor<1x2xf32>, %b: tensor<1x2xf32>, %c: tensor<1x2xf32>, %d: tensor<1x2xf32>) -> tensor<1x8xf32> {
  %y = inlay.concat %a, %b, %c, %d {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x8xf32>
  %z = inlay.relu %y : (tensor<1x8xf32>) -> tensor<1x8xf32>
  return %z : tensor<1x8xf32>
}
