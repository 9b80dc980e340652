//===- ResampleOps.td - Resize, GridSample, RoiAlign -------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_RESAMPLEOPS_TD
#define INLAY_IR_RESAMPLEOPS_TD

include "inlay/IR/InlayOpBase.td"

def Inlay_ResizeOp : Inlay_Op<"resize",
    [AttrSizedOperandSegments, Inlay_HasParameters, Inlay_HasForms]> {
  let summary = "Resample to other extents";
  let description = [{
    Either `scales` or `sizes` is given, one per dimension (per entry of `axes`
    where that is given). `roi` counts for "tf_crop_and_resize" only. Upsample is
    a resize that is "asymmetric" with nearest mode "floor".

    A scale that does not meet a whole extent is read in two ways where the
    extent stays (ONNX Runtime copies) or the corners count (of the extent with
    its fraction, as in ONNX's tests, or without). Policies that keep the aspect
    ratio give such scales.

        %y = inlay.resize %x {scales = array<f32: 1.0, 1.0, 2.0, 2.0>}
            : (tensor<1x3x4x4xf32>) -> tensor<1x3x8x8xf32>
  }];
  let arguments = (ins Inlay_Tensor:$input, Optional<Inlay_FloatTensor>:$roi_operand,
                       Optional<Inlay_FloatTensor>:$scales_operand,
                       Optional<Inlay_IntParameter>:$sizes_operand,
                       Inlay_Floats:$roi, Inlay_Floats:$scales, Inlay_Ints:$sizes,
                       Inlay_Int<"0">:$antialias, Inlay_Ints:$axes,
                       Inlay_Str<"half_pixel">:$coordinate_transformation_mode,
                       Inlay_Float<"-0.75f">:$cubic_coeff_a,
                       Inlay_Int<"0">:$exclude_outside,
                       Inlay_Float<"0.0f">:$extrapolation_value,
                       Inlay_Str<"stretch">:$keep_aspect_ratio_policy,
                       Inlay_Str<"nearest">:$mode,
                       Inlay_Str<"round_prefer_floor">:$nearest_mode);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $input (`roi` $roi_operand^)? (`scales` $scales_operand^)? (`sizes` $sizes_operand^)?
    attr-dict `:` functional-type(operands, $result)
  }];
  let hasFolder = 1;
}

def Inlay_GridSampleOp : Inlay_Op<"grid_sample"> {
  let summary = "Elements at the places that a grid gives";
  let description = [{
    `x` is N x C x spatial, `grid` is N x result spatial x places, in [-1, 1] and
    last dimension first.
  }];
  let arguments = (ins Inlay_NumericTensor:$x, Inlay_FloatTensor:$grid,
                       Inlay_Int<"0">:$align_corners, Inlay_Str<"linear">:$mode,
                       Inlay_Str<"zeros">:$padding_mode);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = "$x `,` $grid attr-dict `:` functional-type(operands, $result)";
}

def Inlay_RoiAlignOp : Inlay_Op<"roi_align"> {
  let summary = "Regions of images, resampled to one size";
  let description = [{
    `x` is N x C x height x width; each row of `rois` is a region (x, y, x, y) of
    the image that `batch_indices` names, in units of `spatial_scale` pixels. It
    is cut into `output_height` x `output_width` bins, each of which is the
    average or, with mode `max`, the largest of `sampling_ratio` x
    `sampling_ratio` interpolated samples (as many as there are pixels where it
    is 0). Under `half_pixel` regions begin half a pixel earlier; under
    `output_half_pixel`, which is what opsets before 16 have, they do not, and
    none is smaller than a pixel.

        %y = inlay.roi_align %x, %rois, %images {output_height = 2 : i64, output_width = 2 : i64}
            : (tensor<1x8x7x7xf32>, tensor<3x4xf32>, tensor<3xi64>) -> tensor<3x8x2x2xf32>
  }];
  let arguments = (ins Inlay_FloatTensor:$x, Inlay_FloatTensor:$rois,
                       Inlay_IntegerTensor:$batch_indices,
                       Inlay_Str<"half_pixel">:$coordinate_transformation_mode,
                       Inlay_Str<"avg">:$mode, Inlay_Int<"1">:$output_height,
                       Inlay_Int<"1">:$output_width, Inlay_Int<"0">:$sampling_ratio,
                       Inlay_Float<"1.0f">:$spatial_scale);
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $rois `,` $batch_indices attr-dict `:` functional-type(operands, $result)
  }];
}

#endif // INLAY_IR_RESAMPLEOPS_TD
