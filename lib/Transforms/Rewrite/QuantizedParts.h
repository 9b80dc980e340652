//===- QuantizedParts.h - What lies between quantisers ----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_REWRITE_QUANTIZEDPARTS_H
#define INLAY_LIB_TRANSFORMS_REWRITE_QUANTIZEDPARTS_H

#include "inlay/IR/InlayOps.h"
#include "inlay/Transforms/Rewrite/Rewrite.h"

namespace inlay::rewrites {

/// A value that is `scale` * (`tensor` - `zeroPoint`): what a DequantizeLinear
/// gives, or what a QuantizeLinear stands for.
struct Quantized {
  mlir::Value tensor, scale;
  /// Null where it is 0.
  mlir::Value zeroPoint;
  /// The axis of a scale that is a vector, from the front; nothing where one
  /// scale holds for the whole tensor.
  std::optional<int64_t> axis;
  /// The DequantizeLinear, or null.
  mlir::Operation *op = nullptr;

  bool isPerTensor() const { return !axis; }
  mlir::Type getElementType() const { return inlay::getElementType(tensor); }
};

/// What `value` is the DequantizeLinear of: 8 or 32 bits, scales of f32, per
/// tensor or per axis. Nothing where it is none.
std::optional<Quantized> readDequantized(mlir::Value value);

/// The result of a QuantizeLinear to 8 bits per tensor; nothing where it is of
/// another kind.
std::optional<Quantized> readQuantized(QuantizeLinearOp op);

/// Whether scales and zero points of one element are known to be the same.
bool areAlike(const Quantized &a, const Quantized &b);

/// The zero point as an operand that has to be there.
mlir::Value getZeroPoint(const Quantized &from, RewriteContext &context);

/// The elements of a constant that is not large; nothing for other values.
std::optional<std::vector<double>> readElements(mlir::Value value);
/// The same of a constant of f32 only.
std::optional<std::vector<double>> readNumbers(mlir::Value value);

/// The operator in front of a quantiser, with what the quantiser does anyway.
struct QuantizedResult {
  QuantizeLinearOp root;
  Quantized to;
  /// Nothing else reads it.
  mlir::Operation *op = nullptr;
  /// A Relu or Clip between them that cuts off what does not fit anyway.
  mlir::Operation *activation = nullptr;

  static std::optional<QuantizedResult> match(mlir::Operation *root);

  /// The location of what stands for all of it, and for the DequantizeLinear of
  /// `operands` where nobody else reads them.
  mlir::Location merge(llvm::ArrayRef<Quantized> operands,
                       RewriteContext &context) const;
};

/// Whether the target's pipeline takes `integerOp` on elements of `type`, and
/// nothing of it takes `floatOp` on floats.
bool wantsInteger(const RewriteContext &context, llvm::StringRef integerOp,
                  llvm::StringRef floatOp, mlir::Type type);
/// Whether it takes an operator on floats, but not on elements of `type`.
bool wantsFloats(const RewriteContext &context, llvm::StringRef opType,
                 mlir::Type type);

} // namespace inlay::rewrites

#endif // INLAY_LIB_TRANSFORMS_REWRITE_QUANTIZEDPARTS_H
