//===- ProductResults.h - What follows sums of products ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the sums of a contraction to the results' elements in memory: a factor,
// another tensor that is added, and the kernel's epilogue.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_PRODUCTRESULTS_H
#define INLAY_LIB_CODEGEN_PRODUCTRESULTS_H

#include "BlockProduct.h"
#include "Contraction.h"
#include "Epilogue.h"

namespace inlay {

/// Columns of results, which lie side by side, and the tiles that they are
/// computed in.
struct ResultColumns {
  /// Their dimension; none where there is only one column.
  unsigned lane = ~0u;
  int64_t count = 1;
  Tiles tiles = {1, 1, 1};
  /// Whether results are vectors, and all columns of a tile are one.
  bool areVectors = false, isWide = false;
  /// Whether two tiles are finished at once: what takes long to follow from a
  /// few vectors does not wait for itself in more of them.
  bool arePairs = false;

  int64_t getNumTiles() const {
    return llvm::divideCeil(count, tiles.getColumns());
  }
  /// Those of the last tile, which may be fewer than those of others.
  int64_t getLastColumns() const {
    return count - (getNumTiles() - 1) * tiles.getColumns();
  }
};

/// One of these tiles, or a pair: its number, its columns, and their vectors,
/// of which the last may be there in part.
struct ResultTile {
  mlir::Value number;
  int64_t columns, vectors;
};

/// Tiles from `from` to `to`, the last one with code of its own where it has
/// fewer columns.
void forEachTile(KernelBuilder &builder, const ResultColumns &columns,
                 mlir::Value from, mlir::Value to,
                 llvm::function_ref<void(const ResultTile &)> emit);

class ProductResults {
public:
  /// `space` has a loop for each dimension of the contraction.
  ProductResults(const KernelBody &body, const Contraction &contraction,
                 LoopSpace &space)
      : contraction(contraction), space(space), epilogue(body, space),
        addedReader(body, space) {}

  /// False where there is no way to all of them.
  bool plan();
  /// The operators that code is made of.
  llvm::SmallVector<mlir::Operation *> getComputing() const;
  /// How far apart neighbours of the first result along a dimension are.
  int64_t getStride(unsigned dim) const { return epilogue.getStride(dim); }
  /// Makes a dimension part of one inside of it; false where they cannot be
  /// one.
  bool merge(unsigned outer, unsigned inner);
  bool allowsVectors(unsigned dim) const {
    return epilogue.allowsVectors(dim) && addedReader.allowsVectors(dim);
  }

  /// Tiles begin at multiples of their columns; if some are elsewhere in the
  /// results than the others, vectors of them may still be in one place.
  void align(ResultColumns &columns) const;
  /// The same for pairs of tiles; false where these are not in one place.
  bool alignPairs(ResultColumns &columns) const;

  /// Writes what follows from the sums of a row of a tile, which lie in
  /// `memory` from `from` on. False where there is no code.
  bool emitRow(KernelBuilder &builder, const ResultColumns &columns,
               llvm::ArrayRef<mlir::Value> variables, mlir::Value memory,
               mlir::Value from, const ResultTile &tile) const;
  /// The same from registers, where all vectors are whole and side by side.
  bool emitTile(KernelBuilder &builder, const ResultColumns &columns,
                llvm::ArrayRef<mlir::Value> variables,
                llvm::ArrayRef<mlir::Value> sums, mlir::Value tile) const;

private:
  /// Writes the elements that follow from `sum`: `width` of them along `lane`,
  /// the dimensions being at `variables`. False where there is no code.
  bool emit(KernelBuilder &builder, llvm::ArrayRef<mlir::Value> variables,
            unsigned lane, unsigned width, mlir::Value sum) const;
  mlir::Value addTerm(KernelBuilder &builder, Reader::Scope &scope,
                      mlir::Value sum) const;

  const Contraction &contraction;
  LoopSpace &space;
  Epilogue epilogue;
  Reader addedReader;
  unsigned added = 0;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_PRODUCTRESULTS_H
