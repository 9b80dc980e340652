//===- NormalizationOps.td - Normalisations, softmax -------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_NORMALIZATIONOPS_TD
#define INLAY_IR_NORMALIZATIONOPS_TD

include "inlay/IR/InlayOpBase.td"

//===----------------------------------------------------------------------===//
// Normalisations of features: (N, C, spatial...)
//===----------------------------------------------------------------------===//

def Inlay_BatchNormalizationOp : Inlay_Op<"batch_normalization", Inlay_HasRenamedForms> {
  let extraClassDeclaration = Inlay_RenamedForms;
  let summary = "scale * (x - mean) / sqrt(variance + epsilon) + bias, per channel";
  let description = [{
    With `training_mode` the mean and variance are those of the input, and
    `running_mean` and `running_var` are updated by `momentum`; without it these
    two results are the operands.
  }];
  let arguments = (ins Inlay_FloatTensor:$input, Inlay_FloatTensor:$scale,
                       Inlay_FloatTensor:$bias, Inlay_FloatTensor:$mean,
                       Inlay_FloatTensor:$variance, Inlay_Float<"1e-5f">:$epsilon,
                       Inlay_Float<"0.9f">:$momentum, Inlay_Int<"0">:$training_mode);
  let results = (outs Inlay_FloatTensor:$result, Inlay_FloatTensor:$running_mean,
                      Inlay_FloatTensor:$running_var);
  let assemblyFormat = [{
    $input `,` $scale `,` $bias `,` $mean `,` $variance attr-dict
    `:` functional-type(operands, results)
  }];
}

def Inlay_InstanceNormalizationOp : Inlay_Op<"instance_normalization", Inlay_HasRenamedForms> {
  let extraClassDeclaration = Inlay_RenamedForms;
  let summary = "Every channel of every batch normalised on its own";
  let arguments = (ins Inlay_FloatTensor:$input, Inlay_FloatTensor:$scale,
                       Inlay_FloatTensor:$bias, Inlay_Float<"1e-5f">:$epsilon);
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $scale `,` $bias attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_GroupNormalizationOp : Inlay_Op<"group_normalization"> {
  let summary = "The channels of a group normalised together";
  let description = [{
    Scale and bias have one element per channel, with `per_group_scale` (opset
    18) one per group.
  }];
  let arguments = (ins Inlay_FloatTensor:$input, Inlay_FloatTensor:$scale,
                       Inlay_FloatTensor:$bias, Inlay_Float<"1e-5f">:$epsilon,
                       I64Attr:$num_groups, Inlay_Int<"1">:$stash_type,
                       UnitAttr:$per_group_scale);
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = [{
    $input `,` $scale `,` $bias attr-dict `:` functional-type(operands, $result)
  }];
}

def Inlay_LRNOp : Inlay_Op<"lrn", Inlay_HasRenamedForms> {
  let extraClassDeclaration = Inlay_RenamedForms;
  let summary = "Local response normalisation over neighbouring channels";
  let arguments = (ins Inlay_FloatTensor:$input, Inlay_Float<"1e-4f">:$alpha,
                       Inlay_Float<"0.75f">:$beta, Inlay_Float<"1.0f">:$bias,
                       I64Attr:$size);
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

//===----------------------------------------------------------------------===//
// Normalisations along axes
//===----------------------------------------------------------------------===//

def Inlay_LayerNormalizationOp : Inlay_Op<"layer_normalization", [Inlay_HasForms]> {
  let summary = "Normalises over the dimensions from `axis` on";
  let description = [{
    `mean` and `inv_std_dev` have the shape of the input with ones from `axis`
    on and the element type `stash_type`.
  }];
  let arguments = (ins Inlay_FloatTensor:$input, Inlay_FloatTensor:$scale,
                       Optional<Inlay_FloatTensor>:$bias, Inlay_Int<"-1">:$axis,
                       Inlay_Float<"1e-5f">:$epsilon, Inlay_Int<"1">:$stash_type);
  let results = (outs Inlay_FloatTensor:$result, Inlay_FloatTensor:$mean,
                      Inlay_FloatTensor:$inv_std_dev);
  let assemblyFormat = [{
    $input `,` $scale (`,` $bias^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Inlay_RMSNormalizationOp : Inlay_Op<"rms_normalization", [Inlay_HasForms]> {
  let summary = "x / sqrt(mean(x^2) + epsilon) * scale over the dimensions from `axis` on";
  let arguments = (ins Inlay_FloatTensor:$input, Inlay_FloatTensor:$scale,
                       Inlay_Int<"-1">:$axis, Inlay_Float<"1e-5f">:$epsilon,
                       Inlay_Int<"1">:$stash_type);
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = "$input `,` $scale attr-dict `:` functional-type(operands, $result)";
}

def Inlay_LpNormalizationOp : Inlay_Op<"lp_normalization", [Inlay_HasForms]> {
  let summary = "x over its 1- or 2-norm along `axis`";
  let arguments = (ins Inlay_FloatTensor:$input, Inlay_Int<"-1">:$axis, Inlay_Int<"2">:$p);
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

def Inlay_MeanVarianceNormalizationOp : Inlay_Op<"mean_variance_normalization", [Inlay_HasForms]> {
  let summary = "(x - mean) / standard deviation over `axes`, [0, 2, 3] if absent";
  let arguments = (ins Inlay_FloatTensor:$input, Inlay_Ints:$axes);
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let extraClassDeclaration = [{
    /// `axes`, or what they default to.
    ::llvm::SmallVector<int64_t> getAxesOrDefault();
  }];
}

//===----------------------------------------------------------------------===//
// The softmax family
//===----------------------------------------------------------------------===//

class Inlay_SoftmaxFamilyOp<string mnemonic, string text>
    : Inlay_Op<mnemonic, [Inlay_HasForms]> {
  let summary = text;
  let description = [{
    Along `axis`; with `coerce_2d` (opsets before 13) over all dimensions from
    `axis` on as one.
  }];
  let arguments = (ins Inlay_FloatTensor:$input, Inlay_Int<"-1">:$axis, UnitAttr:$coerce_2d);
  let results = (outs Inlay_FloatTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferTypes(TypeInference &inference) {
      return inferSoftmaxType(*this, inference, getAxis(), getCoerce_2d());
    }
    AxisMap $cppClass::getAxisMap() {
      return getSoftmaxAxisMap(*this, getAxis(), getCoerce_2d());
    }
    bool $cppClass::admitsForm(const StoredForm &form) {
      return admitsSoftmax(*this, form, getAxis(), getCoerce_2d());
    }
    ::llvm::LogicalResult $cppClass::buildStored(StoredOpBuilder &stored) {
      return buildSoftmax(stored, getAxis(), getCoerce_2d());
    }
    FusionClass $cppClass::getFusionClass() { return FusionClass::Opaque; }
  }];
}

def Inlay_SoftmaxOp : Inlay_SoftmaxFamilyOp<"softmax", "exp(x) over its sum">;
def Inlay_LogSoftmaxOp
    : Inlay_SoftmaxFamilyOp<"log_softmax", "The logarithm of softmax">;
def Inlay_HardmaxOp
    : Inlay_SoftmaxFamilyOp<"hardmax", "1 at the first largest element, else 0">;

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

def Inlay_NegativeLogLikelihoodLossOp : Inlay_Op<"negative_log_likelihood_loss"> {
  let summary = "-weight[target] * input[n, target, ...], reduced";
  let description = [{
    The input is (N, C, d...), the target (N, d...), the weight (C).
    `reduction` is "none", "sum" or "mean".
  }];
  let arguments = (ins Inlay_FloatTensor:$input, Inlay_IntegerTensor:$target,
                       Optional<Inlay_FloatTensor>:$weight,
                       OptionalAttr<I64Attr>:$ignore_index, Inlay_Str<"mean">:$reduction);
  let results = (outs Inlay_FloatTensor:$loss);
  let assemblyFormat = [{
    $input `,` $target (`,` $weight^)? attr-dict `:` functional-type(operands, results)
  }];
}

def Inlay_SoftmaxCrossEntropyLossOp : Inlay_Op<"softmax_cross_entropy_loss"> {
  let summary = "The negative log likelihood of log_softmax(scores)";
  let description = [{
    Operands as in negative_log_likelihood_loss; `log_prob` is the logarithm of
    the softmax over dimension 1.
  }];
  let arguments = (ins Inlay_FloatTensor:$scores, Inlay_IntegerTensor:$labels,
                       Optional<Inlay_FloatTensor>:$weights,
                       OptionalAttr<I64Attr>:$ignore_index, Inlay_Str<"mean">:$reduction);
  let results = (outs Inlay_FloatTensor:$output, Inlay_FloatTensor:$log_prob);
  let assemblyFormat = [{
    $scores `,` $labels (`,` $weights^)? attr-dict `:` functional-type(operands, results)
  }];
}

#endif // INLAY_IR_NORMALIZATIONOPS_TD
