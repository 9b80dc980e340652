//===- Linear.h - Operators that are linear in constant weights -*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What convolutions and matrix products with constant weights have in common:
// the result is sum(x * W) + b, and every feature of the result has weights and
// a bias of its own. Scaling and shifting features is then scaling weights and
// shifting biases:
//
//   (sum(x * W) + b) * s + t = sum(x * (W * s)) + (b * s + t)
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_REWRITE_LINEAR_H
#define INLAY_LIB_TRANSFORMS_REWRITE_LINEAR_H

#include "inlay/IR/InlayOps.h"
#include "inlay/Transforms/Rewrite/Rewrite.h"

namespace inlay::rewrites {

/// features * scale + shift, one number of each per feature.
struct FeatureMap {
  std::vector<double> scale;
  std::vector<double> shift;

  bool scales() const {
    return llvm::any_of(scale, [](double factor) { return factor != 1; });
  }
  bool shifts() const {
    return llvm::any_of(shift, [](double term) { return term != 0; });
  }
};

/// A Conv, ConvTranspose or Gemm, or a MatMul with or without an Add behind it,
/// with constant weights and bias, in f32 or f64. Narrower floats are left
/// alone: a weight that is scaled would lose digits that the model's own
/// results keep, or leave the range.
class LinearOp {
public:
  /// The operator behind `value`, which only `user` reads; nothing where it is
  /// none, or where the two are not in one block (a body that runs again and
  /// again is no place for it).
  static std::optional<LinearOp> match(mlir::Value value,
                                       mlir::Operation *user);

  mlir::Operation *getOperation() const { return op; }
  int64_t getNumFeatures() const { return numFeatures; }
  /// The dimension of the result that features lie along.
  int64_t getFeatureAxis() const { return featureAxis; }
  int64_t getResultRank() const { return resultRank; }
  /// Whether it has a bias, or can be given one without another operator.
  bool takesBias() const { return !llvm::isa<MatMulOp>(op) || sum; }

  /// The features after `map`, computed by other weights in front of `root`: an
  /// operator, and behind a MatMul an Add where there is something to add.
  /// `used` are the constants that the map was made of; `isRoot` says whether
  /// the value is the root's. Null, with nothing built, where numbers would
  /// leave their range.
  mlir::Value build(const FeatureMap &map, mlir::Operation *root, bool isRoot,
                    llvm::ArrayRef<mlir::Value> used,
                    RewriteContext &context) const;

private:
  static std::optional<LinearOp> matchSum(AddOp sum);

  mlir::Value getWeight() const { return op->getOperand(1); }
  HostTensor getFactors(llvm::ArrayRef<double> scale) const;
  /// The bias per feature, zeros where there is none.
  std::optional<std::vector<double>> readBias() const;
  mlir::Value copy(mlir::ValueRange operands, mlir::Location loc,
                   RewriteContext &context) const;

  mlir::Operation *op = nullptr;
  mlir::Value bias;
  /// The Add that a MatMul has its bias from, or null.
  AddOp sum;
  int64_t numFeatures = 0;
  int64_t featureAxis = 0;
  int64_t resultRank = 0;
};

/// Features on their way to an operator that maps them: behind a LinearOp they
/// may be transposed, and reshaped without being torn apart.
class FeaturePath {
public:
  /// The path to `value`, which only `user` reads.
  static std::optional<FeaturePath> match(mlir::Value value,
                                          mlir::Operation *user);

  const LinearOp &getLinear() const { return linear; }
  int64_t getNumFeatures() const { return linear.getNumFeatures(); }
  /// Where features lie in the end, of how many dimensions.
  int64_t getFeatureAxis() const { return featureAxis; }
  int64_t getRank() const { return rank; }

  /// The value of `root`, which is `map` at the end of the path, computed by
  /// other weights at its start; null where that cannot be.
  mlir::Value build(const FeatureMap &map, mlir::Operation *root,
                    llvm::ArrayRef<mlir::Value> used,
                    RewriteContext &context) const;

private:
  explicit FeaturePath(LinearOp linear) : linear(std::move(linear)) {}

  LinearOp linear;
  /// From the LinearOp on.
  llvm::SmallVector<mlir::Operation *> views;
  int64_t featureAxis = 0;
  int64_t rank = 0;
};

/// The numbers of a constant that has one per feature of a tensor of `rank`,
/// whose features lie along `axis`, or one for all of them; nothing where it is
/// no such constant of floats, or would make the tensor larger.
std::optional<std::vector<double>> readPerFeature(mlir::Value value,
                                                  int64_t rank, int64_t axis,
                                                  int64_t numFeatures);

/// A constant that stands for all of `used` that nothing else uses; its name is
/// that of the first.
mlir::Value buildConstant(mlir::TypedAttr value,
                          llvm::ArrayRef<mlir::Value> used,
                          RewriteContext &context);

/// Whether a float of the element type (f32 or f64) holds the number, and not
/// as one that has lost digits to its smallness.
bool fits(double value, mlir::Type element);

/// Whether weights of a sensible size stay in the range of f32 when they are
/// multiplied or divided by the number.
bool isSensibleFactor(double factor);

/// Whether the number is not so large that adding it is there to round, as in
/// (x + 2^23) - 2^23, which is the integer next to x.
bool isSensibleTerm(double term);

} // namespace inlay::rewrites

#endif // INLAY_LIB_TRANSFORMS_REWRITE_LINEAR_H
