//===- Elementwise.h - Reference kernels, element by element ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floats compute in double and are rounded once to their type. Integers compute
// in two's complement and wrap to their width. Operands of the binary and
// variadic kernels broadcast; unless said otherwise their types must agree.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TENSOR_KERNELS_ELEMENTWISE_H
#define INLAY_TENSOR_KERNELS_ELEMENTWISE_H

#include "inlay/Tensor/HostTensor.h"

namespace inlay::kernels {

enum class UnaryFunction : uint8_t {
  Abs,
  Neg,
  Sign,
  Ceil,
  Floor,
  /// Halves go to the even neighbour.
  Round,
  Sqrt,
  Exp,
  Log,
  Reciprocal,
  Erf,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Sinh,
  Cosh,
  Tanh,
  Asinh,
  Acosh,
  Atanh,
  Sigmoid,
  Relu,
  Softplus,
  Softsign,
  HardSwish,
  Mish,
  /// Logical, of bools.
  Not,
  BitwiseNot,
  /// Gives bools.
  IsNaN,
  Identity,
};

/// Applies `f` to every element. The functions of calculus take floats only.
llvm::Expected<HostTensor> unary(UnaryFunction f, const HostTensor &x);

/// x < 0 ? alpha * x : x
llvm::Expected<HostTensor> leakyRelu(const HostTensor &x, float alpha);
/// x < 0 ? alpha * (exp(x) - 1) : x
llvm::Expected<HostTensor> elu(const HostTensor &x, float alpha);
/// gamma * (x > 0 ? x : alpha * (exp(x) - 1))
llvm::Expected<HostTensor> selu(const HostTensor &x, float alpha, float gamma);
/// max(0, x) + min(0, alpha * (exp(x / alpha) - 1))
llvm::Expected<HostTensor> celu(const HostTensor &x, float alpha);
/// x > alpha ? x : 0
llvm::Expected<HostTensor> thresholdedRelu(const HostTensor &x, float alpha);
/// max(0, min(1, alpha * x + beta))
llvm::Expected<HostTensor> hardSigmoid(const HostTensor &x, float alpha,
                                       float beta);
/// x < -lambd ? x + bias : x > lambd ? x - bias : 0; integers too.
llvm::Expected<HostTensor> shrink(const HostTensor &x, float bias, float lambd);
/// x times the normal distribution function, or its approximation by tanh.
llvm::Expected<HostTensor> gelu(const HostTensor &x, bool approximateTanh);
/// x * sigmoid(alpha * x)
llvm::Expected<HostTensor> swish(const HostTensor &x, float alpha);
/// Whether x is one of the infinities asked for; gives bools.
llvm::Expected<HostTensor> isInf(const HostTensor &x, bool detectNegative,
                                 bool detectPositive);
/// Bounds are tensors of one element of the type of x, or null for none. Where
/// min is above max the result is max. NaN stays.
llvm::Expected<HostTensor> clip(const HostTensor &x, const HostTensor *min,
                                const HostTensor *max);
/// x < 0 ? slope * x : x; the slope broadcasts to the shape of x, not the other
/// way round. A slope of rank one with the number of channels of x (dimension
/// 1) that does not broadcast is read as one per channel, as opset 1 to 6 had
/// it.
llvm::Expected<HostTensor> prelu(const HostTensor &x, const HostTensor &slope);

enum class BinaryFunction : uint8_t {
  Add,
  Sub,
  Mul,
  /// Integers truncate; division by zero gives 0.
  Div,
  /// The result has the type of the base; the exponent may have another.
  Pow,
  /// The sign of the divisor, as in Python. By zero: 0 for integers.
  Mod,
  /// The sign of the dividend, as fmod in C.
  FMod,
  /// Unsigned integers; shifts by the width and more give 0.
  ShiftLeft,
  ShiftRight,
  And,
  Or,
  Xor,
  BitwiseAnd,
  BitwiseOr,
  BitwiseXor,
  /// Comparisons give bools. Equal takes strings.
  Equal,
  Less,
  LessOrEqual,
  Greater,
  GreaterOrEqual,
  /// NaN if one operand is.
  Max,
  Min,
};

llvm::Expected<HostTensor> binary(BinaryFunction f, const HostTensor &a,
                                  const HostTensor &b);

/// The functions of any number of operands, at least one.
enum class VariadicFunction : uint8_t { Sum, Mean, Max, Min };
llvm::Expected<HostTensor> variadic(VariadicFunction f,
                                    llvm::ArrayRef<HostTensor> operands);

/// condition ? a : b, all three broadcast; any element type.
llvm::Expected<HostTensor> where(const HostTensor &condition,
                                 const HostTensor &a, const HostTensor &b);

} // namespace inlay::kernels

#endif // INLAY_TENSOR_KERNELS_ELEMENTWISE_H
