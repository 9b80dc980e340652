//===- ReduceOps.td - Reductions, scans, selections --------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_REDUCEOPS_TD
#define INLAY_IR_REDUCEOPS_TD

include "inlay/IR/InlayOpBase.td"

/// Combines the elements along axes.
class Inlay_ReduceOp<string mnemonic, string text>
    : Inlay_Op<mnemonic, [Inlay_HasParameters, Inlay_HasForms]> {
  let summary = text;
  let description = [{
    Without axes (or with none in the list) all are reduced, or with
    `noop_with_empty_axes` none. A reduced dimension is kept with extent one
    unless `keepdims` is 0.

        %y = inlay.reduce_sum %x {axes = array<i64: 1>, keepdims = 0 : i64}
            : (tensor<2x3xf32>) -> tensor<2xf32>
  }];
  let arguments = (ins Inlay_NumericTensor:$input,
                       Optional<Inlay_IntParameter>:$axes_operand, Inlay_Ints:$axes,
                       Inlay_Int<"1">:$keepdims, Inlay_Int<"0">:$noop_with_empty_axes);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = [{
    $input (`,` `axes` $axes_operand^)? attr-dict `:` functional-type(operands, $result)
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferTypes(TypeInference &inference) {
      return inferReduceType(*this, inference);
    }
    AxisMap $cppClass::getAxisMap() { return getReduceAxisMap(*this); }
    ::llvm::ArrayRef<Parameter> $cppClass::getParameters() {
      return getReduceParameters();
    }
    bool $cppClass::admitsForm(const StoredForm &form) {
      return admitsReduce(*this, form);
    }
    ::llvm::LogicalResult $cppClass::buildStored(StoredOpBuilder &stored) {
      return buildReduce(*this, stored);
    }
    FusionClass $cppClass::getFusionClass() { return FusionClass::Reduce; }
  }];
}

def Inlay_ReduceSumOp : Inlay_ReduceOp<"reduce_sum", "The sum along axes">;
def Inlay_ReduceMeanOp : Inlay_ReduceOp<"reduce_mean", "The mean along axes">;
def Inlay_ReduceMaxOp : Inlay_ReduceOp<"reduce_max", "The largest element along axes">;
def Inlay_ReduceMinOp : Inlay_ReduceOp<"reduce_min", "The smallest element along axes">;
def Inlay_ReduceProdOp : Inlay_ReduceOp<"reduce_prod", "The product along axes">;
def Inlay_ReduceL1Op : Inlay_ReduceOp<"reduce_l1", "The sum of |x| along axes">;
def Inlay_ReduceL2Op
    : Inlay_ReduceOp<"reduce_l2", "The square root of the sum of x^2 along axes">;
def Inlay_ReduceLogSumOp
    : Inlay_ReduceOp<"reduce_log_sum", "The logarithm of the sum along axes">;
def Inlay_ReduceLogSumExpOp
    : Inlay_ReduceOp<"reduce_log_sum_exp",
                     "The logarithm of the sum of exp(x) along axes">;
def Inlay_ReduceSumSquareOp
    : Inlay_ReduceOp<"reduce_sum_square", "The sum of x^2 along axes">;

/// The position of an extreme element.
class Inlay_ArgOp<string mnemonic, string text>
    : Inlay_Op<mnemonic, [Inlay_HasForms]> {
  let summary = text;
  let description = [{
    The first position of several, or with `select_last_index` the last.
  }];
  let arguments = (ins Inlay_NumericTensor:$input, Inlay_Int<"0">:$axis,
                       Inlay_Int<"1">:$keepdims, Inlay_Int<"0">:$select_last_index);
  let results = (outs Inlay_IntegerTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferTypes(TypeInference &inference) {
      return inferArgType(*this, inference);
    }
    AxisMap $cppClass::getAxisMap() { return getArgAxisMap(*this); }
    bool $cppClass::admitsForm(const StoredForm &form) {
      return admitsArg(*this, form);
    }
    ::llvm::LogicalResult $cppClass::buildStored(StoredOpBuilder &stored) {
      return buildArg(*this, stored);
    }
    FusionClass $cppClass::getFusionClass() { return FusionClass::Reduce; }
  }];
}

def Inlay_ArgMaxOp
    : Inlay_ArgOp<"argmax", "The position of the largest element along `axis`">;
def Inlay_ArgMinOp
    : Inlay_ArgOp<"argmin", "The position of the smallest element along `axis`">;

def Inlay_CumSumOp : Inlay_Op<"cumsum", [Inlay_HasParameters, Inlay_HasForms]> {
  let summary = "Running sums along `axis`";
  let description = [{
    From the far end with `reverse`; `exclusive` leaves the element itself out.
  }];
  let arguments = (ins Inlay_NumericTensor:$input,
                       Optional<Inlay_IntParameter>:$axis_operand,
                       OptionalAttr<I64Attr>:$axis, Inlay_Int<"0">:$exclusive,
                       Inlay_Int<"0">:$reverse);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = [{
    $input (`,` `axis` $axis_operand^)? attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_TopKOp : Inlay_Op<"topk", [Inlay_HasParameters, Inlay_HasForms]> {
  let summary = "The k largest or smallest elements along `axis`";
  let description = [{
    Best first; of equal elements the one with the lower position.
  }];
  let arguments = (ins Inlay_NumericTensor:$input,
                       Optional<Inlay_IntParameter>:$k_operand,
                       OptionalAttr<I64Attr>:$k, Inlay_Int<"-1">:$axis,
                       Inlay_Int<"1">:$largest, Inlay_Int<"1">:$sorted);
  let results = (outs Inlay_NumericTensor:$values, Inlay_IntegerTensor:$indices);
  let assemblyFormat = [{
    $input (`,` `k` $k_operand^)? attr-dict `:` functional-type(operands, results)
  }];
}

#endif // INLAY_IR_REDUCEOPS_TD
