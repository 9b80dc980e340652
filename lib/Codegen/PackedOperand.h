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
      : space(LoopPlan::get(contraction.extents), getRanges(contraction)),
        reader(body, space) {}

  bool plan(const Contraction::Operand &operand);
  bool allowsVectors(unsigned dim) const {
    return reader.allowsVectors(dim) && !isBoundedAlong(dim);
  }
  bool readsConstants() const;
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
    return builder.getRead(reader.getOnlyRead());
  }
  /// Whether that is inside of the operand; null where everything is.
  mlir::Value emitIsInside(KernelBuilder &builder,
                           llvm::ArrayRef<mlir::Value> variables) const;
  /// Whether that changes along a dimension.
  bool isBoundedAlong(unsigned dim) const;

  static llvm::SmallVector<LoopRange> getRanges(const Contraction &contraction);

private:
  LoopSpace space;
  Reader reader;
  unsigned element = 0;
  llvm::SmallVector<IndexPiece::Bound> bounds;
};

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_PACKEDOPERAND_H
