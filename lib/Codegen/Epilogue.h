//===- Epilogue.h - What a kernel does with what it computed ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A template computes some values of a kernel itself: the result of a
// convolution, numbers per row. Given an element of each, an epilogue is
// everything that follows from them, up to the results' elements in memory.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_EPILOGUE_H
#define INLAY_LIB_CODEGEN_EPILOGUE_H

#include "Reader.h"

namespace inlay {

/// Finds where the results' elements are while the loops are at an index of
/// some value: elementwise operators are at the same place, transposes and
/// views elsewhere.
class ResultPlaces {
public:
  /// Values of the shape of `at` are at `index` unless something else is known;
  /// where that is wrong, there is no way back from the results.
  ResultPlaces(const KernelBody &body, LoopSpace &space, mlir::Value at,
               const LoopIndex &index);

  void set(mlir::Value value, const LoopIndex &index) { places[value] = index; }
  /// Follows the operators of the body.
  void follow();
  /// Nothing where a value is somewhere else.
  std::optional<LoopIndex> get(mlir::Value value) const;

private:
  const KernelBody &body;
  LoopSpace &space;
  llvm::ArrayRef<int64_t> shape;
  LoopIndex index;
  llvm::DenseMap<mlir::Value, LoopIndex> places;
};

class Epilogue {
public:
  Epilogue(const KernelBody &body, LoopSpace &space)
      : body(body), space(space), reader(body, space) {}

  Reader &getReader() { return reader; }
  const Reader &getReader() const { return reader; }

  /// Writes result number `result` at `index`; false where there is no way to
  /// its elements.
  bool add(unsigned result, const LoopIndex &index);
  /// All results, from the element of `anchor` at `index` that the template
  /// gives: element 0 of the scope.
  bool addAll(mlir::Value anchor, const LoopIndex &index);

  /// All sums that elements are read or written at.
  llvm::SmallVector<const Linear *> getForms() const;
  /// How far apart neighbours of the first result along a loop are.
  int64_t getStride(unsigned loop) const {
    return space.getStride(stores.front().offset, loop);
  }
  /// Makes a loop part of one inside of it; false where they cannot be one.
  bool merge(unsigned outer, unsigned inner);
  bool allowsVectors(unsigned loop) const;

  /// Makes a loop part of another without a check.
  void dropLoop(unsigned loop);
  /// Reads, and writes the results behind that. False where there is no code.
  bool emit(KernelBuilder &builder, Reader::Scope &scope) const;
  /// Elements of the only result, and where they would be written.
  struct Place {
    mlir::Value elements, offset;
    unsigned result;
  };
  bool isOne() const { return stores.size() == 1; }
  std::optional<Place> emitOne(KernelBuilder &builder,
                               Reader::Scope &scope) const;

private:
  struct Store {
    unsigned element, result;
    Linear offset;
  };

  Place getPlace(KernelBuilder &builder, const Reader::Scope &scope,
                 const Store &store, int64_t stride) const;

  const KernelBody &body;
  LoopSpace &space;
  Reader reader;
  llvm::SmallVector<Store> stores;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_EPILOGUE_H
