// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @gathered_axis_exists(%x: tensor<3x4xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{axis 2 is out of range for rank 2}}
  %0 = inlay.gather %x, %i {axis = 2 : i64} : (tensor<3x4xf32>, tensor<2xi64>) -> !inlay.unknown
  return
}

// -----

func.func @indices_of_elements_have_the_datas_rank(%x: tensor<3x4xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{indices must have rank 2 but has rank 1}}
  %0 = inlay.gather_elements %x, %i : (tensor<3x4xf32>, tensor<2xi64>) -> !inlay.unknown
  return
}

// -----

func.func @indices_of_elements_stay_within_the_data(%x: tensor<3x4xf32>, %i: tensor<3x5xi64>) {
  // expected-error @+1 {{indices have extent 5 in dimension 1, data has 4}}
  %0 = inlay.gather_elements %x, %i : (tensor<3x4xf32>, tensor<3x5xi64>) -> !inlay.unknown
  return
}

// -----

func.func @tuples_fit_into_the_rank(%x: tensor<3x4xf32>, %i: tensor<2x3xi64>) {
  // expected-error @+1 {{tuples of 3 indices do not fit into data of rank 2 with 0 batch dimensions}}
  %0 = inlay.gather_nd %x, %i : (tensor<3x4xf32>, tensor<2x3xi64>) -> !inlay.unknown
  return
}

// -----

func.func @batches_agree(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>) {
  // expected-error @+1 {{data and indices have extents 3 and 2 in batch dimension 0}}
  %0 = inlay.gather_nd %x, %i {batch_dims = 1 : i64} : (tensor<3x4xf32>, tensor<2x1xi64>) -> !inlay.unknown
  return
}

// -----

func.func @batch_dims_are_below_the_rank(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>) {
  // expected-error @+1 {{'batch_dims' must be below the ranks of data and indices, found 2}}
  %0 = inlay.gather_nd %x, %i {batch_dims = 2 : i64} : (tensor<3x4xf32>, tensor<2x1xi64>) -> !inlay.unknown
  return
}

// -----

func.func @updates_have_the_shape_of_the_slices(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x3xf32>) {
  // expected-error @+1 {{updates}}
  %0 = inlay.scatter_nd %x, %i, %u : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2x3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @reductions_have_names(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x1xf32>) {
  // expected-error @+1 {{'reduction' must be none, add, mul, max or min, found sub}}
  %0 = inlay.scatter_elements %x, %i, %u {reduction = "sub"}
      : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2x1xf32>) -> !inlay.unknown
  return
}

// -----

func.func @updates_have_the_datas_type(%x: tensor<3x4xf32>, %i: tensor<2x1xi64>, %u: tensor<2x1xf16>) {
  // expected-error @+1 {{operands have different element types}}
  %0 = inlay.scatter_elements %x, %i, %u : (tensor<3x4xf32>, tensor<2x1xi64>, tensor<2x1xf16>) -> !inlay.unknown
  return
}

// -----

func.func @values_are_off_and_on(%i: tensor<3xi64>, %d: tensor<i64>, %v: tensor<3xf32>) {
  // expected-error @+1 {{values must have 2 elements, found 3}}
  %0 = inlay.one_hot %i, %d, %v : (tensor<3xi64>, tensor<i64>, tensor<3xf32>) -> !inlay.unknown
  return
}

// -----

func.func @depth_is_positive(%i: tensor<3xi64>, %v: tensor<2xf32>) {
  %d = inlay.constant dense<0> : tensor<i64>
  // expected-error @+1 {{'depth' must be positive, found 0}}
  %0 = inlay.one_hot %i, %d, %v : (tensor<3xi64>, tensor<i64>, tensor<2xf32>) -> !inlay.unknown
  return
}
