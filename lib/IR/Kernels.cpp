//===- Kernels.cpp - What kernels say of themselves -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Kernels.h"
#include "inlay/IR/FactInterfaces.h"
#include "inlay/IR/FusionFacts.h"
#include "inlay/IR/GroupKind.h"
#include "inlay/IR/TypeInference.h"
#include "llvm/ADT/SetVector.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The class
//===----------------------------------------------------------------------===//

/// A kernel is of the class of what weighs most in it.
static unsigned getWeight(FusionClass kind) {
  switch (kind) {
  case FusionClass::Opaque:
    return 6;
  case FusionClass::Contraction:
    return 5;
  case FusionClass::Window:
    return 4;
  case FusionClass::Reduce:
    return 3;
  case FusionClass::Elementwise:
    return 2;
  case FusionClass::Broadcast:
    return 1;
  case FusionClass::Transform:
  case FusionClass::View:
    return 0;
  }
  return 0;
}

FusionClass inlay::getKernelClass(ArrayRef<Operation *> ops) {
  FusionClass found = FusionClass::Transform;
  for (Operation *op : ops)
    if (FusionClass own = getNestClass(op);
        !isa<ConstantOp>(op) && getWeight(own) > getWeight(found))
      found = own;
  return found;
}

static bool hasAnchor(FusionClass kind) {
  return kind == FusionClass::Contraction || kind == FusionClass::Window ||
         kind == FusionClass::Reduce;
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

/// An operator in a layout has loops over the tensors inside.
static Operation *getUnwrapped(Operation *op) {
  auto inLayout = dyn_cast<InLayoutOp>(op);
  Operation *wrapped = inLayout ? inLayout.getWrapped() : nullptr;
  return wrapped ? wrapped : op;
}

static AxisMap getAxisMap(Operation *op) {
  auto mapped = dyn_cast<AxisMapOpInterface>(op);
  return mapped ? mapped.getAxisMap() : AxisMap::opaque();
}

static void setSpace(KernelNest &nest, Value value) {
  if (MaybeShape shape = getShape(value))
    nest.space.emplace(shape->begin(), shape->end());
}

/// The extents that each element of a result is summed over.
static SmallVector<int64_t> getSummed(Operation *op, FusionClass kind) {
  // A pool's window has no axes of its own, as it has no operand.
  if (kind == FusionClass::Window) {
    auto facts = dyn_cast<TargetFactsOpInterface>(op);
    return facts ? facts.getWindow().value_or(SmallVector<int64_t>())
                 : SmallVector<int64_t>();
  }
  AxisMap map = getAxisMap(op);
  SmallVector<int64_t> summed;
  for (const Axis &axis : map.getAxes())
    if (axis.kind == AxisKind::Contracted || axis.kind == AxisKind::Reduced)
      summed.push_back(axis.extent);
  return summed;
}

/// Sums over loops of its own for each element of its result.
static void describeSum(Operation *op, KernelNest &nest) {
  setSpace(nest, op->getResult(0));
  if (!nest.space)
    return;
  for (int64_t extent : getSummed(op, nest.kind)) {
    nest.reduced.push_back(nest.space->size());
    nest.space->push_back(extent);
  }
}

/// Goes over what is reduced. Of one that is several operators positions of a
/// row interact; so they do where axes are computed, and may be reduced.
static void describeReduce(Operation *op, KernelNest &nest) {
  setSpace(nest, op->getOperand(0));
  AxisMap map = getAxisMap(op);
  if (!nest.space || map.isOpaque() || !map.getOperands()[0])
    return;
  for (auto [loop, axes] : llvm::enumerate(*map.getOperands()[0]))
    if (llvm::any_of(axes, [&](unsigned axis) {
          return map.getAxes()[axis].kind != AxisKind::Parallel;
        }))
      nest.reduced.push_back(loop);
}

//===----------------------------------------------------------------------===//
// What is read
//===----------------------------------------------------------------------===//

namespace {
/// Where values are read in the body of a group, found from its end: whoever
/// reads what an operator computes comes before it.
class ReadFinder {
public:
  ReadFinder(GroupOp group, Operation *anchor)
      : body(group.getBody().front()), anchor(anchor) {
    findBefore();
    for (Operation &op : llvm::reverse(body))
      add(op, anchor ? getPlace(&op) : getElements(&op));
  }

  /// Elsewhere, too, is elsewhere.
  KernelRead get(Value value) const {
    KernelRead read = reads.lookup(value);
    return contains(read, KernelRead::Other) ? KernelRead::Other : read;
  }

private:
  void findBefore();
  void add(Operation &op, KernelRead place);
  KernelRead getPlace(Operation *op) const;
  KernelRead getElements(Operation *op) const;

  Block &body;
  Operation *anchor;
  /// What the anchor needs, and itself.
  llvm::SetVector<Operation *> before;
  llvm::DenseMap<Value, KernelRead> reads;
};
} // namespace

void ReadFinder::findBefore() {
  if (anchor)
    before.insert(anchor);
  for (size_t i = 0; i < before.size(); ++i)
    before[i]->walk([&](Operation *user) {
      for (Value operand : user->getOperands())
        if (Operation *op = operand.getDefiningOp();
            op && op->getBlock() == &body)
          before.insert(op);
    });
}

/// Whether every result of an operator has the value's shape for certain.
static bool keepsShape(Operation *op, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() &&
         llvm::all_of(op->getResultTypes(), [&](Type result) {
           auto ranked = dyn_cast<RankedTensorType>(result);
           return ranked && ranked.getShape() == type.getShape();
         });
}

/// All that an operator of the body reads, its regions included.
void ReadFinder::add(Operation &op, KernelRead place) {
  bool isYield = op.hasTrait<OpTrait::IsTerminator>();
  op.walk([&](Operation *user) {
    for (Value operand : user->getOperands()) {
      bool isElsewhere =
          place == KernelRead::Same && !isYield && !keepsShape(&op, operand);
      KernelRead &read = reads[operand];
      read = read | (isElsewhere ? KernelRead::Other : place);
    }
  });
}

/// A view reads nothing itself.
KernelRead ReadFinder::getPlace(Operation *op) const {
  if (op == anchor)
    return KernelRead::Anchor;
  if (getFusionClass(op) != FusionClass::View || op->use_empty())
    return before.contains(op) ? KernelRead::Prologue : KernelRead::Epilogue;
  KernelRead read = KernelRead::None;
  for (Value result : op->getResults())
    read = read | get(result);
  return read;
}

/// Same for what computes element by element, as all does that is made of it.
KernelRead ReadFinder::getElements(Operation *op) const {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return KernelRead::Same;
  bool isElementwise = getFusionClass(op) == FusionClass::Elementwise &&
                       op->getNumRegions() == 0;
  if (!isElementwise)
    return KernelRead::Other;
  for (Value result : op->getResults())
    if (!result.use_empty() && get(result) != KernelRead::Same)
      return KernelRead::Other;
  return KernelRead::Same;
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

KernelNest inlay::describeKernel(GroupOp group) {
  SmallVector<Operation *> ops;
  for (Operation &op : group.getBody().front().without_terminator())
    if (!isa<ConstantOp>(op))
      ops.push_back(&op);
  KernelNest nest;
  nest.kind = getKernelClass(ops);
  Operation *anchor = nullptr;
  if (hasAnchor(nest.kind)) {
    auto it = llvm::find_if(
        ops, [&](Operation *op) { return getNestClass(op) == nest.kind; });
    anchor = *it;
    nest.anchor = it - ops.begin();
    Operation *own = getUnwrapped(anchor);
    nest.kind == FusionClass::Reduce ? describeReduce(own, nest)
                                     : describeSum(own, nest);
  } else if (!group.getYielded().empty()) {
    setSpace(nest, group.getYielded().front());
  }
  ReadFinder reads(group, anchor);
  for (Value input : group.getInputs())
    nest.reads.push_back(reads.get(input));
  return nest;
}

void inlay::setKernel(GroupOp group) {
  group.setClusterAttr({});
  group.setKernelAttr(
      KernelAttr::get(group.getContext(), describeKernel(group)));
}

void inlay::updateKernels(Operation *root) {
  root->walk([](GroupOp group) {
    if (getKind(group) == GroupKind::Kernel)
      setKernel(group);
  });
}
