// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @attention_of_four_dimensions
func.func @attention_of_four_dimensions(%q: tensor<2x8x5x16xf32>, %k: tensor<2x4x7x16xf32>, %v: tensor<2x4x7x6xf32>)
    -> tensor<2x8x5x6xf32> {
  // CHECK: inlay.attention %{{.*}}, %{{.*}}, %{{.*}} {is_causal = 1 : i64} :
  // CHECK-SAME: -> (tensor<2x8x5x6xf32>, tensor<2x4x7x16xf32>, tensor<2x4x7x6xf32>, tensor<2x8x5x7xf32>)
  %0:4 = inlay.attention %q, %k, %v {is_causal = 1 : i64}
      : (tensor<2x8x5x16xf32>, tensor<2x4x7x16xf32>, tensor<2x4x7x6xf32>)
      -> (tensor<2x8x5x6xf32>, tensor<2x4x7x16xf32>, tensor<2x4x7x6xf32>, tensor<2x8x5x7xf32>)
  return %0#0 : tensor<2x8x5x6xf32>
}

// CHECK-LABEL: @heads_are_merged_with_sizes
func.func @heads_are_merged_with_sizes(%q: tensor<?x5x32xf32>, %k: tensor<?x7x16xf32>, %v: tensor<?x7x12xf32>)
    -> tensor<?x5x24xf32> {
  %0:4 = inlay.attention %q, %k, %v {q_num_heads = 4 : i64, kv_num_heads = 2 : i64}
      : (tensor<?x5x32xf32>, tensor<?x7x16xf32>, tensor<?x7x12xf32>)
      -> (tensor<?x5x24xf32>, tensor<?x2x7x8xf32>, tensor<?x2x7x6xf32>, tensor<?x4x5x7xf32>)
  return %0#0 : tensor<?x5x24xf32>
}

// CHECK-LABEL: @past_and_mask
func.func @past_and_mask(%x: tensor<1x2x3x4xf32>, %past: tensor<1x2x5x4xf32>, %mask: tensor<3x8xi1>)
    -> tensor<1x2x8x4xf32> {
  // CHECK: inlay.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} past %{{.*}}, %{{.*}} :
  %0:4 = inlay.attention %x, %x, %x mask %mask past %past, %past
      : (tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<1x2x3x4xf32>, tensor<3x8xi1>, tensor<1x2x5x4xf32>,
         tensor<1x2x5x4xf32>)
      -> (tensor<1x2x3x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x8x4xf32>, tensor<1x2x3x8xf32>)
  return %0#1 : tensor<1x2x8x4xf32>
}

// CHECK-LABEL: @mask_may_end_before_the_keys
func.func @mask_may_end_before_the_keys(%x: tensor<2x2x3x4xf32>, %mask: tensor<2x1x3x2xf32>, %n: tensor<2xi64>)
    -> tensor<2x2x3x4xf32> {
  // CHECK: inlay.attention %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} lengths %{{.*}} {masked_rows = "softmax"}
  %0:4 = inlay.attention %x, %x, %x mask %mask lengths %n {masked_rows = "softmax"}
      : (tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>, tensor<2x1x3x2xf32>, tensor<2xi64>)
      -> (tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>, tensor<2x2x3x4xf32>, tensor<2x2x3x3xf32>)
  return %0#0 : tensor<2x2x3x4xf32>
}

// CHECK-LABEL: @rotary_embedding_with_and_without_positions
func.func @rotary_embedding_with_and_without_positions(%x: tensor<2x3x5x8xf32>, %y: tensor<2x5x24xf32>,
    %cache: tensor<2x5x4xf32>, %table: tensor<9x2xf32>, %ids: tensor<2x5xi64>) -> tensor<2x5x24xf32> {
  // CHECK: inlay.rotary_embedding %{{.*}}, %{{.*}}, %{{.*}} :
  %0 = inlay.rotary_embedding %x, %cache, %cache
      : (tensor<2x3x5x8xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x3x5x8xf32>
  // CHECK: inlay.rotary_embedding %{{.*}}, %{{.*}}, %{{.*}} at %{{.*}} {num_heads = 3 : i64, rotary_embedding_dim = 4 : i64}
  %1 = inlay.rotary_embedding %y, %table, %table at %ids {num_heads = 3 : i64, rotary_embedding_dim = 4 : i64}
      : (tensor<2x5x24xf32>, tensor<9x2xf32>, tensor<9x2xf32>, tensor<2x5xi64>) -> tensor<2x5x24xf32>
  return %1 : tensor<2x5x24xf32>
}
