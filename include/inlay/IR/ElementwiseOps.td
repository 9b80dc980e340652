//===- ElementwiseOps.td - Element by element --------------*- tablegen -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_ELEMENTWISEOPS_TD
#define INLAY_IR_ELEMENTWISEOPS_TD

include "inlay/IR/InlayOpBase.td"

/// An operator with one result whose operands broadcast to it. `infer` is a C++
/// expression: the inference of its type, a LogicalResult.
class Inlay_ElementwiseOp<string mnemonic, string infer>
    : Inlay_Op<mnemonic, [Inlay_StorageOpInterface]> {
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferTypes(TypeInference &inference) {
      return }] # infer # [{;
    }
    AxisMap $cppClass::getAxisMap() { return getElementwiseAxisMap(*this); }
    FusionClass $cppClass::getFusionClass() { return FusionClass::Elementwise; }
  }];
}

//===----------------------------------------------------------------------===//
// Unary operators
//===----------------------------------------------------------------------===//

/// One operand, a result of the same shape and, unless `infer` says otherwise,
/// element type.
class Inlay_UnaryOp<string mnemonic, string text,
                    string infer = "inferSameType(*this, inference)">
    : Inlay_ElementwiseOp<mnemonic, infer> {
  let summary = text;
  let arguments = (ins Inlay_NumericTensor:$input);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

def Inlay_AbsOp : Inlay_UnaryOp<"abs", "|x|">;
def Inlay_NegOp : Inlay_UnaryOp<"neg", "-x">;
def Inlay_SignOp : Inlay_UnaryOp<"sign", "-1, 0 or 1 as the sign of x">;
def Inlay_CeilOp : Inlay_UnaryOp<"ceil", "The smallest integer not below x">;
def Inlay_FloorOp : Inlay_UnaryOp<"floor", "The largest integer not above x">;
def Inlay_RoundOp : Inlay_UnaryOp<"round", "The nearest integer, halves to the even one">;
def Inlay_SqrtOp : Inlay_UnaryOp<"sqrt", "Square root">;
def Inlay_ExpOp : Inlay_UnaryOp<"exp", "e to the power of x">;
def Inlay_LogOp : Inlay_UnaryOp<"log", "Natural logarithm">;
def Inlay_ReciprocalOp : Inlay_UnaryOp<"reciprocal", "1 / x">;
def Inlay_ErfOp : Inlay_UnaryOp<"erf", "Gauss error function">;
def Inlay_SinOp : Inlay_UnaryOp<"sin", "Sine">;
def Inlay_CosOp : Inlay_UnaryOp<"cos", "Cosine">;
def Inlay_TanOp : Inlay_UnaryOp<"tan", "Tangent">;
def Inlay_AsinOp : Inlay_UnaryOp<"asin", "Inverse sine">;
def Inlay_AcosOp : Inlay_UnaryOp<"acos", "Inverse cosine">;
def Inlay_AtanOp : Inlay_UnaryOp<"atan", "Inverse tangent">;
def Inlay_SinhOp : Inlay_UnaryOp<"sinh", "Hyperbolic sine">;
def Inlay_CoshOp : Inlay_UnaryOp<"cosh", "Hyperbolic cosine">;
def Inlay_TanhOp : Inlay_UnaryOp<"tanh", "Hyperbolic tangent">;
def Inlay_AsinhOp : Inlay_UnaryOp<"asinh", "Inverse hyperbolic sine">;
def Inlay_AcoshOp : Inlay_UnaryOp<"acosh", "Inverse hyperbolic cosine">;
def Inlay_AtanhOp : Inlay_UnaryOp<"atanh", "Inverse hyperbolic tangent">;
def Inlay_SigmoidOp : Inlay_UnaryOp<"sigmoid", "1 / (1 + exp(-x))">;
def Inlay_ReluOp : Inlay_UnaryOp<"relu", "max(x, 0)">;
def Inlay_SoftplusOp : Inlay_UnaryOp<"softplus", "log(1 + exp(x))">;
def Inlay_SoftsignOp : Inlay_UnaryOp<"softsign", "x / (1 + |x|)">;
def Inlay_HardSwishOp : Inlay_UnaryOp<"hard_swish", "x * max(0, min(1, x / 6 + 1 / 2))">;
def Inlay_MishOp : Inlay_UnaryOp<"mish", "x * tanh(log(1 + exp(x)))">;
def Inlay_NotOp : Inlay_UnaryOp<"not", "Logical negation of booleans">;
def Inlay_BitwiseNotOp : Inlay_UnaryOp<"bitwise_not", "Every bit inverted">;
def Inlay_IsNaNOp : Inlay_UnaryOp<"is_nan", "Whether x is not a number",
    "inferSameShape(*this, inference, ElementType::Bool)">;

def Inlay_IdentityOp : Inlay_Op<"identity", [Inlay_StorageOpInterface]> {
  let summary = "The operand itself, whatever its type";
  let arguments = (ins Inlay_Value:$input);
  let results = (outs Inlay_Value:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Unary operators with parameters
//===----------------------------------------------------------------------===//

/// Like a unary operator, with attributes.
class Inlay_ActivationOp<string mnemonic, dag attributes, string text,
                         string infer = "inferSameType(*this, inference)">
    : Inlay_ElementwiseOp<mnemonic, infer> {
  let summary = text;
  let arguments = !con((ins Inlay_NumericTensor:$input), attributes);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
}

def Inlay_LeakyReluOp : Inlay_ActivationOp<"leaky_relu",
    (ins Inlay_Float<"0.01f">:$alpha), "x < 0 ? alpha * x : x">;
def Inlay_EluOp : Inlay_ActivationOp<"elu",
    (ins Inlay_Float<"1.0f">:$alpha), "x < 0 ? alpha * (exp(x) - 1) : x">;
def Inlay_SeluOp : Inlay_ActivationOp<"selu",
    (ins Inlay_Float<"1.67326319217681884765625f">:$alpha,
         Inlay_Float<"1.05070102214813232421875f">:$gamma), "gamma * (x > 0 ? x : alpha * (exp(x) - 1))">;
def Inlay_CeluOp : Inlay_ActivationOp<"celu",
    (ins Inlay_Float<"1.0f">:$alpha), "max(0, x) + min(0, alpha * (exp(x / alpha) - 1))">;
def Inlay_ThresholdedReluOp : Inlay_ActivationOp<"thresholded_relu",
    (ins Inlay_Float<"1.0f">:$alpha), "x > alpha ? x : 0">;
def Inlay_HardSigmoidOp : Inlay_ActivationOp<"hard_sigmoid",
    (ins Inlay_Float<"0.2f">:$alpha, Inlay_Float<"0.5f">:$beta), "max(0, min(1, alpha * x + beta))">;
def Inlay_ShrinkOp : Inlay_ActivationOp<"shrink",
    (ins Inlay_Float<"0.0f">:$bias, Inlay_Float<"0.5f">:$lambd), "x < -lambd ? x + bias : x > lambd ? x - bias : 0">;
def Inlay_SwishOp : Inlay_ActivationOp<"swish",
    (ins Inlay_Float<"1.0f">:$alpha), "x * sigmoid(alpha * x)">;
def Inlay_GeluOp : Inlay_ActivationOp<"gelu",
    (ins Inlay_Str<"none">:$approximate), "x times the normal distribution function",
    "inferGeluType(*this, inference)">;
def Inlay_IsInfOp : Inlay_ActivationOp<"is_inf",
    (ins Inlay_Int<"1">:$detect_negative, Inlay_Int<"1">:$detect_positive),
    "Whether x is one of the infinities asked for",
    "inferSameShape(*this, inference, ElementType::Bool)">;

def Inlay_PReluOp : Inlay_Op<"prelu", [Inlay_HasForms]> {
  let summary = "x < 0 ? slope * x : x";
  let description = [{
    The slope broadcasts to the input, never the other way round. A slope of
    rank one with as many elements as the input has channels (dimension 1) is
    read as one per channel where it does not broadcast.
  }];
  let arguments = (ins Inlay_NumericTensor:$input, Inlay_NumericTensor:$slope);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = "$input `,` $slope attr-dict `:` functional-type(operands, $result)";
}

def Inlay_ClipOp : Inlay_Op<"clip", [AttrSizedOperandSegments, Inlay_HasForms]> {
  let summary = "min(max(x, min), max)";
  let description = [{
    The bounds are tensors of one element.

        %y = inlay.clip %x min %lo max %hi
            : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  }];
  let arguments = (ins Inlay_NumericTensor:$input,
                       Optional<Inlay_NumericTensor>:$min,
                       Optional<Inlay_NumericTensor>:$max);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = [{
    $input (`min` $min^)? (`max` $max^)? attr-dict
    `:` functional-type(operands, $result)
  }];
}

def Inlay_DropoutOp : Inlay_BaseOp<"dropout", [
    AttrSizedOperandSegments, Inlay_HasParameters, Inlay_HasForms,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<Inlay_TypeInferenceOpInterface>,
    DeclareOpInterfaceMethods<Inlay_AxisMapOpInterface>,
    DeclareOpInterfaceMethods<Inlay_FusionOpInterface, ["getFusionClass"]>]> {
  let summary = "Random zeros while training; the input itself otherwise";
  let description = [{
    Training mode is off unless `training_mode` or its operand says otherwise.
    While it may be on with a ratio that may not be zero, the operation is
    random: it is not pure and cannot be evaluated.
  }];
  let arguments = (ins Inlay_NumericTensor:$input,
                       Optional<Inlay_FloatTensor>:$ratio_operand,
                       Optional<Inlay_BoolTensor>:$training_mode_operand,
                       OptionalAttr<F32Attr>:$ratio,
                       OptionalAttr<I64Attr>:$training_mode,
                       OptionalAttr<I64Attr>:$seed);
  let results = (outs Inlay_NumericTensor:$output, Inlay_Tensor:$mask);
  let assemblyFormat = [{
    $input (`ratio` $ratio_operand^)?
    (`training_mode` $training_mode_operand^)? attr-dict
    `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    /// Whether the results may depend on chance.
    bool mayBeRandom();
  }];
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Binary operators
//===----------------------------------------------------------------------===//

/// Two operands that broadcast against each other.
class Inlay_BinaryOp<string mnemonic, string text,
                     string infer = "inferBroadcastType(*this, inference)",
                     dag attributes = (ins),
                     TypeConstraint operand = Inlay_NumericTensor>
    : Inlay_ElementwiseOp<mnemonic, infer> {
  let summary = text;
  let arguments = !con((ins operand:$lhs, operand:$rhs), attributes);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, $result)";
}

class Inlay_LogicOp<string mnemonic, string text>
    : Inlay_BinaryOp<mnemonic, text, "inferBroadcastType(*this, inference)", (ins),
                     Inlay_BoolTensor>;

def Inlay_AddOp : Inlay_BinaryOp<"add", "x + y">;
def Inlay_SubOp : Inlay_BinaryOp<"sub", "x - y">;
def Inlay_MulOp : Inlay_BinaryOp<"mul", "x * y">;
def Inlay_DivOp : Inlay_BinaryOp<"div", "x / y; integers truncate">;
def Inlay_AndOp : Inlay_LogicOp<"and", "Logical conjunction of booleans">;
def Inlay_OrOp : Inlay_LogicOp<"or", "Logical disjunction of booleans">;
def Inlay_XorOp : Inlay_LogicOp<"xor", "Logical exclusive or of booleans">;

def Inlay_BitwiseAndOp : Inlay_BinaryOp<"bitwise_and", "x and y, bit by bit">;
def Inlay_BitwiseOrOp : Inlay_BinaryOp<"bitwise_or", "x or y, bit by bit">;
def Inlay_BitwiseXorOp : Inlay_BinaryOp<"bitwise_xor", "x exclusive or y, bit by bit">;

def Inlay_PowOp : Inlay_BinaryOp<"pow",
    "x to the power of y, in the type of x", "inferPowType(*this, inference)">;
def Inlay_ModOp : Inlay_BinaryOp<"mod",
    "The remainder, of the sign of y or with `fmod` that of x",
    "inferBroadcastType(*this, inference)", (ins Inlay_Int<"0">:$fmod)>;
def Inlay_BitShiftOp : Inlay_BinaryOp<"bit_shift",
    "x shifted by y bits, LEFT or RIGHT", "inferBitShiftType(*this, inference)",
    (ins StrAttr:$direction)>;

class Inlay_ComparisonOp<string mnemonic, string text,
                         TypeConstraint operand = Inlay_NumericTensor>
    : Inlay_BinaryOp<mnemonic, text,
          "inferBroadcastType(*this, inference, ElementType::Bool)", (ins), operand>;

def Inlay_EqualOp : Inlay_ComparisonOp<"equal", "x = y; strings too", Inlay_Tensor>;
def Inlay_LessOp : Inlay_ComparisonOp<"less", "x < y">;
def Inlay_LessOrEqualOp : Inlay_ComparisonOp<"less_or_equal", "x <= y">;
def Inlay_GreaterOp : Inlay_ComparisonOp<"greater", "x > y">;
def Inlay_GreaterOrEqualOp : Inlay_ComparisonOp<"greater_or_equal", "x >= y">;

//===----------------------------------------------------------------------===//
// Operators of several operands
//===----------------------------------------------------------------------===//

/// Any number of operands, at least one.
class Inlay_VariadicOp<string mnemonic, string text>
    : Inlay_ElementwiseOp<mnemonic, "inferVariadicType(*this, inference)"> {
  let summary = text;
  let arguments = (ins Variadic<Inlay_NumericTensor>:$inputs);
  let results = (outs Inlay_NumericTensor:$result);
  let assemblyFormat = "$inputs attr-dict `:` functional-type($inputs, $result)";
}

def Inlay_SumOp : Inlay_VariadicOp<"sum", "The sum of the operands">;
def Inlay_MeanOp : Inlay_VariadicOp<"mean", "The mean of the operands">;
def Inlay_MaxOp : Inlay_VariadicOp<"max", "The largest of the operands">;
def Inlay_MinOp : Inlay_VariadicOp<"min", "The smallest of the operands">;

def Inlay_WhereOp : Inlay_ElementwiseOp<"where", "inferWhereType(*this, inference)"> {
  let summary = "condition ? x : y";
  let arguments = (ins Inlay_BoolTensor:$condition, Inlay_Tensor:$x, Inlay_Tensor:$y);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = [{
    $condition `,` $x `,` $y attr-dict `:` functional-type(operands, $result)
  }];
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

def Inlay_CastOp : Inlay_Op<"cast", [Inlay_StorageOpInterface]> {
  let summary = "Every element converted to another type";
  let description = [{
    `to` is the number of an ONNX element type. `saturate` concerns 8-bit
    floats, `round_mode` float8e8m0.
  }];
  let arguments = (ins Inlay_Tensor:$input, I64Attr:$to, Inlay_Int<"1">:$saturate,
                       Inlay_Str<"up">:$round_mode);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type($input, $result)";
  let hasFolder = 1;
}

def Inlay_CastLikeOp : Inlay_Op<"cast_like", [Inlay_HasForms]> {
  let summary = "Every element converted to the type of another tensor";
  let arguments = (ins Inlay_Tensor:$input, Inlay_Tensor:$target_type,
                       Inlay_Int<"1">:$saturate, Inlay_Str<"up">:$round_mode);
  let results = (outs Inlay_Tensor:$result);
  let assemblyFormat = "$input `,` $target_type attr-dict `:` functional-type(operands, $result)";
  let hasFolder = 1;
}

#endif // INLAY_IR_ELEMENTWISEOPS_TD
