//===- ElementTemplate.cpp - Loops over elements --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over the elements of the results; results of one shape share them.
// Where elements come from different tensors in different parts of the result,
// each part has loops of its own, unless their elements take turns: then
// vectors of all parts are woven into one. The innermost loop is computed in
// vectors and, where it ends, by single elements.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"
#include "Templates.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"

using namespace inlay;
using namespace mlir;

/// Parts of a result that have loops of their own, at most.
static constexpr uint64_t maxPieces = 48;
/// Elements at once: results of several vectors do not wait for one another.
static constexpr unsigned minWidth = 16;
/// How often loops are split and cut.
static constexpr unsigned maxRounds = 64;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

namespace {
/// Loops over a part of the results of one shape.
struct Piece {
  Piece(const KernelBody &body, const LoopPlan &plan,
        ArrayRef<LoopRange> ranges)
      : space(plan, ranges), epilogue(body, space) {}

  LoopSpace space;
  Epilogue epilogue;
  /// Loops that turn more than once, outermost first.
  SmallVector<unsigned> loops;
};
using Pieces = std::vector<std::unique_ptr<Piece>>;
} // namespace

/// The loops of `plan`, or a better plan.
static std::optional<Pieces> tryPlan(const KernelBody &body,
                                     ArrayRef<unsigned> results,
                                     const LoopPlan &plan,
                                     std::optional<LoopPlan> &better) {
  Pieces pieces;
  for (const SmallVector<LoopRange> &ranges : plan.getPieces()) {
    pieces.push_back(std::make_unique<Piece>(body, plan, ranges));
    Piece &piece = *pieces.back();
    for (unsigned result : results)
      if (!piece.epilogue.add(result, piece.space.getIndex()))
        return std::nullopt;
    better = piece.space.getBetterPlan(maxPieces);
    if (better)
      break;
  }
  return pieces;
}

static std::optional<Pieces> planPieces(const KernelBody &body,
                                        ArrayRef<unsigned> results) {
  LoopPlan plan = LoopPlan::get(getExtents(body.yielded[results.front()]));
  std::optional<Pieces> pieces;
  for (unsigned round = 0; round < maxRounds; ++round) {
    std::optional<LoopPlan> better;
    pieces = tryPlan(body, results, plan, better);
    if (!pieces || !better)
      return pieces;
    plan = std::move(*better);
  }
  return std::nullopt;
}

/// Merges loops, but for the outermost of several pieces: all count it alike.
static void mergeLoops(Piece &piece, bool isOnly) {
  for (size_t i = piece.loops.size(); i-- > 1;) {
    bool mayMerge = isOnly || i > 1;
    if (mayMerge && piece.epilogue.merge(piece.loops[i - 1], piece.loops[i]))
      piece.loops.erase(piece.loops.begin() + i - 1);
  }
}

/// The only loop that is not the same in all parts; nothing where there are
/// several.
static std::optional<unsigned> findCutLoop(const Pieces &pieces) {
  std::optional<unsigned> found;
  const LoopSpace &space = pieces.front()->space;
  for (unsigned loop = 0; loop < space.getNumLoops(); ++loop) {
    if (space.getCount(loop) == space.getExtent(loop))
      continue;
    if (found)
      return std::nullopt;
    found = loop;
  }
  return found;
}

/// The loop of one turn in each part that the innermost of the others steps
/// over: an element of each part in turn, as in a shuffle of channels.
static std::optional<unsigned> findWoven(const Pieces &pieces) {
  int64_t count = pieces.size();
  std::optional<unsigned> cut =
      count == 2 || count == 4 ? findCutLoop(pieces) : std::nullopt;
  if (!cut || *cut == 0 || pieces.front()->space.getExtent(*cut) != count)
    return std::nullopt;
  unsigned lane = *cut - 1;
  for (const std::unique_ptr<Piece> &piece : pieces)
    if (!piece->epilogue.isOne() || !piece->space.isLoop(lane) ||
        piece->epilogue.getStride(*cut) != 1 ||
        piece->epilogue.getStride(lane) != count ||
        !piece->epilogue.allowsVectors(lane))
      return std::nullopt;
  return cut;
}

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

namespace {
/// The loops of all results of one shape.
struct Nest {
  Pieces pieces;
  /// Turns of the outermost loop.
  int64_t extent = 1;
  /// The loop that the parts take turns along, if they do.
  std::optional<unsigned> woven;
};
} // namespace

static std::optional<Nest> planNest(const KernelBody &body,
                                    ArrayRef<unsigned> results) {
  Nest nest;
  if (llvm::is_contained(getExtents(body.yielded[results.front()]), 0)) {
    nest.extent = 0;
    return nest;
  }
  std::optional<Pieces> pieces = planPieces(body, results);
  if (!pieces)
    return std::nullopt;
  nest.pieces = std::move(*pieces);
  nest.woven = findWoven(nest.pieces);
  for (std::unique_ptr<Piece> &piece : nest.pieces) {
    for (unsigned loop = 0; loop < piece->space.getNumLoops(); ++loop)
      if (piece->space.isLoop(loop) && nest.woven != loop)
        piece->loops.push_back(loop);
    if (!nest.woven)
      mergeLoops(*piece, nest.pieces.size() == 1);
  }
  const Piece &first = *nest.pieces.front();
  if (!first.loops.empty())
    nest.extent = first.space.getExtent(first.loops.front());
  return nest;
}

static std::optional<std::vector<Nest>> planNests(const KernelBody &body) {
  llvm::MapVector<ArrayRef<int64_t>, SmallVector<unsigned>> byShape;
  for (auto [i, value] : llvm::enumerate(body.yielded)) {
    if (!hasCodeType(value))
      return std::nullopt;
    byShape[getExtents(value)].push_back(i);
  }
  std::vector<Nest> nests;
  for (auto &[shape, results] : byShape) {
    std::optional<Nest> nest = planNest(body, results);
    if (!nest)
      return std::nullopt;
    nests.push_back(std::move(*nest));
  }
  return nests;
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

/// As many elements at once as there are; one where they are not alike.
static unsigned chooseWidth(const Piece &piece, unsigned loop, unsigned lanes) {
  if (!piece.epilogue.allowsVectors(loop))
    return 1;
  unsigned width = std::max(lanes, minWidth);
  while (width > piece.space.getCount(loop))
    width /= 2;
  return std::max(width, 1u);
}

static bool emitInner(KernelBuilder &builder, const Piece &piece,
                      const Reader::Scope &scope, Value from, Value to,
                      unsigned lanes) {
  unsigned lane = piece.loops.back();
  bool hasCode = true;
  builder.loopInVectors(from, to, chooseWidth(piece, lane, lanes),
                        [&](Value count, unsigned width) {
                          Reader::Scope inner = scope;
                          inner.variables[lane] = count;
                          inner.lane = lane;
                          inner.width = width;
                          hasCode =
                              hasCode && piece.epilogue.emit(builder, inner);
                        });
  return hasCode;
}

/// What one element is, in a loop that turns once in one of the parts.
static bool emitOnly(KernelBuilder &builder, const Piece &piece,
                     Reader::Scope &scope, Value begin, Value end) {
  bool hasCode = true;
  builder.loop(begin, end, 1,
               [&](Value) { hasCode = piece.epilogue.emit(builder, scope); });
  return hasCode;
}

namespace {
/// Where a loop begins and ends.
struct LoopBounds {
  Value from, to;
};
} // namespace

/// The bounds of a loop, the outermost of which ends where a thread's part
/// does.
static LoopBounds getBounds(KernelBuilder &builder, const Piece &piece,
                            unsigned loop, Value begin, Value end) {
  LoopRange range = piece.space[loop].range;
  Value from = builder.number(range.low), to = builder.number(range.high + 1);
  if (loop != piece.loops.front())
    return {from, to};
  from = builder.max(begin, from);
  return {from, builder.max(from, builder.min(end, to))};
}

static bool emitPiece(KernelBuilder &builder, const Piece &piece, Value begin,
                      Value end, unsigned lanes) {
  OpBuilder::InsertionGuard guard(builder.getBuilder());
  const Reader &reader = piece.epilogue.getReader();
  Reader::Scope scope = reader.getScope();
  if (piece.loops.empty())
    return emitOnly(builder, piece, scope, begin, end);
  ArrayRef<unsigned> inner = piece.loops;
  LoopBounds bounds;
  for (unsigned loop : piece.loops) {
    if (!reader.emit(builder, scope, inner))
      return false;
    bounds = getBounds(builder, piece, loop, begin, end);
    if (loop != piece.loops.back())
      builder.enterLoop(bounds.from, bounds.to, scope.variables[loop]);
    inner = inner.drop_front();
  }
  return emitInner(builder, piece, scope, bounds.from, bounds.to, lanes);
}

//===----------------------------------------------------------------------===//
// Parts that are woven
//===----------------------------------------------------------------------===//

/// An element of each in turn.
static Value weave(KernelBuilder &builder, ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  SmallVector<Value> even, odd;
  for (auto [i, part] : llvm::enumerate(parts))
    (i % 2 == 0 ? even : odd).push_back(part);
  Value first = weave(builder, even), second = weave(builder, odd);
  int64_t width = cast<VectorType>(first.getType()).getNumElements();
  SmallVector<int64_t> places;
  for (int64_t i = 0; i < width; ++i)
    places.append({i, width + i});
  return builder.create<vector::ShuffleOp>(first, second, places);
}

/// Elements of all parts, as many at once as lie side by side.
static bool emitTogether(KernelBuilder &builder, const Nest &nest,
                         ArrayRef<Reader::Scope> scopes, Value count,
                         unsigned width) {
  SmallVector<Value> parts;
  std::optional<Epilogue::Place> first;
  for (auto [piece, outer] : llvm::zip_equal(nest.pieces, scopes)) {
    Reader::Scope scope = outer;
    scope.lane = piece->loops.back();
    scope.variables[scope.lane] = count;
    scope.width = width;
    if (width == 1) {
      if (!piece->epilogue.emit(builder, scope))
        return false;
      continue;
    }
    auto place = piece->epilogue.emitOne(builder, scope);
    if (!place)
      return false;
    parts.push_back(place->elements);
    if (!first)
      first = place;
  }
  if (first)
    builder.store(weave(builder, parts), first->result, first->offset,
                  /*stride=*/1);
  return true;
}

/// The loops of all parts are the same but for the one that they take turns
/// along.
static bool emitWoven(KernelBuilder &builder, const Nest &nest, Value begin,
                      Value end, unsigned lanes) {
  OpBuilder::InsertionGuard guard(builder.getBuilder());
  const Piece &first = *nest.pieces.front();
  unsigned lane = first.loops.back(), width = ~0u;
  SmallVector<Reader::Scope> scopes;
  for (auto [i, piece] : llvm::enumerate(nest.pieces)) {
    scopes.push_back(piece->epilogue.getReader().getScope());
    scopes.back().variables[*nest.woven] = builder.number(i);
    width = std::min(width, chooseWidth(*piece, lane, lanes));
  }
  ArrayRef<unsigned> inner = first.loops;
  LoopBounds bounds;
  for (unsigned loop : first.loops) {
    for (auto [piece, scope] : llvm::zip_equal(nest.pieces, scopes))
      if (!piece->epilogue.getReader().emit(builder, scope, inner))
        return false;
    bounds = getBounds(builder, first, loop, begin, end);
    if (loop != lane) {
      Value count;
      builder.enterLoop(bounds.from, bounds.to, count);
      for (Reader::Scope &scope : scopes)
        scope.variables[loop] = count;
    }
    inner = inner.drop_front();
  }
  bool hasCode = true;
  builder.loopInVectors(
      bounds.from, bounds.to, width, [&](Value count, unsigned own) {
        hasCode = hasCode && emitTogether(builder, nest, scopes, count, own);
      });
  return hasCode;
}

static bool emitNest(KernelBuilder &builder, const Nest &nest, Value begin,
                     Value end, unsigned lanes) {
  if (nest.woven)
    return emitWoven(builder, nest, begin, end, lanes);
  return llvm::all_of(nest.pieces, [&](const std::unique_ptr<Piece> &piece) {
    return emitPiece(builder, *piece, begin, end, lanes);
  });
}

/// The part of a loop of `own` turns that belongs to a part of one of `all`.
static Value scale(KernelBuilder &builder, Value count, int64_t own,
                   int64_t all) {
  if (own == all)
    return count;
  return builder.create<arith::DivUIOp>(builder.mul(count, own),
                                        builder.number(all));
}

std::optional<TemplateLoops> inlay::emitElements(const KernelBody &body,
                                                 const TemplateTarget &target) {
  std::optional<std::vector<Nest>> nests = planNests(body);
  if (!nests || nests->empty())
    return std::nullopt;
  int64_t extent = 0;
  for (const Nest &nest : *nests)
    extent = std::max(extent, nest.extent);
  KernelBuilder builder(target.module, target.name, body);
  builder.setAhead({target.unit.elementsAhead, target.unit.elementsAhead});
  for (const Nest &nest : *nests) {
    Value begin = scale(builder, builder.getBegin(), nest.extent, extent);
    Value end = scale(builder, builder.getEnd(), nest.extent, extent);
    if (!emitNest(builder, nest, begin, end, target.unit.lanes)) {
      builder.discard();
      return std::nullopt;
    }
  }
  return extent;
}
