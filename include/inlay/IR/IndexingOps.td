//===- IndexingOps.td - Selection by position --------------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_INDEXINGOPS_TD
#define INLAY_IR_INDEXINGOPS_TD

include "inlay/IR/InlayOpBase.td"

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

def Inlay_GatherOp : Inlay_Op<"gather", [Inlay_HasForms]> {
  let summary = "Slices of a dimension, by number";
  let description = [{
    Dimension `axis` is replaced by the dimensions of `indices`.

        %y = inlay.gather %x, %i {axis = 1 : i64}
            : (tensor<2x9x4xf32>, tensor<3xi64>) -> tensor<2x3x4xf32>
  }];
  let arguments = (ins Inlay_Tensor:$data, Inlay_IntParameter:$indices,
                       Inlay_Int<"0">:$axis);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $data `,` $indices attr-dict `:` functional-type(operands, $result)
  }];
  let extraClassDeclaration = [{
    bool movesElements() { return true; }
  }];
}

def Inlay_GatherElementsOp : Inlay_Op<"gather_elements", [Inlay_HasForms]> {
  let summary = "Elements whose place along `axis` is given by a number";
  let arguments = (ins Inlay_Tensor:$data, Inlay_IntParameter:$indices,
                       Inlay_Int<"0">:$axis);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $data `,` $indices attr-dict `:` functional-type(operands, $result)
  }];
  let extraClassDeclaration = [{
    bool movesElements() { return true; }
  }];
}

def Inlay_GatherNDOp : Inlay_Op<"gather_nd"> {
  let summary = "Slices at tuples of numbers";
  let description = [{
    The last dimension of `indices` holds places in the dimensions of `data` that
    follow the first `batch_dims`.
  }];
  let arguments = (ins Inlay_Tensor:$data, Inlay_IntParameter:$indices,
                       Inlay_Int<"0">:$batch_dims);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $data `,` $indices attr-dict `:` functional-type(operands, $result)
  }];
  let extraClassDeclaration = [{
    bool movesElements() { return true; }
  }];
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

def Inlay_ScatterElementsOp : Inlay_Op<"scatter_elements", [Inlay_HasForms]> {
  let summary = "Replace elements whose place along `axis` is given by a number";
  let description = [{
    `reduction` ("none", "add", "mul", "max", "min") combines old and new.
  }];
  let arguments = (ins Inlay_Tensor:$data, Inlay_IntParameter:$indices,
                       Inlay_Tensor:$updates, Inlay_Int<"0">:$axis,
                       Inlay_Str<"none">:$reduction);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $data `,` $indices `,` $updates attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_ScatterNDOp : Inlay_Op<"scatter_nd"> {
  let summary = "Replace slices at tuples of numbers";
  let arguments = (ins Inlay_Tensor:$data, Inlay_IntParameter:$indices,
                       Inlay_Tensor:$updates, Inlay_Str<"none">:$reduction);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $data `,` $indices `,` $updates attr-dict `:` functional-type(operands, $result)
  }];
}

//===----------------------------------------------------------------------===//
// Indices as values
//===----------------------------------------------------------------------===//

def Inlay_NonZeroOp : Inlay_Op<"non_zero"> {
  let summary = "The indices of the elements that are not zero, one per column";
  let arguments = (ins Inlay_NumericTensor:$input);
  let results = (outs Inlay_IntegerTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

def Inlay_OneHotOp : Inlay_Op<"one_hot", [Inlay_HasForms]> {
  let summary = "Indices as vectors that are on in one place";
  let description = [{
    `axis` is the new dimension of the result, of extent `depth`; `values` holds
    the values for off and on.
  }];
  let arguments = (ins Inlay_NumericTensor:$indices, Inlay_NumericTensor:$depth,
                       Inlay_Tensor:$values, Inlay_Int<"-1">:$axis);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $indices `,` $depth `,` $values attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_NonMaxSuppressionOp
    : Inlay_Op<"non_max_suppression", [AttrSizedOperandSegments]> {
  let summary = "The boxes with the best scores that do not overlap one another";
  let description = [{
    `boxes` is (batch, boxes, 4), two opposite corners (y, x, y, x), or with
    `center_point_box` the centre and the size (x, y, width, height); `scores`
    is (batch, classes, boxes). Of each class of each batch, at most
    `max_output_boxes_per_class` boxes are chosen, none where it is absent: the
    best first, of equal ones the first, none that scores `score_threshold` or
    less, none that shares more than `iou_threshold` (0 where absent) of the
    common area with one chosen before. The rows of the result are (batch, class,
    box).

        %y = inlay.non_max_suppression %boxes, %scores most %n iou %t
            : (tensor<1x6x4xf32>, tensor<1x2x6xf32>, tensor<1xi64>, tensor<1xf32>)
            -> tensor<?x3xi64>
  }];
  let arguments = (ins Inlay_FloatTensor:$boxes, Inlay_FloatTensor:$scores,
                       Optional<Inlay_IntegerTensor>:$max_output_boxes_per_class,
                       Optional<Inlay_FloatTensor>:$iou_threshold,
                       Optional<Inlay_FloatTensor>:$score_threshold,
                       Inlay_Int<"0">:$center_point_box);
  let results = (outs Inlay_IntegerTensor:$result);
  let assemblyFormat = [{
    $boxes `,` $scores (`most` $max_output_boxes_per_class^)? (`iou` $iou_threshold^)?
    (`score` $score_threshold^)? attr-dict `:` functional-type(operands, $result)
  }];
}

#endif // INLAY_IR_INDEXINGOPS_TD
