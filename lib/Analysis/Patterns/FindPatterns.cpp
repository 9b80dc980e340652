//===- FindPatterns.cpp - Operators that runtimes fuse --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/Patterns/FindPatterns.h"
#include "inlay/Analysis/Patterns/Arrangement.h"
#include "inlay/Analysis/Patterns/AttentionScores.h"
#include "inlay/Analysis/Patterns/AxisNormalization.h"
#include "inlay/Analysis/Patterns/Gelu.h"
#include "inlay/Analysis/Patterns/Match.h"
#include "inlay/IR/Groups.h"

using namespace inlay;
using namespace inlay::patterns;
using namespace mlir;

namespace {
/// Visits operations from the last to the first, so that what ends later is
/// found first.
class PatternFinder {
public:
  explicit PatternFinder(ArrayRef<PatternKind> kinds) : kinds(kinds) {}

  std::vector<OpPattern> run(func::FuncOp func);

private:
  void visit(Operation *op);
  bool findNormalization(Operation *root);
  void findGelu(Operation *root);
  void findAttention(MatMulOp root);
  void findActivation(ConvOp conv);

  bool add(PatternKind kind, ArrayRef<Operation *> ops);

  bool isWanted(PatternKind kind) const {
    return llvm::is_contained(kinds, kind);
  }

  ArrayRef<PatternKind> kinds;
  llvm::DenseSet<Operation *> taken;
  std::vector<OpPattern> patterns;
};
} // namespace

bool PatternFinder::add(PatternKind kind, ArrayRef<Operation *> ops) {
  if (llvm::any_of(ops, [&](Operation *op) { return taken.contains(op); }))
    return false;
  taken.insert(ops.begin(), ops.end());
  patterns.push_back({kind, SmallVector<Operation *>(ops), {}});
  return true;
}

/// The only user of what `op` gives, next to it, if it is an OpT.
template <typename OpT> static OpT getOnlyUser(Operation *op) {
  Value result = op->getResult(0);
  auto user =
      result.hasOneUse() ? dyn_cast<OpT>(*result.user_begin()) : nullptr;
  return user && user->getBlock() == op->getBlock() ? user : nullptr;
}

/// The OpT behind the normalisation that gives it a parameter, or null.
template <typename OpT>
static Operation *findParameter(const AxisNormalization &found) {
  Operation *last = found.ops.front();
  OpT user = getOnlyUser<OpT>(last);
  if (!user || !areAlike(user, found.x))
    return nullptr;
  Value parameter =
      user->getOperand(user->getOperand(0) == last->getResult(0) ? 1 : 0);
  return isParameter(parameter, found.x, found.dims) ? user.getOperation()
                                                     : nullptr;
}

bool PatternFinder::findNormalization(Operation *root) {
  MatchReason why;
  std::optional<AxisNormalization> found = isa<AddOp>(root)
                                               ? readShiftedLayerNorm(root, why)
                                               : readLayerNorm(root, why);
  if (!found && !isa<AddOp>(root))
    found = readRmsNorm(root, why);
  if (!found)
    return false;
  SmallVector<Operation *> ops = found->ops;
  if (Operation *scale = found->scale ? nullptr : findParameter<MulOp>(*found))
    found->ops.insert(found->ops.begin(), scale);
  if (Operation *bias = found->bias ? nullptr : findParameter<AddOp>(*found))
    found->ops.insert(found->ops.begin(), bias);
  return add(PatternKind::LayerNorm, found->ops) ||
         add(PatternKind::LayerNorm, ops);
}

void PatternFinder::findGelu(Operation *root) {
  MatchReason why;
  Value x = readGelu(root, why);
  if (!x)
    x = readGeluTanh(root, why);
  auto ops = x ? getLeftSide(root, x) : std::nullopt;
  if (ops)
    add(PatternKind::Gelu, *ops);
}

/// What the elements of a query, key or value are moved from.
static Value findBase(Value value) {
  if (!getShape(value))
    return value;
  Arrangement at(value);
  while (at.step({/*scales=*/true, /*repeats=*/true}))
    ;
  return at.getBase();
}

void PatternFinder::findAttention(MatMulOp root) {
  std::optional<AttentionScores> scores = readScores(root);
  if (!scores || !add(PatternKind::Attention, scores->ops))
    return;
  MatMulOp product = scores->product;
  for (Value operand : {product.getA(), product.getB(), root.getB()})
    patterns.back().ends.push_back(findBase(operand));
  if (auto behind = getOnlyUser<TransposeOp>(root))
    patterns.back().ends.push_back(behind.getResult());
}

/// An operator on each element, of which the rest is constant.
static bool isActivation(Operation *op) {
  auto fusion = dyn_cast<FusionOpInterface>(op);
  return fusion && fusion.getFusionClass() == FusionClass::Elementwise &&
         (op->getNumOperands() == 1 || isa<ClipOp>(op)) &&
         op->getNumResults() == 1 &&
         areAlike(op->getResult(0), op->getOperand(0));
}

void PatternFinder::findActivation(ConvOp conv) {
  Operation *user = getOnlyUser<Operation *>(conv);
  if (user && isActivation(user) && user->getOperand(0) == conv.getResult())
    add(PatternKind::ConvActivation, {user, conv});
}

void PatternFinder::visit(Operation *op) {
  if (taken.contains(op))
    return;
  bool isArithmetic = isa<MulOp, DivOp, AddOp>(op);
  if (isArithmetic && isWanted(PatternKind::LayerNorm) && findNormalization(op))
    return;
  if (isArithmetic && isWanted(PatternKind::Gelu))
    findGelu(op);
  if (auto product = dyn_cast<MatMulOp>(op);
      product && isWanted(PatternKind::Attention))
    findAttention(product);
  if (auto conv = dyn_cast<ConvOp>(op);
      conv && isWanted(PatternKind::ConvActivation))
    findActivation(conv);
}

std::vector<OpPattern> PatternFinder::run(func::FuncOp func) {
  std::vector<Operation *> order;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    order.push_back(op);
    return isFinished(op) ? WalkResult::skip() : WalkResult::advance();
  });
  for (Operation *op : llvm::reverse(order))
    visit(op);
  return std::move(patterns);
}

std::vector<OpPattern> inlay::findPatterns(func::FuncOp func,
                                           ArrayRef<PatternKind> kinds) {
  return PatternFinder(kinds).run(func);
}
