// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @ranks_are_three_or_four(%q: tensor<4x8xf32>) {
  // expected-error @+1 {{query has rank 2, expected 3 or 4}}
  %0:4 = inlay.attention %q, %q, %q
      : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @ranks_agree(%q: tensor<2x5x8xf32>, %k: tensor<2x1x5x8xf32>) {
  // expected-error @+1 {{key has rank 4, expected that of the query, 3}}
  %0:4 = inlay.attention %q, %k, %k {q_num_heads = 1 : i64, kv_num_heads = 1 : i64}
      : (tensor<2x5x8xf32>, tensor<2x1x5x8xf32>, tensor<2x1x5x8xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @merged_heads_are_counted(%q: tensor<2x5x8xf32>) {
  // expected-error @+1 {{operands of rank 3 need 'kv_num_heads'}}
  %0:4 = inlay.attention %q, %q, %q {q_num_heads = 2 : i64}
      : (tensor<2x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @merged_heads_divide(%q: tensor<2x5x8xf32>, %k: tensor<2x5x9xf32>) {
  // expected-error @+1 {{key has hidden size 9, expected a multiple of its 2 heads}}
  %0:4 = inlay.attention %q, %k, %q {q_num_heads = 2 : i64, kv_num_heads = 2 : i64}
      : (tensor<2x5x8xf32>, tensor<2x5x9xf32>, tensor<2x5x8xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @batches_agree(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x7x8xf32>, %v: tensor<3x4x7x8xf32>) {
  // expected-error @+1 {{value has batch size 3, expected 2}}
  %0:4 = inlay.attention %q, %k, %v
      : (tensor<2x4x5x8xf32>, tensor<2x4x7x8xf32>, tensor<3x4x7x8xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @key_and_value_are_as_long(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x7x8xf32>, %v: tensor<2x4x6x8xf32>) {
  // expected-error @+1 {{value has sequence length 6, expected 7}}
  %0:4 = inlay.attention %q, %k, %v
      : (tensor<2x4x5x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x6x8xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @head_sizes_agree(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x7x6xf32>) {
  // expected-error @+1 {{key has head size 6, expected 8}}
  %0:4 = inlay.attention %q, %k, %k
      : (tensor<2x4x5x8xf32>, tensor<2x4x7x6xf32>, tensor<2x4x7x6xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @heads_are_shared_evenly(%q: tensor<2x4x5x8xf32>, %k: tensor<2x3x7x8xf32>) {
  // expected-error @+1 {{query has 4 heads, expected a multiple of the 3 of the key}}
  %0:4 = inlay.attention %q, %k, %k
      : (tensor<2x4x5x8xf32>, tensor<2x3x7x8xf32>, tensor<2x3x7x8xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @stated_heads_are_those(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x7x8xf32>, %v: tensor<2x4x7x8xf32>) {
  // expected-error @+1 {{query has number of heads 4, expected 2}}
  %0:4 = inlay.attention %q, %k, %v {q_num_heads = 2 : i64}
      : (tensor<2x4x5x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @mask_broadcasts(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x7x8xf32>, %m: tensor<4x7xf32>) {
  // expected-error @+1 {{attn_mask of shape 4x7 does not broadcast to the scores of shape 2x4x5x7}}
  %0:4 = inlay.attention %q, %k, %k mask %m
      : (tensor<2x4x5x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>, tensor<4x7xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @mask_is_not_longer_than_the_keys(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x7x8xf32>, %m: tensor<5x8xf32>) {
  // expected-error @+1 {{attn_mask of shape 5x8 does not broadcast to the scores of shape 2x4x5x7}}
  %0:4 = inlay.attention %q, %k, %k mask %m
      : (tensor<2x4x5x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>, tensor<5x8xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @past_has_the_heads_of_the_key(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x7x8xf32>, %a: tensor<2x4x3x8xf32>, %b: tensor<2x4x2x8xf32>) {
  // expected-error @+1 {{past_value must have shape 2x4x3x8 but has shape 2x4x2x8}}
  %0:4 = inlay.attention %q, %k, %k past %a, %b
      : (tensor<2x4x5x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x2x8xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @one_length_per_batch(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x7x8xf32>, %n: tensor<3xi64>) {
  // expected-error @+1 {{nonpad_kv_seqlen must have shape 2 but has shape 3}}
  %0:4 = inlay.attention %q, %k, %k lengths %n
      : (tensor<2x4x5x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>, tensor<3xi64>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @modes_are_four(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x7x8xf32>, %v: tensor<2x4x7x8xf32>) {
  // expected-error @+1 {{'qk_matmul_output_mode' must be in [0, 3] but is 4}}
  %0:4 = inlay.attention %q, %k, %v {qk_matmul_output_mode = 4 : i64}
      : (tensor<2x4x5x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @masked_rows_are_known(%q: tensor<2x4x5x8xf32>, %k: tensor<2x4x7x8xf32>, %v: tensor<2x4x7x8xf32>) {
  // expected-error @+1 {{'masked_rows' must be zero, softmax or nan_to_zero but is 'one'}}
  %0:4 = inlay.attention %q, %k, %v {masked_rows = "one"}
      : (tensor<2x4x5x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>)
      -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  return
}

// -----

func.func @caches_fit_the_positions(%x: tensor<2x3x5x8xf32>, %c: tensor<2x5x8xf32>) {
  // expected-error @+1 {{cos_cache must have shape 2x5x4 but has shape 2x5x8}}
  %0 = inlay.rotary_embedding %x, %c, %c
      : (tensor<2x3x5x8xf32>, tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x3x5x8xf32>
  return
}

// -----

func.func @positions_are_per_element(%x: tensor<2x3x5x8xf32>, %c: tensor<9x4xf32>, %i: tensor<5xi64>) {
  // expected-error @+1 {{position_ids must have shape 2x5 but has shape 5}}
  %0 = inlay.rotary_embedding %x, %c, %c at %i
      : (tensor<2x3x5x8xf32>, tensor<9x4xf32>, tensor<9x4xf32>, tensor<5xi64>) -> tensor<2x3x5x8xf32>
  return
}

// -----

func.func @turned_elements_are_in_a_head(%x: tensor<2x3x5x8xf32>, %c: tensor<2x5x5xf32>) {
  // expected-error @+1 {{cannot turn 10 of 8 elements of a head in pairs}}
  %0 = inlay.rotary_embedding %x, %c, %c {rotary_embedding_dim = 10 : i64}
      : (tensor<2x3x5x8xf32>, tensor<2x5x5xf32>, tensor<2x5x5xf32>) -> tensor<2x3x5x8xf32>
  return
}

// -----

func.func @merged_heads_of_a_rotation_are_counted(%x: tensor<2x5x8xf32>, %c: tensor<2x5x4xf32>) {
  // expected-error @+1 {{'num_heads' must be positive for an input of rank 3 but is 0}}
  %0 = inlay.rotary_embedding %x, %c, %c
      : (tensor<2x5x8xf32>, tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x8xf32>
  return
}
