// RUN: %inlay-opt %s -inlay-rewrite | FileCheck %s

// What takes the place of several bears all of their origins, and the name of
// the last; constants go into the one that is computed from them.
// CHECK-NOT: inlay.removed
// CHECK: inlay.constant dense<{{.*}}> : tensor<2x1x1x1xf32> loc([[W:#.*]])
// CHECK: inlay.constant dense<{{.*}}> : tensor<2xf32> loc([[B:#.*]])
// CHECK: inlay.conv {{.*}} loc([[Y:#.*]])
// CHECK-DAG: [[W]] = loc(fused<#inlay.origin<"", "initializer", ["w"]>>
// CHECK-DAG: [[NORM:#loc[0-9]*]] = loc(fused<#inlay.origin<"norm", "BatchNormalization", ["y"]>>
// CHECK-DAG: [[CONV:#loc[0-9]*]] = loc(fused<#inlay.origin<"conv", "Conv", ["c"]>>
// CHECK-DAG: [[Y]] = loc(fused{{\[}}[[NORM]], [[CONV]]])
// CHECK-DAG: [[BIAS:#loc[0-9]*]] = loc(fused<#inlay.origin<"", "initializer", ["bias"]>>
// CHECK-DAG: [[MEAN:#loc[0-9]*]] = loc(fused<#inlay.origin<"", "initializer", ["mean"]>>
// CHECK-DAG: [[VAR:#loc[0-9]*]] = loc(fused<#inlay.origin<"", "initializer", ["var"]>>
// CHECK-DAG: [[SCALE:#loc[0-9]*]] = loc(fused<#inlay.origin<"", "initializer", ["scale"]>>
// CHECK-DAG: [[B]] = loc(fused{{\[}}[[BIAS]], [[MEAN]], [[VAR]], [[SCALE]]])
module {
  func.func @main(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
    %w = inlay.constant dense<[[[[5.0]]], [[[7.0]]]]> : tensor<2x1x1x1xf32> loc(fused<#inlay.origin<"", "initializer", ["w"]>>[unknown])
    %scale = inlay.constant dense<[4.0, 6.0]> : tensor<2xf32> loc(fused<#inlay.origin<"", "initializer", ["scale"]>>[unknown])
    %bias = inlay.constant dense<[0.5, 0.25]> : tensor<2xf32> loc(fused<#inlay.origin<"", "initializer", ["bias"]>>[unknown])
    %mean = inlay.constant dense<[1.0, 2.0]> : tensor<2xf32> loc(fused<#inlay.origin<"", "initializer", ["mean"]>>[unknown])
    %var = inlay.constant dense<3.0> : tensor<2xf32> loc(fused<#inlay.origin<"", "initializer", ["var"]>>[unknown])
    %c = inlay.conv %x, %w : (tensor<1x1x4x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4x4xf32> loc(fused<#inlay.origin<"conv", "Conv", ["c"]>>[unknown])
    %y, %m, %v = inlay.batch_normalization %c, %scale, %bias, %mean, %var {epsilon = 1.0 : f32} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>) loc(fused<#inlay.origin<"norm", "BatchNormalization", ["y"]>>[unknown])
    return %y : tensor<1x2x4x4xf32>
  }
}
