//===- ModelCosts.cpp - What the nodes of a model cost --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/ModelCosts.h"
#include "inlay/Analysis/ModelStats.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/FactInterfaces.h"
#include "inlay/IR/FusionFacts.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/InlayOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Numbers that may be unknown
//===----------------------------------------------------------------------===//

using Count = std::optional<uint64_t>;

static void addTo(Count &sum, Count more) {
  sum = sum && more ? Count(llvm::SaturatingAdd(*sum, *more)) : Count();
}

Count NodeCost::getBytes() const {
  Count sum = weightBytes;
  addTo(sum, activationBytes);
  return sum;
}

std::optional<double> NodeCost::getIntensity() const {
  Count bytes = getBytes();
  if (!flops || !bytes || *bytes == 0)
    return std::nullopt;
  return double(*flops) / double(*bytes);
}

uint64_t ModelCosts::sum(Count NodeCost::*what, uint64_t *numUnknown) const {
  uint64_t total = 0;
  for (const NodeCost &node : nodes) {
    total = llvm::SaturatingAdd(total, (node.*what).value_or(0));
    if (numUnknown)
      *numUnknown += !(node.*what);
  }
  return total;
}

//===----------------------------------------------------------------------===//
// One node
//===----------------------------------------------------------------------===//

/// Twice the products of an operator and of all that it consists of.
static Count countFlops(Operation *node) {
  Count flops = 0;
  node->walk([&](ProductOpInterface op) {
    Count products = op.countProducts();
    addTo(flops, products
                     ? Count(llvm::SaturatingMultiply<uint64_t>(*products, 2))
                     : Count());
  });
  return flops;
}

static llvm::SmallSetVector<Value, 4> getReads(Operation *op) {
  llvm::SmallSetVector<Value, 4> reads;
  auto group = dyn_cast<GroupOp>(op);
  SmallVector<Value> operands =
      group ? group.getInputs() : SmallVector<Value>(op->getOperands());
  reads.insert(operands.begin(), operands.end());
  return reads;
}

static Count getResultBytes(Operation *op) {
  Count bytes = 0;
  for (Value result : op->getResults())
    if (!result.use_empty())
      addTo(bytes, getByteSize(result.getType()));
  return bytes;
}

/// What is read of an operand: no more than is written where elements are only
/// moved.
static Count getReadBytes(Operation *op, Value operand) {
  Count bytes = getByteSize(operand.getType());
  if (op->getNumOperands() == 0 || op->getOperand(0) != operand ||
      !isMoved(op->getOpOperand(0)))
    return bytes;
  Count written = getResultBytes(op);
  return bytes && written ? std::min(bytes, written) : bytes;
}

static NodeCost getNodeCost(Operation *op, uint64_t onChipBytes) {
  NodeCost cost;
  cost.op = op;
  cost.flops = countFlops(op);
  if (getFusionClass(op) == FusionClass::View)
    return cost;
  auto addActivation = [&](Value value, Count bytes) {
    addTo(cost.activationBytes, bytes);
    Count whole = getByteSize(value.getType());
    bool staysOnChip = whole && *whole <= onChipBytes;
    addTo(cost.offChipBytes, staysOnChip ? Count(0) : bytes);
  };
  for (Value operand : getReads(op)) {
    Count bytes = getReadBytes(op, operand);
    if (getConstantValue(operand))
      addTo(cost.weightBytes, bytes);
    else
      addActivation(operand, bytes);
  }
  for (Value result : op->getResults())
    if (!result.use_empty())
      addActivation(result, getByteSize(result.getType()));
  return cost;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

ModelCosts inlay::getModelCosts(func::FuncOp graph, uint64_t onChipBytes) {
  ModelCosts costs;
  Block &block = graph.getBody().front();
  LiveBytesByOp live = computeLiveBytes(block);
  block.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<ConstantOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
      return WalkResult::advance();
    bool isWhole = isFinished(op);
    // What runs a body is its nodes.
    if (op->getNumRegions() != 0 && !isWhole) {
      costs.hasBodies = true;
      return WalkResult::advance();
    }
    costs.nodes.push_back(getNodeCost(op, onChipBytes));
    if (auto it = live.find(op); it != live.end())
      costs.nodes.back().liveBytes = it->second;
    return isWhole ? WalkResult::skip() : WalkResult::advance();
  });
  return costs;
}

std::optional<TimeEstimate> inlay::estimateTime(const NodeCost &cost,
                                                const MachineRates &rates) {
  if (!rates.flops || !rates.bandwidth || !cost.flops || !cost.weightBytes ||
      !cost.offChipBytes)
    return std::nullopt;
  double computing = double(*cost.flops) / *rates.flops;
  double moving = (double(*cost.weightBytes) + double(*cost.offChipBytes)) /
                  *rates.bandwidth;
  if (computing == 0 && moving == 0)
    return TimeEstimate();
  return TimeEstimate{std::max(computing, moving),
                      computing > moving ? Bound::Compute : Bound::Memory};
}
