//===- MovementOps.td - Operators that move elements -------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_MOVEMENTOPS_TD
#define INLAY_IR_MOVEMENTOPS_TD

include "inlay/IR/InlayOpBase.td"

//===----------------------------------------------------------------------===//
// Reinterpreting the shape
//===----------------------------------------------------------------------===//

def Inlay_TransposeOp : Inlay_Op<"transpose", [
    DeclareOpInterfaceMethods<Inlay_StorageOpInterface,
        ["admitsForm", "admitsRowMajor", "buildStored"]>]> {
  let summary = "Permute the dimensions";
  let description = [{
    Dimension `i` of the result is dimension `perm[i]` of `input`; without `perm`
    the dimensions are reversed.

        %y = inlay.transpose %x {perm = array<i64: 0, 2, 1>}
            : (tensor<1x8x4xf32>) -> tensor<1x4x8xf32>
  }];
  let arguments = (ins Inlay_Tensor:$input, Inlay_Ints:$perm);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
  let extraClassDeclaration = [{
    /// `perm`, or the reversal that it defaults to. Only for a ranked input.
    ::llvm::SmallVector<int64_t> getPermutation();
  }];
}

def Inlay_ReshapeOp : Inlay_Op<"reshape",
    [Inlay_HasParameters, Inlay_HidesLayouts, Inlay_HasForms]> {
  let summary = "Another shape for the same elements";
  let description = [{
    At most one extent of `shape` is -1: it takes what is left. A 0 keeps the
    input's extent unless `allowzero` says that it means 0.
  }];
  let arguments = (ins Inlay_Tensor:$input, Optional<Inlay_IntParameter>:$shape_operand,
                       Inlay_Ints:$shape, Inlay_Int<"0">:$allowzero);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $input (`,` `shape` $shape_operand^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasFolder = 1;
}

def Inlay_FlattenOp : Inlay_Op<"flatten", [Inlay_HidesLayouts, Inlay_HasForms]> {
  let summary = "Merge the dimensions before and from `axis` on into a matrix";
  let arguments = (ins Inlay_Tensor:$input, Inlay_Int<"1">:$axis);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

def Inlay_SqueezeOp : Inlay_Op<"squeeze",
    [Inlay_HasParameters, Inlay_HidesLayouts, Inlay_HasForms]> {
  let summary = "Remove dimensions of one";
  let description = [{ Without `axes`, all of them. }];
  let arguments = (ins Inlay_Tensor:$input, Optional<Inlay_IntParameter>:$axes_operand,
                       Inlay_Ints:$axes);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $input (`,` `axes` $axes_operand^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasFolder = 1;
}

def Inlay_UnsqueezeOp : Inlay_Op<"unsqueeze",
    [Inlay_HasParameters, Inlay_HidesLayouts, Inlay_HasForms]> {
  let summary = "Insert dimensions of one";
  let description = [{ `axes` are dimensions of the result. }];
  let arguments = (ins Inlay_Tensor:$input, Optional<Inlay_IntParameter>:$axes_operand,
                       Inlay_Ints:$axes);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $input (`,` `axes` $axes_operand^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasFolder = 1;
}

def Inlay_DepthToSpaceOp : Inlay_Op<"depth_to_space"> {
  let summary = "Move channels into blocks of height and width";
  let description = [{
    `mode` says where the block stands among the channels: "DCR" before the
    remaining ones, "CRD" after them.
  }];
  let arguments = (ins Inlay_Tensor:$input, I64Attr:$blocksize, Inlay_Str<"DCR">:$mode);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

def Inlay_SpaceToDepthOp : Inlay_Op<"space_to_depth"> {
  let summary = "Move blocks of height and width into channels";
  let arguments = (ins Inlay_Tensor:$input, I64Attr:$blocksize);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Repeating elements
//===----------------------------------------------------------------------===//

def Inlay_ExpandOp : Inlay_Op<"expand",
    [Inlay_HasParameters, Inlay_HidesLayouts, Inlay_HasForms]> {
  let summary = "Broadcast against a shape";
  let description = [{
    In both directions: an extent of one in `shape` keeps the input's.
  }];
  let arguments = (ins Inlay_Tensor:$input, Optional<Inlay_IntParameter>:$shape_operand,
                       Inlay_Ints:$shape);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $input (`,` `shape` $shape_operand^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasFolder = 1;
}

def Inlay_TileOp : Inlay_Op<"tile", [Inlay_HasParameters, Inlay_HasForms]> {
  let summary = "Repeat the whole tensor along each dimension";
  let arguments = (ins Inlay_Tensor:$input, Optional<Inlay_IntParameter>:$repeats_operand,
                       Inlay_Ints:$repeats);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $input (`,` `repeats` $repeats_operand^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Joining and cutting
//===----------------------------------------------------------------------===//

def Inlay_ConcatOp : Inlay_Op<"concat", [Inlay_HasForms]> {
  let summary = "Join tensors along a dimension";
  let arguments = (ins Variadic<Inlay_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = "$inputs attr-dict `:` functional-type($inputs, $result)";
  let hasFolder = 1;
}

def Inlay_SplitOp : Inlay_Op<"split", [Inlay_HasParameters, Inlay_HasForms]> {
  let summary = "Cut a tensor along a dimension";
  let description = [{
    `split` holds the sizes of the parts; without it they are equal, and the last
    may be smaller when `num_outputs` is given.

        %a, %b = inlay.split %x {axis = 1 : i64, split = array<i64: 1, 3>}
            : (tensor<2x4xf32>) -> (tensor<2x1xf32>, tensor<2x3xf32>)
  }];
  let arguments = (ins Inlay_Tensor:$input, Optional<Inlay_IntParameter>:$split_operand,
                       Inlay_Int<"0">:$axis, Inlay_Ints:$split,
                       OptionalAttr<I64Attr>:$num_outputs);
  let results = (outs Variadic<Inlay_Tensor>:$outputs);
  let assemblyFormat = [{
    $input (`,` `split` $split_operand^)? attr-dict `:` functional-type(operands, $outputs)
  }];
  let hasFolder = 1;
}

def Inlay_SliceOp : Inlay_Op<"slice",
    [AttrSizedOperandSegments, Inlay_HasParameters, Inlay_HasForms]> {
  let summary = "Every step-th element between a start and an end";
  let description = [{
    Starts and ends count from the end where negative and are clamped. Without
    `axes` they are the first dimensions; without `steps` every step is 1.
  }];
  let arguments = (ins Inlay_Tensor:$input, Optional<Inlay_IntParameter>:$starts_operand,
                       Optional<Inlay_IntParameter>:$ends_operand,
                       Optional<Inlay_IntParameter>:$axes_operand,
                       Optional<Inlay_IntParameter>:$steps_operand,
                       Inlay_Ints:$starts, Inlay_Ints:$ends, Inlay_Ints:$axes,
                       Inlay_Ints:$steps);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $input (`starts` $starts_operand^)? (`ends` $ends_operand^)? (`axes` $axes_operand^)?
    (`steps` $steps_operand^)? attr-dict `:` functional-type(operands, $result)
  }];
  let hasFolder = 1;
}

def Inlay_PadOp : Inlay_Op<"pad",
    [AttrSizedOperandSegments, Inlay_HasParameters, Inlay_HasForms]> {
  let summary = "Add elements at the borders";
  let description = [{
    `pads` holds the begins of `axes` (all dimensions without it), then the ends;
    negative ones crop. `mode` is "constant", "reflect", "edge" or "wrap";
    `constant_value` is a scalar, zero when absent.
  }];
  let arguments = (ins Inlay_Tensor:$input, Optional<Inlay_IntParameter>:$pads_operand,
                       Optional<Inlay_Tensor>:$constant_value,
                       Optional<Inlay_IntParameter>:$axes_operand,
                       Inlay_Str<"constant">:$mode, Inlay_Ints:$pads, Inlay_Ints:$axes);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $input (`pads` $pads_operand^)? (`value` $constant_value^)? (`axes` $axes_operand^)?
    attr-dict `:` functional-type(operands, $result)
  }];
  let hasFolder = 1;
}

def Inlay_TriluOp : Inlay_Op<"trilu", [Inlay_HasParameters, Inlay_HasForms]> {
  let summary = "One triangle of the last two dimensions, zero elsewhere";
  let description = [{ Diagonal `k` (0 when absent) belongs to the triangle. }];
  let arguments = (ins Inlay_Tensor:$input, Optional<Inlay_IntParameter>:$k_operand,
                       Inlay_Int<"1">:$upper, OptionalAttr<I64Attr>:$k);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $input (`,` `k` $k_operand^)? attr-dict `:` functional-type(operands, $result)
  }];
}

//===----------------------------------------------------------------------===//
// Shapes as values, values from shapes
//===----------------------------------------------------------------------===//

def Inlay_ShapeOp : Inlay_Op<"shape", [Inlay_HasFreeForms]> {
  let summary = "The extents of dimensions `start` to `end`";
  let arguments = (ins Inlay_Tensor:$input, Inlay_Int<"0">:$start,
                       OptionalAttr<I64Attr>:$end);
  let results = (outs Inlay_IntegerTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let extraClassDeclaration = [{
    /// `start` and `end` as positions in [0, rank]. Only for a ranked input.
    ::std::pair<int64_t, int64_t> getRange();
    ::std::pair<int64_t, int64_t> getRange(int64_t rank);
  }];
}

def Inlay_SizeOp : Inlay_Op<"size", [Inlay_HasForms]> {
  let summary = "The number of elements";
  let arguments = (ins Inlay_Tensor:$input);
  let results = (outs Inlay_IntegerTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

def Inlay_RangeOp : Inlay_Op<"range"> {
  let summary = "start, start + delta, ... up to `limit`, without it";
  let arguments = (ins Inlay_NumericTensor:$start, Inlay_NumericTensor:$limit,
                       Inlay_NumericTensor:$delta);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = [{
    $start `,` $limit `,` $delta attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_ConstantOfShapeOp : Inlay_Op<"constant_of_shape", [Inlay_HasParameters, Inlay_HasForms]> {
  let summary = "A tensor of one value throughout";
  let description = [{ `value` holds one element; without it, 0.0 : f32. }];
  let arguments = (ins Optional<Inlay_IntParameter>:$shape_operand, Inlay_Ints:$shape,
                       OptionalAttr<TypedAttrInterface>:$value);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    (`shape` $shape_operand^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_EyeLikeOp : Inlay_Op<"eye_like"> {
  let summary = "A matrix of zeros with ones on diagonal `k`";
  let description = [{
    `dtype` is the number of an ONNX element type; without it, the input's.
  }];
  let arguments = (ins Inlay_NumericTensor:$input, OptionalAttr<I64Attr>:$dtype,
                       Inlay_Int<"0">:$k);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

#endif // INLAY_IR_MOVEMENTOPS_TD
