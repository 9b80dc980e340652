// RUN: %inlay-opt %s -inlay-expand=replace | FileCheck %s

// The last operator is the node, every result keeps its name, and all steps
// bear the node's origin behind their own.
// CHECK: inlay.reduce_mean {{.*}} loc([[MEAN:#.*]])
// CHECK: inlay.sub {{.*}} loc([[SUB:#.*]])
// CHECK: inlay.constant {{.*}} loc([[NONE:#.*]])
// CHECK: inlay.mul {{.*}}xf32>, tensor<8xf32>) {{.*}} loc([[NODE:#.*]])
// CHECK-DAG: [[NONE]] = loc(unknown)
// CHECK-DAG: [[NODE]] = loc(fused<#inlay.origin<"ln", "LayerNormalization", ["y", "m"]>>
// CHECK-DAG: [[MEAN1:#loc[0-9]*]] = loc(fused<#inlay.origin<"ln/reduce_mean", "LayerNormalization", ["m"]>>
// CHECK-DAG: [[MEAN]] = loc(fused{{\[}}[[MEAN1]], [[NODE]]])
// CHECK-DAG: [[SUB1:#loc[0-9]*]] = loc(fused<#inlay.origin<"ln/sub", "LayerNormalization", [""]>>
// CHECK-DAG: [[SUB]] = loc(fused{{\[}}[[SUB1]], [[NODE]]])
// CHECK-DAG: #inlay.origin<"ln/reduce_mean_2", "LayerNormalization", [""]>
module {
  func.func @main(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>) {
    %y, %m, %i = inlay.layer_normalization %x, %g : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>) loc(fused<#inlay.origin<"ln", "LayerNormalization", ["y", "m"]>>[unknown])
    return %y, %m : tensor<4x8xf32>, tensor<4x1xf32>
  }
}
