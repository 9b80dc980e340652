//===- PackedOperand.cpp - An operand of a contraction --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedOperand.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace inlay;
using namespace mlir;

SmallVector<LoopRange>
PackedOperand::getRanges(const Contraction &contraction) {
  SmallVector<LoopRange> ranges;
  for (int64_t extent : contraction.extents)
    ranges.push_back({0, extent - 1});
  return ranges;
}

/// Outside of the operand any element of it is read, and thrown away.
bool PackedOperand::plan(const Contraction::Operand &operand) {
  LoopIndex index = operand.index;
  for (auto [place, extent] :
       llvm::zip_equal(index, getExtents(operand.value))) {
    LoopRange all = {0, extent - 1}, own = space.getRange(place);
    if (own.low >= all.low && own.high <= all.high)
      continue;
    bounds.push_back({place, all});
    place = space.keepWithin(place, all);
  }
  std::optional<unsigned> wanted = reader.want(operand.value, index);
  element = wanted.value_or(0);
  return wanted.has_value();
}

const Linear *PackedOperand::getPlace() const {
  const Linear *only = bounds.empty() ? reader.getOnlyLoad() : nullptr;
  // What was divided may have been put together again.
  bool isSum = only && llvm::all_of(only->terms, [&](const auto &term) {
                 return term.first < space.getNumLoops();
               });
  return isSum ? only : nullptr;
}

Value PackedOperand::emitStart(KernelBuilder &builder,
                               ArrayRef<Value> variables) const {
  Reader::Scope scope = reader.getScope();
  llvm::copy(variables, scope.variables.begin());
  return reader.emit(builder, scope, *reader.getOnlyLoad());
}

bool PackedOperand::readsConstants() const { return reader.readsConstants(); }

Value PackedOperand::emit(KernelBuilder &builder, ArrayRef<Value> variables,
                          unsigned lane, unsigned width) const {
  Reader::Scope scope = reader.getScope();
  llvm::copy(variables, scope.variables.begin());
  scope.lane = lane;
  scope.width = width;
  if (!reader.emit(builder, scope))
    return {};
  return builder.spread(scope.elements[element], width);
}

Value PackedOperand::emitIsInside(KernelBuilder &builder,
                                  ArrayRef<Value> variables) const {
  Reader::Scope scope = reader.getScope();
  llvm::copy(variables, scope.variables.begin());
  Value isInside;
  for (const auto &[place, range] : bounds) {
    Value at = reader.emit(builder, scope, place);
    Value own = builder.create<arith::CmpIOp>(arith::CmpIPredicate::ule, at,
                                              builder.number(range.high));
    isInside = isInside ? builder.create<arith::AndIOp>(isInside, own) : own;
  }
  return isInside;
}

bool PackedOperand::isBoundedAlong(unsigned dim) const {
  return llvm::any_of(bounds, [&](const IndexPiece::Bound &bound) {
    return bound.value.getFactor(dim) != 0;
  });
}
