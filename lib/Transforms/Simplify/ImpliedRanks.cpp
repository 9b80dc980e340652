//===- ImpliedRanks.cpp - Ranks that are not declared ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor without a declared shape has the one rank that what is done with it
// allows: four in front of a Transpose with four numbers, of a convolution with
// weights of rank four, of a Squeeze that makes it three. Nothing about
// operators is known here. Their own inference is asked, one rank after the
// other, and says which ones it refuses.
//
// With any other rank the model has no results, whoever runs it. That holds for
// what is always executed, so operators inside of subgraphs say nothing. Where
// ranks turn out to contradict each other, none is taken.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "inlay/IR/ModuleAttrs.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SetVector.h"

using namespace inlay;
using namespace inlay::simplify;
using namespace mlir;

/// Ranks that are tried. What allows the largest may allow all beyond.
static constexpr int64_t maxTriedRank = 10;

namespace {
class RankInference {
public:
  explicit RankInference(func::FuncOp function) : function(function) {}

  bool run();

private:
  void visit(Operation *op);
  void inferResults(Operation *op);
  void inferOperand(Operation *op, Value operand);
  std::optional<int64_t> findRank(Operation *op, Value operand);
  bool suits(Operation *op);
  bool isAlwaysExecuted(Operation *op) const;
  void setType(Value value, Type type);
  void undo();
  void updateSignature();

  func::FuncOp function;
  llvm::SetVector<Operation *> queue;
  /// What values had before, in the order of the changes.
  SmallVector<std::pair<Value, Type>> before;
  bool isContradictory = false;
  /// Operands that may still be looked at, so that an operator with ten
  /// thousand of them is not asked about each of them again and again.
  uint64_t budget = 1'000'000;
};
} // namespace

static bool isUnranked(Value value) {
  return isa<UnrankedTensorType>(value.getType());
}

static bool touchesUnranked(Operation *op) {
  return llvm::any_of(op->getOperands(), isUnranked) ||
         llvm::any_of(op->getResults(), isUnranked);
}

void RankInference::setType(Value value, Type type) {
  before.emplace_back(value, value.getType());
  value.setType(type);
  if (Operation *producer = value.getDefiningOp())
    queue.insert(producer);
  for (Operation *user : value.getUsers())
    queue.insert(user);
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

/// Ranks of results follow from those of operands. What a subgraph yields, its
/// operation has to take up.
void RankInference::inferResults(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() && op->getParentOp() != function)
    queue.insert(op->getParentOp());
  auto inferable = dyn_cast<TypeInferenceOpInterface>(op);
  if (!inferable)
    return;
  TypeInference inference(op, /*reportErrors=*/false);
  if (failed(inferable.inferTypes(inference))) {
    isContradictory = true;
    return;
  }
  for (auto [result, inferred] :
       llvm::zip_equal(op->getResults(), inference.getTypes())) {
    Type met = meetTypes(result.getType(), inferred);
    isContradictory |= !met;
    if (met && met != result.getType())
      setType(result, met);
  }
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

bool RankInference::isAlwaysExecuted(Operation *op) const {
  return op->getParentOp() == function && op->getNumRegions() == 0 &&
         isa<TypeInferenceOpInterface>(op);
}

/// Whether the operator takes its operands, and gives what its results are.
bool RankInference::suits(Operation *op) {
  TypeInference inference(op, /*reportErrors=*/false);
  budget -= std::min<uint64_t>(budget, 1 + op->getNumOperands());
  return succeeded(cast<TypeInferenceOpInterface>(op).inferTypes(inference)) &&
         llvm::all_of_zip(op->getResultTypes(), inference.getTypes(),
                          [](Type own, Type inferred) {
                            return bool(meetTypes(own, inferred));
                          });
}

static Type getTypeOfRank(Value value, int64_t rank) {
  SmallVector<int64_t> shape(rank, ShapedType::kDynamic);
  return RankedTensorType::get(shape, getElementType(value));
}

/// The only rank of `operand` that suits the operator, if there is one.
std::optional<int64_t> RankInference::findRank(Operation *op, Value operand) {
  Type own = operand.getType();
  SmallVector<int64_t> found;
  for (int64_t rank = 0; rank <= maxTriedRank && found.size() < 2; ++rank) {
    operand.setType(getTypeOfRank(operand, rank));
    if (suits(op))
      found.push_back(rank);
  }
  operand.setType(own);
  bool isOnly = found.size() == 1 && found.front() != maxTriedRank;
  return isOnly && budget != 0 ? std::optional(found.front()) : std::nullopt;
}

void RankInference::inferOperand(Operation *op, Value operand) {
  // The caller may leave an input away that has a default.
  auto argument = dyn_cast<BlockArgument>(operand);
  if (argument &&
      function.getArgAttr(argument.getArgNumber(), attrs::defaultValue))
    return;
  if (std::optional<int64_t> rank = findRank(op, operand))
    setType(operand, getTypeOfRank(operand, *rank));
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void RankInference::visit(Operation *op) {
  inferResults(op);
  if (!isAlwaysExecuted(op))
    return;
  for (Value operand : op->getOperands())
    if (isUnranked(operand) && budget != 0)
      inferOperand(op, operand);
}

void RankInference::undo() {
  for (auto [value, type] : llvm::reverse(before))
    value.setType(type);
}

/// Inputs are written as the model declares them.
void RankInference::updateSignature() {
  for (auto [argument, declared] :
       llvm::zip_equal(function.getArguments(), function.getArgumentTypes()))
    if (argument.getType() != declared)
      function.setArgAttr(argument.getArgNumber(), attrs::declaredType,
                          TypeAttr::get(declared));
  Block &body = function.getBody().front();
  function.setFunctionType(
      FunctionType::get(function.getContext(), body.getArgumentTypes(),
                        body.getTerminator()->getOperandTypes()));
}

bool RankInference::run() {
  function.getBody().walk([&](Operation *op) {
    budget += 1 + op->getNumOperands();
    if (isAlwaysExecuted(op) && touchesUnranked(op))
      queue.insert(op);
  });
  ScopedDiagnosticHandler silence(function.getContext(),
                                  [](Diagnostic &) { return success(); });
  while (!queue.empty() && !isContradictory)
    visit(queue.pop_back_val());
  if (isContradictory)
    undo();
  else if (!before.empty())
    updateSignature();
  return !isContradictory && !before.empty();
}

bool simplify::inferRanks(func::FuncOp function) {
  return RankInference(function).run();
}
