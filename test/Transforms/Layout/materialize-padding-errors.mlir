// RUN: %inlay-opt %s -inlay-set-target=target=ascend -inlay-materialize-layouts -split-input-file -verify-diagnostics

// Padding that may be anything is not multiplied with: NaN times zero is NaN.

!x = tensor<1x20x4x4xf32, #inlay.layout<NCHW as NC1HWC0 block 16>>
!w = tensor<20x20x1x1xf32, #inlay.layout<OIHW as I1HWO1O0I0 block 16 pad zero>>
!y = tensor<1x20x4x4xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
func.func @refuses_to_sum_unknown_padding(%x: !x, %w: !w) -> !y {
  // expected-error @below {{node 'inlay.conv' (Conv): storage orders NC1HWC0 block 16, I1HWO1O0I0 block 16 pad zero -> NC1HWC0 block 16 pad zero would let padding reach its results, or depend on extents that are not known}}
  %y = inlay.conv %x, %w : (!x, !w) -> !y
  return %y : !y
}

// -----

!x = tensor<1x20x4x4xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
func.func @refuses_padding_where_elements_meet(%x: !x) -> !x {
  // expected-error @below {{node 'inlay.softmax' (Softmax): storage orders NC1HWC0 block 16 pad zero -> NC1HWC0 block 16 pad zero would let padding reach its results}}
  %y = inlay.softmax %x {axis = 1 : i64} : (!x) -> !x
  return %y : !x
}

// -----

// A bias without padding does not suit a result that has some.
!x = tensor<1x16x4x4xf32, #inlay.layout<NCHW as NC1HWC0 split C=1*16>>
!w = tensor<20x16x1x1xf32, #inlay.layout<OIHW as I1HWO1O0I0 block 16 pad zero>>
!y = tensor<1x20x4x4xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
func.func @refuses_vectors_without_padding(%x: !x, %w: !w, %b: tensor<20xf32>) -> !y {
  // expected-error @below {{node 'inlay.conv' (Conv): storage orders NC1HWC0 split C=1*16, I1HWO1O0I0 block 16 pad zero, row-major -> NC1HWC0 block 16 pad zero would let padding reach its results}}
  %y = inlay.conv %x, %w, %b : (!x, !w, tensor<20xf32>) -> !y
  return %y : !y
}

// -----

// Sigmoid makes one half of zero.
!x = tensor<1x20x4x4xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
func.func @wraps_what_does_not_leave_zeros_to_clear_them(%x: !x) -> !x {
  %y = inlay.sigmoid %x : (!x) -> !x
  return %y : !x
}

// -----

// Whether an unknown number of channels fits into one block, nobody can say.
!x = tensor<1x?x7x7xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
func.func @refuses_to_cut_an_unknown_extent(%x: !x) -> tensor<1x?x7x7xf32> {
  // expected-error @below {{relayout NC1HWC0 block 16 pad zero -> row-major depends on extents that are not known}}
  %y = inlay.relayout %x : (!x) -> tensor<1x?x7x7xf32>
  return %y : tensor<1x?x7x7xf32>
}

// -----

!x = tensor<1x?x7x7xf32, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>
func.func @refuses_to_pad_an_unknown_extent(%x: tensor<1x?x7x7xf32>) -> !x {
  // expected-error @below {{relayout row-major -> NC1HWC0 block 16 pad zero depends on extents that are not known}}
  %y = inlay.relayout %x : (tensor<1x?x7x7xf32>) -> !x
  return %y : !x
}
