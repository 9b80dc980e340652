//===- ConstantFolding.cpp - Computing what is known ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//  1. Find what can be computed, from types (Computable.h).
//  2. Choose what becomes a constant, from sizes (FoldPlan.h).
//  3. Compute that, in program order, and forget a value after its last use.
//     What fails is left as it is, and 1 starts anew without it.
//  4. Put constants in place of the chosen values.
//
//===----------------------------------------------------------------------===//

#include "FoldPlan.h"
#include "Steps.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/StoredConstants.h"
#include "inlay/Support/Cancellation.h"

using namespace inlay;
using namespace inlay::simplify;
using namespace mlir;

namespace {
/// Computes the chosen operations and what they need.
class Computation {
public:
  explicit Computation(const Computable &computable) : computable(computable) {}

  /// Operations that could not be computed; none when all went well.
  SmallVector<Operation *> run(ArrayRef<Operation *> chosen);
  /// The constant for a result that is needed.
  TypedAttr getConstant(OpResult result);

private:
  void findWanted(ArrayRef<Operation *> chosen);
  bool compute(Operation *op);
  bool refer(Operation *op);
  bool evaluate(Operation *op);
  Attribute getAttr(Value value) const;
  std::optional<HostTensor> getTensor(Value value) const;
  void release(Operation *op);

  const Computable &computable;
  llvm::DenseSet<Operation *> wanted, isChosen;
  /// How many wanted operations have yet to read a value.
  llvm::DenseMap<Value, unsigned> numReaders;
  llvm::DenseMap<Value, HostTensor> tensors;
  /// Values that are weights in another order or shape, by reference.
  llvm::DenseMap<Value, TypedAttr> references;
  uint64_t liveBytes = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Attribute Computation::getAttr(Value value) const {
  if (TypedAttr reference = references.lookup(value))
    return reference;
  return getConstantValue(value);
}

std::optional<HostTensor> Computation::getTensor(Value value) const {
  if (auto it = tensors.find(value); it != tensors.end())
    return it->second;
  if (const HostTensor *tensor = computable.lookup(value))
    return *tensor;
  Attribute constant = getAttr(value);
  if (!constant)
    return std::nullopt;
  auto tensor = getHostTensor(constant);
  if (!tensor) {
    llvm::consumeError(tensor.takeError());
    return std::nullopt;
  }
  return *tensor;
}

TypedAttr Computation::getConstant(OpResult result) {
  if (TypedAttr reference = references.lookup(result))
    return reference;
  return getConstantAttr(result.getContext(), *getTensor(result));
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

static bool isExtent(const Computable &computable, Operation *op) {
  return op->getNumResults() == 1 && computable.lookup(op->getResult(0));
}

void Computation::findWanted(ArrayRef<Operation *> chosen) {
  isChosen.insert(chosen.begin(), chosen.end());
  wanted = isChosen;
  for (Operation *op : llvm::reverse(computable.getOperations())) {
    if (!wanted.contains(op) || isExtent(computable, op))
      continue;
    for (Value operand : op->getOperands()) {
      ++numReaders[operand];
      if (Operation *producer = operand.getDefiningOp();
          computable.contains(producer))
        wanted.insert(producer);
    }
  }
}

/// A large weight in another shape or order need not be copied.
bool Computation::refer(Operation *op) {
  Attribute value =
      op->getNumOperands() == 0 ? Attribute() : getAttr(op->getOperand(0));
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!value || !type || getByteSize(value) <= maxInlineBytes)
    return false;
  TypedAttr reference;
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    AtomSequence order;
    for (int64_t dim : transpose.getPermutation())
      order.push_back({unsigned(dim)});
    auto layout = Layout::getUnnamed(LayoutClass::Tensor, std::move(order));
    if (layout)
      reference = getStoredAttr(value, *layout, type.getShape());
    else
      llvm::consumeError(layout.takeError());
  } else if (cast<FusionOpInterface>(op).getFusionClass() ==
             FusionClass::View) {
    reference = getView(value, type);
  }
  if (!reference || reference.getType() != type)
    return false;
  references[op->getResult(0)] = reference;
  return true;
}

bool Computation::evaluate(Operation *op) {
  SmallVector<HostTensor> operands;
  for (Value operand : op->getOperands()) {
    std::optional<HostTensor> tensor = getTensor(operand);
    if (!tensor)
      return false;
    operands.push_back(std::move(*tensor));
  }
  Evaluation evaluation(op, operands);
  if (llvm::Error error = cast<EvaluateOpInterface>(op).evaluate(evaluation)) {
    llvm::consumeError(std::move(error));
    return false;
  }
  for (auto [result, tensor] :
       llvm::zip_equal(op->getResults(), evaluation.getResults())) {
    if (!tensor && !result.use_empty())
      return false;
    if (!tensor)
      continue;
    liveBytes += tensor.getBytes().size();
    tensors[result] = tensor;
  }
  return liveBytes <= 2 * maxLiveBytes;
}

bool Computation::compute(Operation *op) {
  return isExtent(computable, op) || refer(op) || evaluate(op);
}

/// Forgets the operands that nothing else will read.
void Computation::release(Operation *op) {
  for (Value operand : op->getOperands()) {
    if (--numReaders[operand] != 0 ||
        isChosen.contains(operand.getDefiningOp()))
      continue;
    auto it = tensors.find(operand);
    if (it == tensors.end())
      continue;
    liveBytes -= it->second.getBytes().size();
    tensors.erase(it);
  }
}

SmallVector<Operation *> Computation::run(ArrayRef<Operation *> chosen) {
  findWanted(chosen);
  SmallVector<Operation *> failed;
  llvm::DenseSet<Operation *> unknown;
  for (Operation *op : computable.getOperations()) {
    if (isCancelled())
      break;
    if (!wanted.contains(op))
      continue;
    bool isKnown = isExtent(computable, op) ||
                   llvm::none_of(op->getOperands(), [&](Value operand) {
                     return unknown.contains(operand.getDefiningOp());
                   });
    if (!isKnown || !compute(op))
      unknown.insert(op);
    if (isKnown && unknown.contains(op))
      failed.push_back(op);
    if (!isExtent(computable, op))
      release(op);
  }
  return failed;
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

static void materialize(OpResult result, TypedAttr value) {
  Operation *op = result.getOwner();
  OpBuilder builder(getOutsideGroups(op));
  // The constant is the node from now on; it bears the node's name.
  Location loc = op->getNumResults() == 1
                     ? op->getLoc()
                     : Location(UnknownLoc::get(op->getContext()));
  auto constant = builder.create<ConstantOp>(loc, value.getType(), value);
  result.replaceAllUsesWith(constant.getResult());
}

static void replace(ArrayRef<Operation *> chosen, const FoldPlan &plan,
                    Computation &computation) {
  for (Operation *op : chosen) {
    for (OpResult result : op->getResults())
      if (plan.isNeeded(result))
        materialize(result, computation.getConstant(result));
    // A single result's constant has taken over the origin.
    if (op->getNumResults() == 1)
      op->setLoc(UnknownLoc::get(op->getContext()));
  }
}

int64_t State::getGrowth(func::FuncOp function) const {
  return int64_t(maxBytes - otherBytes - estimateFileBytes(function));
}

bool simplify::foldConstants(func::FuncOp function, State &state) {
  SmallVector<Operation *, 0> order = getProgramOrder(function.getBody());
  llvm::DenseSet<Operation *> excluded;
  while (true) {
    Computable computable(order, excluded);
    if (computable.getOperations().empty())
      return false;
    FoldPlan plan(computable, state.getGrowth(function));
    SmallVector<Operation *, 0> chosen = plan.getChosen();
    Computation computation(computable);
    SmallVector<Operation *> failed = computation.run(chosen);
    if (isCancelled())
      return false;
    excluded.insert(failed.begin(), failed.end());
    if (!failed.empty())
      continue;
    for (Operation *op : computable.getOperations())
      if (plan.isSuperfluous(op))
        state.folded.insert(op);
    replace(chosen, plan, computation);
    state.hasGrown |= plan.spendsGrowth();
    return !chosen.empty();
  }
}
