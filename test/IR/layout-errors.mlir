// RUN: inlay-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{layout NCHW needs rank 4, found 3}}
func.func private @rank_of_named_axes(tensor<1x64x56xf32, #inlay.layout<NCHW>>)

// -----

// expected-error @+1 {{layout Tensor as (0,2,1) needs rank 3, found 2}}
func.func private @rank_of_numbered_dimensions(tensor<1x64xf32, #inlay.layout<Tensor as (0,2,1)>>)

// -----

// expected-error @+1 {{storage order NHWD has 'D', which is no axis of NCHW}}
func.func private @foreign_axis(tensor<1x2x3x4xf32, #inlay.layout<NCHW as NHWD>>)

// -----

// expected-error @+1 {{storage order lacks axis W}}
func.func private @missing_axis(tensor<1x2x3x4xf32, #inlay.layout<NCHW as NHC>>)

// -----

// expected-error @+1 {{axes must have either N and C or O and I, found 'XYZ'}}
func.func private @unknown_axes(tensor<1x2x3xf32, #inlay.layout<XYZ>>)

// -----

// expected-error @+1 {{sizes of axis C must be positive, found 0}}
func.func private @empty_block(tensor<1x2x3x4xf32, #inlay.layout<NCHW as NC1HWC0 block 0>>)

// -----

// expected-error @+1 {{sizes of axis C must be positive, found -4}}
func.func private @negative_block(tensor<1x2x3x4xf32, #inlay.layout<NCHW as NC1HWC0 block -4>>)

// -----

// expected-error @+1 {{expected an integer of 64 bits, found '99999999999999999999}}
func.func private @huge_block(tensor<1x2x3x4xf32, #inlay.layout<NCHW as NC1HWC0 block 99999999999999999999>>)

// -----

// expected-error @+1 {{storage order divides axis C, which has no block or split sizes}}
func.func private @missing_block(tensor<1x2x3x4xf32, #inlay.layout<NCHW as NC1HWC0>>)

// -----

// expected-error @+1 {{padding is stated, but nothing is blocked}}
func.func private @padding_without_block(tensor<1x2x3x4xf32, #inlay.layout<NCHW as NHWC pad zero>>)

// -----

// expected-error @+1 {{layout NC as NC0C1 split C=2*3 needs axis C of extent 6, found 7}}
func.func private @split_is_exact(tensor<1x7xf32, #inlay.layout<NC as NC0C1 split C=2*3>>)

// -----

// expected-error @+1 {{expected axes, Tensor or NTensor, found the end}}
func.func private @nothing(tensor<1x7xf32, #inlay.layout<>>)

// -----

// expected-error @+1 {{expected '>'}}
func.func private @foreign_token(tensor<1x7xf32, #inlay.layout<NC + CN>>)
