// RUN: inlay-opt %s -split-input-file -verify-diagnostics

func.func @boxes_have_four_numbers(%b: tensor<1x6x5xf32>, %s: tensor<1x2x6xf32>) {
  // expected-error @+1 {{boxes must have shape ?x?x4 but has shape 1x6x5}}
  %0 = inlay.non_max_suppression %b, %s : (tensor<1x6x5xf32>, tensor<1x2x6xf32>) -> !inlay.unknown
  return
}

// -----

func.func @boxes_and_scores_are_as_many(%b: tensor<1x6x4xf32>, %s: tensor<1x2x5xf32>) {
  // expected-error @+1 {{scores must have shape 1x?x6 but has shape 1x2x5}}
  %0 = inlay.non_max_suppression %b, %s : (tensor<1x6x4xf32>, tensor<1x2x5xf32>) -> !inlay.unknown
  return
}

// -----

func.func @batches_are_as_many(%b: tensor<1x6x4xf32>, %s: tensor<2x2x6xf32>) {
  // expected-error @+1 {{scores must have shape 1x?x6 but has shape 2x2x6}}
  %0 = inlay.non_max_suppression %b, %s : (tensor<1x6x4xf32>, tensor<2x2x6xf32>) -> !inlay.unknown
  return
}

// -----

func.func @one_number_holds_for_all(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>, %n: tensor<2xi64>) {
  // expected-error @+1 {{max_output_boxes_per_class must have one element but has shape 2}}
  %0 = inlay.non_max_suppression %b, %s most %n : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<2xi64>) -> !inlay.unknown
  return
}

// -----

func.func @boxes_are_of_two_kinds(%b: tensor<1x6x4xf32>, %s: tensor<1x2x6xf32>) {
  // expected-error @+1 {{'center_point_box' must be 0 or 1 but is 2}}
  %0 = inlay.non_max_suppression %b, %s {center_point_box = 2 : i64} : (tensor<1x6x4xf32>, tensor<1x2x6xf32>) -> !inlay.unknown
  return
}

// -----

func.func @images_have_four_dimensions(%x: tensor<8x7x7xf32>, %r: tensor<3x4xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{x must have rank 4 but has rank 3}}
  %0 = inlay.roi_align %x, %r, %i : (tensor<8x7x7xf32>, tensor<3x4xf32>, tensor<3xi64>) -> !inlay.unknown
  return
}

// -----

func.func @regions_have_two_corners(%x: tensor<2x8x7x7xf32>, %r: tensor<3x5xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{rois must have shape ?x4 but has shape 3x5}}
  %0 = inlay.roi_align %x, %r, %i : (tensor<2x8x7x7xf32>, tensor<3x5xf32>, tensor<3xi64>) -> !inlay.unknown
  return
}

// -----

func.func @each_region_has_an_image(%x: tensor<2x8x7x7xf32>, %r: tensor<3x4xf32>, %i: tensor<2xi64>) {
  // expected-error @+1 {{batch_indices must have shape 3 but has shape 2}}
  %0 = inlay.roi_align %x, %r, %i : (tensor<2x8x7x7xf32>, tensor<3x4xf32>, tensor<2xi64>) -> !inlay.unknown
  return
}

// -----

func.func @modes_are_two(%x: tensor<2x8x7x7xf32>, %r: tensor<3x4xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{'mode' must be avg or max but is 'sum'}}
  %0 = inlay.roi_align %x, %r, %i {mode = "sum"} : (tensor<2x8x7x7xf32>, tensor<3x4xf32>, tensor<3xi64>) -> !inlay.unknown
  return
}

// -----

func.func @coordinates_are_of_two_kinds(%x: tensor<2x8x7x7xf32>, %r: tensor<3x4xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{'coordinate_transformation_mode' must be half_pixel or output_half_pixel but is 'asymmetric'}}
  %0 = inlay.roi_align %x, %r, %i {coordinate_transformation_mode = "asymmetric"} : (tensor<2x8x7x7xf32>, tensor<3x4xf32>, tensor<3xi64>) -> !inlay.unknown
  return
}

// -----

func.func @results_have_elements(%x: tensor<2x8x7x7xf32>, %r: tensor<3x4xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{'output_width' must be positive but is 0}}
  %0 = inlay.roi_align %x, %r, %i {output_width = 0 : i64} : (tensor<2x8x7x7xf32>, tensor<3x4xf32>, tensor<3xi64>) -> !inlay.unknown
  return
}

// -----

func.func @samples_are_counted(%x: tensor<2x8x7x7xf32>, %r: tensor<3x4xf32>, %i: tensor<3xi64>) {
  // expected-error @+1 {{'sampling_ratio' must not be negative but is -1}}
  %0 = inlay.roi_align %x, %r, %i {sampling_ratio = -1 : i64} : (tensor<2x8x7x7xf32>, tensor<3x4xf32>, tensor<3xi64>) -> !inlay.unknown
  return
}

// -----

func.func @element_types_agree(%x: tensor<2x8x7x7xf32>, %r: tensor<3x4xf64>, %i: tensor<3xi64>) {
  // expected-error @+1 {{f64}}
  %0 = inlay.roi_align %x, %r, %i : (tensor<2x8x7x7xf32>, tensor<3x4xf64>, tensor<3xi64>) -> !inlay.unknown
  return
}
