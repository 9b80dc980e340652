//===- PackedOperand.h - An operand of a contraction ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is multiplied, read where it is or arranged before: sums of loop
// counters say where, zeros are outside of it.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_PACKEDOPERAND_H
#define INLAY_LIB_CODEGEN_PACKEDOPERAND_H

#include "Contraction.h"
#include "Reader.h"

namespace inlay {

/// An operand while it is read: zero outside of its bounds.
class PackedOperand {
public:
  PackedOperand(const KernelBody &body, const Contraction &contraction)
      : body(body), contraction(contraction) {}

  bool plan(const Contraction::Operand &operand);
  /// Whether vectors along a dimension can be made that begin at multiples of
  /// their width.
  bool allowsVectors(unsigned dim) const;
  /// Whether these are loaded as such.
  bool isDenseAlong(unsigned dim) const;
  bool readsConstants() const { return way->reader.readsConstants(); }
  /// Elements along `lane`, `width` of them; null where there is no code.
  mlir::Value emit(KernelBuilder &builder,
                   llvm::ArrayRef<mlir::Value> variables, unsigned lane,
                   unsigned width) const;
  /// Where elements are, if they are read from one tensor as they are.
  const Linear *getPlace() const;
  /// The place of the first row and of the sum's begin.
  mlir::Value emitStart(KernelBuilder &builder,
                        llvm::ArrayRef<mlir::Value> variables) const;
  mlir::Value getMemory(KernelBuilder &builder) const {
    return builder.getRead(way->reader.getOnlyRead());
  }
  /// Whether that is inside of the operand; null where everything is.
  mlir::Value emitIsInside(KernelBuilder &builder,
                           llvm::ArrayRef<mlir::Value> variables) const;
  /// Whether that changes along a dimension.
  bool isBoundedAlong(unsigned dim) const;

private:
  /// A way to all elements, by loops that dimensions consist of: where a tensor
  /// joins others along one, over blocks and inside of them.
  struct Way {
    Way(const KernelBody &body, LoopPlan plan);

    bool find(const Contraction::Operand &operand);
    /// The loop over blocks of a dimension, if it has one, is in front.
    unsigned getInner(unsigned dim) const;
    int64_t getBlock(unsigned dim) const {
      return plan.dims[dim].back().extent;
    }
    Reader::Scope getScope(KernelBuilder &builder,
                           llvm::ArrayRef<mlir::Value> variables) const;

    LoopPlan plan;
    LoopSpace space;
    Reader reader;
    unsigned element = 0;
    llvm::SmallVector<IndexPiece::Bound> bounds;
  };

  const KernelBody &body;
  const Contraction &contraction;
  std::unique_ptr<Way> way;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_PACKEDOPERAND_H
