//===- Sampling.h - Where a resized tensor is read --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_SAMPLING_H
#define INLAY_LIB_CODEGEN_SAMPLING_H

#include "inlay/Tensor/ResizeGeometry.h"
#include "mlir/IR/Value.h"

namespace inlay {

class KernelBuilder;
class ResizeOp;

/// How places along a dimension of a resized tensor are places of the input.
/// Coordinates are computed in single precision, as the executor does.
struct Sampling {
  enum class Pick : uint8_t { Nearest, Lower, Upper };

  int64_t input, output;
  float scale, width;
  CoordinateTransformation coordinates;
  NearestMode nearest;
  Pick pick = Pick::Nearest;

  bool operator==(const Sampling &) const = default;

  /// The place that is read for place `index`.
  mlir::Value emitPlace(KernelBuilder &builder, mlir::Value index) const;
  /// The same for the lower of two places, also in front of the input and
  /// behind it.
  mlir::Value emitLower(KernelBuilder &builder, mlir::Value index) const;
  /// How much of what is read is that of the upper place.
  mlir::Value emitShare(KernelBuilder &builder, mlir::Value index) const;

private:
  mlir::Value emitCoordinate(KernelBuilder &builder, mlir::Value index) const;
  mlir::Value emitNearest(KernelBuilder &builder, mlir::Value at) const;
};

/// What lies between the two elements of each pair, of which the second one has
/// a share. What has none is not in the sum: an infinite element would make it
/// no number.
llvm::SmallVector<mlir::Value> emitBetween(KernelBuilder &builder,
                                           llvm::ArrayRef<mlir::Value> pairs,
                                           mlir::Value share);

/// A dimension that is resized.
struct ResampledDim {
  int64_t dim;
  Sampling sampling;
};

/// The dimensions that a Resize changes; nothing where it says only at run time
/// how, or does more than to look for the nearest or between two elements.
std::optional<llvm::SmallVector<ResampledDim>> getResampledDims(ResizeOp op);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_SAMPLING_H
