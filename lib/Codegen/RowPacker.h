//===- RowPacker.h - Rows of products, arranged -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block of rows is packed turn by turn of the sum, so that what all rows have
// in one turn is a few vectors, whole ones. Rows come from anywhere.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_ROWPACKER_H
#define INLAY_LIB_CODEGEN_ROWPACKER_H

#include "ContractionPlan.h"

namespace inlay {

class RowPacker {
public:
  /// From `memory`, where a panel is, to `packed`.
  RowPacker(KernelBuilder &builder, const ContractionPlan &plan,
            mlir::Value memory, mlir::Value packed)
      : builder(builder), plan(plan), memory(memory), packed(packed) {}

  /// The block that begins with row `first` of a line, which begins at `start`,
  /// to `place`.
  void emit(mlir::Value start, mlir::Value first, mlir::Value place);

private:
  using Values = llvm::ArrayRef<mlir::Value>;

  llvm::SmallVector<mlir::Value> getPlaces(mlir::Value start,
                                           mlir::Value first);
  void packRows(llvm::ArrayRef<unsigned> outer, Values rows, mlir::Value offset,
                mlir::Value place);
  void packTurn(mlir::Value from, mlir::Value to);
  void packRun(Values rows, mlir::Value offset, mlir::Value place,
               LoopRange range, int64_t step);

  KernelBuilder &builder;
  const ContractionPlan &plan;
  mlir::Value memory, packed;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_ROWPACKER_H
