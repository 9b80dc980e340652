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

/// Elements of a block, where a dimension has blocks: whole vectors.
static constexpr int64_t minBlock = 16;

PackedOperand::Way::Way(const KernelBody &body, LoopPlan own)
    : plan(std::move(own)), space(plan), reader(body, space) {}

unsigned PackedOperand::Way::getInner(unsigned dim) const {
  unsigned next = 0;
  for (const auto &loops : ArrayRef(plan.dims).take_front(dim + 1))
    next += loops.size();
  return next - 1;
}

/// A sum over dimensions as one over loops.
static Linear translate(const Linear &place, const LoopIndex &dims) {
  Linear own = Linear::number(place.constant);
  for (auto [dim, factor] : place.terms)
    own = own + dims[dim] * factor;
  return own;
}

/// Outside of the operand any element of it is read, and thrown away.
bool PackedOperand::Way::find(const Contraction::Operand &operand) {
  LoopIndex index, dims = space.getIndex();
  for (const Linear &place : operand.index)
    index.push_back(translate(place, dims));
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

bool PackedOperand::plan(const Contraction::Operand &operand) {
  way = std::make_unique<Way>(body, LoopPlan::get(contraction.extents));
  if (!way->find(operand))
    return false;
  while (auto better = way->space.getPlanOfBlocks(minBlock)) {
    auto other = std::make_unique<Way>(body, std::move(*better));
    if (!other->find(operand))
      break;
    way = std::move(other);
  }
  return true;
}

bool PackedOperand::allowsVectors(unsigned dim) const {
  bool areWhole =
      way->plan.dims[dim].size() == 1 || way->getBlock(dim) % minBlock == 0;
  return areWhole && way->reader.allowsVectors(way->getInner(dim)) &&
         !isBoundedAlong(dim);
}

bool PackedOperand::isDenseAlong(unsigned dim) const {
  return allowsVectors(dim) &&
         llvm::all_of(way->reader.getForms(), [&](const Linear *place) {
           int64_t step = way->space.getStep(*place, way->getInner(dim));
           return step == 0 || step == 1;
         });
}

const Linear *PackedOperand::getPlace() const {
  const Linear *only =
      way->bounds.empty() ? way->reader.getOnlyLoad() : nullptr;
  // What was divided may have been put together again.
  unsigned numDims = contraction.extents.size();
  bool isSum = only && way->space.getNumLoops() == numDims &&
               llvm::all_of(only->terms, [&](const auto &term) {
                 return term.first < numDims;
               });
  return isSum ? only : nullptr;
}

/// Which block of a dimension, and where in it.
Reader::Scope PackedOperand::Way::getScope(KernelBuilder &builder,
                                           ArrayRef<Value> variables) const {
  Reader::Scope scope = reader.getScope();
  for (auto [dim, value] : llvm::enumerate(variables)) {
    unsigned inner = getInner(dim);
    scope.variables[inner] = value;
    if (plan.dims[dim].size() == 1)
      continue;
    Value size = builder.number(getBlock(dim));
    scope.variables[inner - 1] = builder.create<arith::DivUIOp>(value, size);
    scope.variables[inner] = builder.create<arith::RemUIOp>(value, size);
  }
  return scope;
}

Value PackedOperand::emitStart(KernelBuilder &builder,
                               ArrayRef<Value> variables) const {
  Reader::Scope scope = way->getScope(builder, variables);
  return way->reader.emit(builder, scope, *way->reader.getOnlyLoad());
}

Value PackedOperand::emit(KernelBuilder &builder, ArrayRef<Value> variables,
                          unsigned lane, unsigned width) const {
  Reader::Scope scope = way->getScope(builder, variables);
  scope.lane = lane == ~0u ? lane : way->getInner(lane);
  scope.width = width;
  if (!way->reader.emit(builder, scope))
    return {};
  return builder.spread(scope.elements[way->element], width);
}

Value PackedOperand::emitIsInside(KernelBuilder &builder,
                                  ArrayRef<Value> variables) const {
  Reader::Scope scope = way->getScope(builder, variables);
  Value isInside;
  for (const auto &[place, range] : way->bounds) {
    Value at = way->reader.emit(builder, scope, place);
    Value own = builder.create<arith::CmpIOp>(arith::CmpIPredicate::ule, at,
                                              builder.number(range.high));
    isInside = isInside ? builder.create<arith::AndIOp>(isInside, own) : own;
  }
  return isInside;
}

bool PackedOperand::isBoundedAlong(unsigned dim) const {
  return llvm::any_of(way->bounds, [&](const IndexPiece::Bound &bound) {
    unsigned inner = way->getInner(dim);
    bool hasBlocks = way->plan.dims[dim].size() > 1;
    return bound.value.getFactor(inner) != 0 ||
           (hasBlocks && bound.value.getFactor(inner - 1) != 0);
  });
}
