// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @directions_have_names(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @+1 {{'direction' must be forward, reverse or bidirectional but is 'sideways'}}
  %0:2 = inlay.rnn %x, %w, %r {direction = "sideways"} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @layouts_are_two(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @+1 {{'layout' must be 0 or 1 but is 2}}
  %0:2 = inlay.rnn %x, %w, %r {layout = 2 : i64} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @hidden_sizes_are_positive(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @+1 {{'hidden_size' must be positive but is 0}}
  %0:2 = inlay.rnn %x, %w, %r {hidden_size = 0 : i64} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @a_sequence_has_three_dimensions(%x: tensor<5x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @+1 {{x must have rank 3 but has rank 2}}
  %0:2 = inlay.rnn %x, %w, %r : (tensor<5x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @hidden_sizes_fit_the_weights(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @+1 {{w must have shape 1x5x3 but has shape 1x4x3}}
  %0:2 = inlay.rnn %x, %w, %r {hidden_size = 5 : i64} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @weights_are_of_every_direction(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @+1 {{w must have shape 2x4x3 but has shape 1x4x3}}
  %0:2 = inlay.rnn %x, %w, %r {direction = "bidirectional"} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @gates_have_weights(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x12x4xf32>) {
  // expected-error @+1 {{w must have shape 1x12x3 but has shape 1x4x3}}
  %0:2 = inlay.gru %x, %w, %r : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x12x4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @recurrence_is_square(%x: tensor<5x2x3xf32>, %w: tensor<1x16x3xf32>, %r: tensor<1x16x5xf32>) {
  // expected-error @+1 {{r must have shape 1x16x4 but has shape 1x16x5}}
  %0:3 = inlay.lstm %x, %w, %r {hidden_size = 4 : i64} : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x5xf32>) -> (!inlay.unknown, !inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @biases_come_in_pairs(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>, %e: tensor<1x4xf32>) {
  // expected-error @+1 {{b must have shape 1x8 but has shape 1x4}}
  %0:2 = inlay.rnn %x, %w, %r bias %e : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<1x4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @each_batch_has_a_length(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>, %e: tensor<5xi32>) {
  // expected-error @+1 {{sequence_lens must have shape 2 but has shape 5}}
  %0:2 = inlay.rnn %x, %w, %r lengths %e : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<5xi32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @states_are_of_every_batch(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>, %e: tensor<1x5x4xf32>) {
  // expected-error @+1 {{initial_h must have shape 1x2x4 but has shape 1x5x4}}
  %0:2 = inlay.rnn %x, %w, %r hidden %e : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<1x5x4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @states_have_the_batch_first_with_layout(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>, %e: tensor<1x5x4xf32>) {
  // expected-error @+1 {{initial_h must have shape 5x1x4 but has shape 1x5x4}}
  %0:2 = inlay.rnn %x, %w, %r hidden %e {layout = 1 : i64} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<1x5x4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @cells_are_states(%x: tensor<5x2x3xf32>, %w: tensor<1x16x3xf32>, %r: tensor<1x16x4xf32>, %e: tensor<1x2x5xf32>) {
  // expected-error @+1 {{initial_c must have shape 1x2x4 but has shape 1x2x5}}
  %0:3 = inlay.lstm %x, %w, %r cell %e : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, tensor<1x2x5xf32>) -> (!inlay.unknown, !inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @peepholes_are_three(%x: tensor<5x2x3xf32>, %w: tensor<1x16x3xf32>, %r: tensor<1x16x4xf32>, %e: tensor<1x16xf32>) {
  // expected-error @+1 {{peepholes must have shape 1x12 but has shape 1x16}}
  %0:3 = inlay.lstm %x, %w, %r peepholes %e : (tensor<5x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, tensor<1x16xf32>) -> (!inlay.unknown, !inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @activations_are_known(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @+1 {{activation 'Swirl' is not known}}
  %0:2 = inlay.rnn %x, %w, %r {activations = ["Swirl"]} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @activations_are_of_every_direction(%x: tensor<5x2x3xf32>, %w: tensor<2x4x3xf32>, %r: tensor<2x4x4xf32>) {
  // expected-error @+1 {{has 1 activations, expected 2}}
  %0:2 = inlay.rnn %x, %w, %r {activations = ["Relu"], direction = "bidirectional"} : (tensor<5x2x3xf32>, tensor<2x4x3xf32>, tensor<2x4x4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @a_scaled_tanh_has_no_defaults(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) {
  // expected-error @+1 {{activation 'ScaledTanh' needs an entry of 'activation_beta'}}
  %0:2 = inlay.rnn %x, %w, %r {activation_alpha = array<f32: 1.0>, activations = ["ScaledTanh"]} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @element_types_agree(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>, %e: tensor<1x2x4xf64>) {
  // expected-error @+1 {{f64}}
  %0:2 = inlay.rnn %x, %w, %r hidden %e : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<1x2x4xf64>) -> (!inlay.unknown, !inlay.unknown)
  return
}
