// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @permutation_has_the_inputs_rank(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'perm' has 1 entries, input has rank 2}}
  %0 = inlay.transpose %x {perm = array<i64: 0>} : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @permutation_names_each_dimension_once(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{axis 1 is given twice}}
  %0 = inlay.transpose %x {perm = array<i64: 1, 1>} : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @reshape_keeps_all_elements(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{cannot reshape 6 elements to 8}}
  %0 = inlay.reshape %x {shape = array<i64: 4, 2>} : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @reshape_divides_evenly(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{cannot reshape 6 elements to 4 times an extent}}
  %0 = inlay.reshape %x {shape = array<i64: 4, -1>} : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @reshape_leaves_one_extent_open(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'shape' has 2 entries of -1}}
  %0 = inlay.reshape %x {shape = array<i64: -1, -1>} : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @reshape_copies_what_is_there(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{entry 2 of 'shape' copies a dimension that a tensor of rank 2 does not have}}
  %0 = inlay.reshape %x {shape = array<i64: 0, 0, 0>} : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @reshape_needs_a_shape(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'shape' must be given as an attribute or as an operand}}
  %0 = inlay.reshape %x : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @flatten_splits_within_the_rank(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{axis 3 is out of range for rank 2}}
  %0 = inlay.flatten %x {axis = 3 : i64} : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @squeeze_removes_units_only(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{dimension 1 cannot be squeezed, its extent is 3}}
  %0 = inlay.squeeze %x {axes = array<i64: 1>} : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @unsqueeze_inserts_each_dimension_once(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{axis -4 is given twice}}
  %0 = inlay.unsqueeze %x {axes = array<i64: 0, -4>} : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @blocks_divide_channels(%x: tensor<1x6x2x2xf32>) {
  // expected-error @+1 {{extent 6 is not a multiple of 4}}
  %0 = inlay.depth_to_space %x {blocksize = 2 : i64} : (tensor<1x6x2x2xf32>) -> !inlay.unknown
  return
}

// -----

func.func @blocks_are_positive(%x: tensor<1x6x2x2xf32>) {
  // expected-error @+1 {{'blocksize' must be positive, found 0}}
  %0 = inlay.space_to_depth %x {blocksize = 0 : i64} : (tensor<1x6x2x2xf32>) -> !inlay.unknown
  return
}

// -----

func.func @expansion_broadcasts(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{do not broadcast}}
  %0 = inlay.expand %x {shape = array<i64: 4>} : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @repeats_are_not_negative(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'repeats' must not be negative, found -1}}
  %0 = inlay.tile %x {repeats = array<i64: 1, -1>} : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @joined_tensors_agree_elsewhere(%x: tensor<2x3xf32>, %y: tensor<4x3xf32>) {
  // expected-error @+1 {{inputs have extents 2 and 4 in dimension 0}}
  %0 = inlay.concat %x, %y {axis = 1 : i64} : (tensor<2x3xf32>, tensor<4x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @joined_tensors_have_one_rank(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error @+1 {{inputs have ranks 2 and 1}}
  %0 = inlay.concat %x, %y {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2xf32>) -> !inlay.unknown
  return
}

// -----

func.func @parts_add_up(%x: tensor<4xf32>) {
  // expected-error @+1 {{'split' adds up to 3, the dimension has 4}}
  %0:2 = inlay.split %x {split = array<i64: 1, 2>} : (tensor<4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @there_is_a_result_per_part(%x: tensor<4xf32>) {
  // expected-error @+1 {{'split' has 3 entries for 2 results}}
  %0:2 = inlay.split %x {split = array<i64: 1, 2, 1>} : (tensor<4xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @equal_parts_divide_evenly(%x: tensor<5xf32>) {
  // expected-error @+1 {{cannot split an extent of 5 into 2 equal parts}}
  %0:2 = inlay.split %x : (tensor<5xf32>) -> (!inlay.unknown, !inlay.unknown)
  return
}

// -----

func.func @slice_bounds_come_in_pairs(%x: tensor<4xf32>) {
  // expected-error @+1 {{must have equally many entries, found 1 and 2}}
  %0 = inlay.slice %x {starts = array<i64: 1>, ends = array<i64: 2, 3>} : (tensor<4xf32>) -> !inlay.unknown
  return
}

// -----

func.func @slices_step(%x: tensor<4xf32>) {
  // expected-error @+1 {{'steps' must not be 0}}
  %0 = inlay.slice %x {starts = array<i64: 1>, ends = array<i64: 2>, steps = array<i64: 0>}
      : (tensor<4xf32>) -> !inlay.unknown
  return
}

// -----

func.func @slices_cut_dimensions_that_exist(%x: tensor<4xf32>) {
  // expected-error @+1 {{axis 1 is out of range for rank 1}}
  %0 = inlay.slice %x {starts = array<i64: 1, 1>, ends = array<i64: 2, 2>} : (tensor<4xf32>) -> !inlay.unknown
  return
}

// -----

func.func @pads_leave_something(%x: tensor<2xf32>) {
  // expected-error @+1 {{pads leave an extent of -1 in dimension 0}}
  %0 = inlay.pad %x {pads = array<i64: -2, -1>} : (tensor<2xf32>) -> !inlay.unknown
  return
}

// -----

func.func @pads_have_both_ends(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'pads' has 2 entries for 2 dimensions}}
  %0 = inlay.pad %x {pads = array<i64: 1, 1>} : (tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @pads_have_a_mode(%x: tensor<2xf32>) {
  // expected-error @+1 {{'mode' must be constant, reflect, edge or wrap, found mirror}}
  %0 = inlay.pad %x {pads = array<i64: 1, 1>, mode = "mirror"} : (tensor<2xf32>) -> !inlay.unknown
  return
}

// -----

func.func @triangles_are_of_matrices(%x: tensor<2xf32>) {
  // expected-error @+1 {{input must have at least rank 2 but has rank 1}}
  %0 = inlay.trilu %x : (tensor<2xf32>) -> !inlay.unknown
  return
}

// -----

func.func @ranges_advance() {
  %z = inlay.constant dense<0> : tensor<i64>
  // expected-error @+1 {{'delta' must not be 0}}
  %0 = inlay.range %z, %z, %z : (tensor<i64>, tensor<i64>, tensor<i64>) -> !inlay.unknown
  return
}

// -----

func.func @value_is_one_element() {
  // expected-error @+1 {{'value' must be a tensor of one element}}
  %0 = inlay.constant_of_shape {shape = array<i64: 2>, value = dense<7> : tensor<2xi32>} : () -> !inlay.unknown
  return
}
