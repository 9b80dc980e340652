//===- AttentionScores.cpp - What stands between two products -------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/Patterns/AttentionScores.h"
#include "inlay/Analysis/Patterns/Match.h"

using namespace inlay;
using namespace inlay::patterns;
using namespace mlir;

/// Operations that a reader looks at; more is no attention.
static constexpr unsigned maxSteps = 32;

namespace {
/// Reads from the product with the value backwards, one operation at a time.
/// Each method says whether it has read one.
class ScoreReader {
public:
  std::optional<AttentionScores> read(MatMulOp root);

private:
  bool readWeights(MatMulOp root);
  bool readScores();

  bool readGuard(WhereOp op);
  bool readCastBehind(CastOp op, Type element);
  bool readSoftmax(SoftmaxOp op);

  bool readCast(CastOp op);
  bool readScale(Operation *op);
  bool readCap(TanhOp op);
  bool readSum(AddOp op);
  bool readChoice(WhereOp op);
  bool readView(Operation *op);
  bool read(Operation *op);

  /// Moves on to what is read next.
  bool follow(Operation *op, Value next) {
    scores.ops.push_back(op);
    at = next;
    return true;
  }
  bool addMask(ScoreMask mask);

  AttentionScores scores;
  Value at;
};
} // namespace

//===----------------------------------------------------------------------===//
// Behind the softmax
//===----------------------------------------------------------------------===//

/// where(isnan(w), 0, w) = w without NaN
bool ScoreReader::readGuard(WhereOp op) {
  auto isNaN = op.getCondition().getDefiningOp<IsNaNOp>();
  if (!isNaN || isNaN.getInput() != op.getY() || getScalar(op.getX()) != 0.0 ||
      !isNaN->hasOneUse() || !areAlike(op.getY(), op) ||
      llvm::range_size(op.getY().getUses()) != 2)
    return false;
  scores.nanToZero = true;
  scores.ops.append({op, isNaN});
  at = op.getY();
  return true;
}

/// The weights are converted back to the type of the product.
bool ScoreReader::readCastBehind(CastOp op, Type element) {
  if (scores.softmaxType || getElementType(op.getResult()) != element)
    return false;
  scores.softmaxType = getElementType(op.getInput());
  return follow(op, op.getInput());
}

bool ScoreReader::readSoftmax(SoftmaxOp op) {
  std::optional<int64_t> rank = getRank(op.getInput());
  if (!rank || normalizeAxis(op.getAxis(), *rank) != *rank - 1)
    return false;
  return follow(op, op.getInput());
}

bool ScoreReader::readWeights(MatMulOp root) {
  at = root.getA();
  Type element = getElementType(root.getResult());
  for (unsigned i = 0; i != maxSteps; ++i) {
    Operation *op = at.getDefiningOp();
    // What a guard reads twice was counted there.
    bool isGuarded = !scores.ops.empty() && isa<IsNaNOp>(scores.ops.back());
    if (!op || op->getBlock() != root->getBlock() ||
        (!isGuarded && !at.hasOneUse()))
      return false;
    if (auto softmax = dyn_cast<SoftmaxOp>(op))
      return readSoftmax(softmax);
    auto where = dyn_cast<WhereOp>(op);
    auto cast = dyn_cast<CastOp>(op);
    if (!(where && readGuard(where)) &&
        !(cast && readCastBehind(cast, element)))
      return false;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// In front of the softmax
//===----------------------------------------------------------------------===//

/// The softmax is computed in another type, and nothing else.
bool ScoreReader::readCast(CastOp op) {
  bool isFirst = isa<SoftmaxOp>(scores.ops.back());
  if (!isFirst || getElementType(op.getResult()) != scores.softmaxType)
    return false;
  return follow(op, op.getInput());
}

bool ScoreReader::readScale(Operation *op) {
  bool isDivision = isa<DivOp>(op);
  for (unsigned i : {1, 0}) {
    std::optional<double> factor = getScalarOperand(op, i);
    if (!factor || (isDivision && i == 0))
      continue;
    scores.scale *= isDivision ? 1 / *factor : *factor;
    return follow(op, op->getOperand(1 - i));
  }
  return false;
}

/// c * tanh(x / c)
bool ScoreReader::readCap(TanhOp op) {
  if (scores.softcap != 0 || !(scores.scale > 0))
    return false;
  scores.softcap = scores.scale;
  scores.scale = 1;
  return follow(op, op.getInput());
}

/// Whether a product with a matrix lies behind the value, in what can be read.
static bool leadsToProduct(Value value) {
  SmallVector<Value> work{value};
  for (unsigned i = 0; i != maxSteps && !work.empty(); ++i) {
    Operation *op = work.pop_back_val().getDefiningOp();
    if (!op)
      continue;
    if (isa<MatMulOp>(op))
      return true;
    auto fusion = dyn_cast<FusionOpInterface>(op);
    bool isView = fusion && fusion.getFusionClass() == FusionClass::View;
    if (isView || isa<AddOp, MulOp, DivOp, TanhOp, CastOp, WhereOp>(op))
      llvm::append_range(work, op->getOperands());
  }
  return false;
}

bool ScoreReader::addMask(ScoreMask mask) {
  // What is scaled or capped again would have to be in the mask, too.
  if (scores.scale != 1 || scores.softcap != 0)
    return false;
  mask.shape = *getShape(at);
  scores.masks.push_back(std::move(mask));
  return true;
}

bool ScoreReader::readSum(AddOp op) {
  for (unsigned i : {0, 1}) {
    Value next = op->getOperand(i);
    if (areAlike(next, op) && leadsToProduct(next))
      return addMask({op->getOperand(1 - i), {}, std::nullopt, true}) &&
             follow(op, next);
  }
  return false;
}

bool ScoreReader::readChoice(WhereOp op) {
  for (bool shows : {true, false}) {
    Value next = shows ? op.getX() : op.getY();
    std::optional<double> hidden = getScalar(shows ? op.getY() : op.getX());
    if (hidden && areAlike(next, op))
      return addMask({op.getCondition(), {}, hidden, shows}) &&
             follow(op, next);
  }
  return false;
}

static SmallVector<int64_t> withoutUnits(SmallVector<int64_t> shape) {
  llvm::erase(shape, 1);
  return shape;
}

/// Dimensions of one element that come and go.
bool ScoreReader::readView(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  if (!fusion || fusion.getFusionClass() != FusionClass::View)
    return false;
  MaybeShape from = getShape(op->getOperand(0)), to = getShape(at);
  if (!from || llvm::any_of(*from, ShapedType::isDynamic) ||
      withoutUnits(*from) != withoutUnits(*to))
    return false;
  return follow(op, op->getOperand(0));
}

bool ScoreReader::read(Operation *op) {
  if (auto cast = dyn_cast<CastOp>(op))
    return readCast(cast);
  if (isa<MulOp, DivOp>(op))
    return readScale(op);
  if (auto tanh = dyn_cast<TanhOp>(op))
    return readCap(tanh);
  if (auto add = dyn_cast<AddOp>(op))
    return readSum(add);
  if (auto where = dyn_cast<WhereOp>(op))
    return readChoice(where);
  return readView(op);
}

bool ScoreReader::readScores() {
  for (unsigned i = 0; i != maxSteps; ++i) {
    Operation *op = at.getDefiningOp();
    if (!op || op->getBlock() != scores.ops.front()->getBlock() ||
        !at.hasOneUse() || !getShape(at))
      return false;
    if (auto product = dyn_cast<MatMulOp>(op)) {
      scores.product = product;
      scores.ops.push_back(op);
      return true;
    }
    if (!read(op))
      return false;
  }
  return false;
}

std::optional<AttentionScores> ScoreReader::read(MatMulOp root) {
  scores.ops.push_back(root);
  if (!readWeights(root) || !readScores())
    return std::nullopt;
  // A conversion behind the softmax needs one in front of it.
  Type element = getElementType(scores.product.getResult());
  if (element != getElementType(root.getResult()))
    return std::nullopt;
  bool isConverted = llvm::count_if(scores.ops, [](Operation *op) {
                       return isa<CastOp>(op);
                     }) == 2;
  if (scores.softmaxType && !isConverted)
    return std::nullopt;
  if (scores.softcap != 0)
    scores.scale *= scores.softcap;
  return scores;
}

std::optional<AttentionScores> patterns::readScores(MatMulOp root) {
  return ScoreReader().read(root);
}
