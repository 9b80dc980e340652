//===- AxisNormalization.h - LayerNorm out of its parts ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// x / sqrt(mean(x^2) + e) over the last dimensions is RMSNormalization(x, 1),
// and with x - mean(x) for x it is LayerNormalization(x, 1). A scale that is
// multiplied with the root first is found here; one that stands behind, and a
// bias, are the next operators' affair.
//
// The statistics must be computed in f32, as the operators do: in f16 a square
// overflows early.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_ANALYSIS_PATTERNS_AXISNORMALIZATION_H
#define INLAY_ANALYSIS_PATTERNS_AXISNORMALIZATION_H

#include "inlay/Analysis/Patterns/MatchReason.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace inlay::patterns {

/// Dimensions from `begin` to `end`, that excluded.
struct Dims {
  int64_t begin = 0;
  int64_t end = 0;
};

//===----------------------------------------------------------------------===//
// Scales and biases
//===----------------------------------------------------------------------===//

/// Whether `value`, which broadcasts to x, is a scale or bias over `dims` of x:
/// it varies along all of these and along no others, or is one number. Not
/// where it would have to be reshaped when the model runs.
bool isParameter(mlir::Value value, mlir::Value x, Dims dims);

/// The type of a parameter over `dims` of x, or null where an extent is not
/// known.
mlir::RankedTensorType getParameterType(mlir::Value x, Dims dims);

/// The number that a constant of one element is.
std::optional<double> getNumber(mlir::Value value);

//===----------------------------------------------------------------------===//
// Normalisations
//===----------------------------------------------------------------------===//

/// coefficient * scale * d / sqrt(mean(d^2) + epsilon) + bias over `dims` of x.
struct AxisNormalization {
  mlir::Value x;
  Dims dims;
  double epsilon = 0;
  /// One where there is a scale.
  double coefficient = 1;
  /// Parameters; null where there are none.
  mlir::Value scale;
  mlir::Value bias;
  /// Everything read, the root first, constants left out.
  llvm::SmallVector<mlir::Operation *> ops;
};

/// With d = x - mean(x).
std::optional<AxisNormalization> readLayerNorm(mlir::Operation *root,
                                               MatchReason &why);

/// With d = x.
std::optional<AxisNormalization> readRmsNorm(mlir::Operation *root,
                                             MatchReason &why);

/// x * m + (b - mean(x) * m), m = s / sqrt(mean((x - mean(x))^2) + e): what
/// TensorFlow makes of a layer normalisation.
std::optional<AxisNormalization> readShiftedLayerNorm(mlir::Operation *root,
                                                      MatchReason &why);

} // namespace inlay::patterns

#endif // INLAY_ANALYSIS_PATTERNS_AXISNORMALIZATION_H
