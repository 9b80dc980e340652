//===- GridSampling.h - Elements between those of a tensor ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_GRIDSAMPLING_H
#define INLAY_LIB_CODEGEN_GRIDSAMPLING_H

#include "inlay/Tensor/Modes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"

namespace inlay {

class GridSampleOp;
class KernelBuilder;

/// What a grid's coordinates make of the elements around them, in the formulas
/// of the executor: coordinates in single precision, all else in double.
class GridSampling {
public:
  /// Nothing where a type or shape has no code.
  static std::optional<GridSampling> get(GridSampleOp op);

  /// The sum of what `load` gives at places of one channel. Coordinates are
  /// those of the grid, of the last dimension first.
  mlir::Value emit(KernelBuilder &builder,
                   llvm::ArrayRef<mlir::Value> coordinates,
                   llvm::function_ref<mlir::Value(mlir::Value)> load) const;

private:
  /// A part of a sum: where it is read, its weight, and whether it is there at
  /// all; null where it always is.
  struct Tap {
    mlir::Value place, weight, exists;
  };
  class Axis;

  llvm::SmallVector<int64_t, 3> sizes;
  GridSampleMode mode;
  GridSamplePadding padding;
  bool alignCorners;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_GRIDSAMPLING_H
