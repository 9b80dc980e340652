// RUN: inlay-opt %s | inlay-opt | FileCheck %s

// CHECK-LABEL: @axes_have_names
// CHECK-SAME: tensor<1x64x56x56xf32, #inlay.layout<NCHW>>
// CHECK-SAME: tensor<?x64x?xf32, #inlay.layout<NCW>>
// CHECK-SAME: tensor<8x4x3x3x3xf32, #inlay.layout<OIDHW>>
func.func private @axes_have_names(tensor<1x64x56x56xf32, #inlay.layout<NCHW>>,
    tensor<?x64x?xf32, #inlay.layout<NCW>>, tensor<8x4x3x3x3xf32, #inlay.layout<OIDHW>>)

// CHECK-LABEL: @classes_without_names
// CHECK-SAME: tensor<2x3xf32, #inlay.layout<Tensor>>
// CHECK-SAME: tensor<f32, #inlay.layout<Tensor>>
// CHECK-SAME: tensor<2x3x4xf32, #inlay.layout<NTensor>>
func.func private @classes_without_names(tensor<2x3xf32, #inlay.layout<Tensor>>,
    tensor<f32, #inlay.layout<Tensor>>, tensor<2x3x4xf32, #inlay.layout<NTensor>>)

// CHECK-LABEL: @stored_permuted
// CHECK-SAME: #inlay.layout<NCHW as NHWC>
// CHECK-SAME: #inlay.layout<OIHW as HWOI>
// CHECK-SAME: #inlay.layout<Tensor as (0,2,3,1)>
func.func private @stored_permuted(tensor<1x64x56x56xf32, #inlay.layout<NCHW as NHWC>>,
    tensor<8x4x3x3xf32, #inlay.layout<OIHW as HWOI>>,
    tensor<1x8x8x8xf32, #inlay.layout<Tensor as (0, 2, 3, 1)>>)

// CHECK-LABEL: @blocked
// CHECK-SAME: #inlay.layout<NCHW as NC1HWC0 block 16>
// CHECK-SAME: #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>
// CHECK-SAME: #inlay.layout<OIHW as I1HWO1O0I0 block 16>
// CHECK-SAME: #inlay.layout<OIHW as O1I2HWI1O0I0 block O=16, I=4*2>
func.func private @blocked(tensor<1x50x56x56xf16, #inlay.layout<NCHW as NC1HWC0 block 16>>,
    tensor<1x50x56x56xf16, #inlay.layout<NCHW as NC1HWC0 block 16 pad zero>>,
    tensor<20x3x3x3xf16, #inlay.layout<OIHW as I1HWO1O0I0 block O=16, I=16>>,
    tensor<20x3x3x3xf16, #inlay.layout<OIHW as O1I2HWI1O0I0 block O=16, I=4*2>>)

// CHECK-LABEL: @reordered_merge
// CHECK-SAME: #inlay.layout<Tensor as (0,1:1,1:0,1:2) split 1=64*7*7>
// CHECK-SAME: #inlay.layout<Tensor as (0,1:1,1:0,1:2) split 1=i32*H*"w \22/32">
func.func private @reordered_merge(
    tensor<1x3136xf32, #inlay.layout<Tensor as (0,1:1,1:0,1:2) split 1=64*7*7>>,
    tensor<1x?xf32, #inlay.layout<Tensor as (0,1:1,1:0,1:2) split 1=i32*H*"w \22/32">>)

// An order that is row-major says nothing more than none.
// CHECK-LABEL: @row_major
// CHECK-SAME: #inlay.layout<NCHW>
// CHECK-SAME: #inlay.layout<Tensor>
func.func private @row_major(tensor<1x2x3x4xf32, #inlay.layout<NCHW as NCHW>>,
    tensor<2x3xf32, #inlay.layout<Tensor as (0,1)>>)

// CHECK-LABEL: @padding_of_any_value_is_not_printed
// CHECK-SAME: #inlay.layout<NCHW as NC1HWC0 block 8>>
func.func private @padding_of_any_value_is_not_printed(
    tensor<1x2x3x4xf32, #inlay.layout<NCHW as NC1HWC0 block 8 pad any>>)
