//===- DFG.cpp - The operators of a block as plain nodes ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/DFG.h"
#include "inlay/Analysis/NeedOrder.h"
#include "inlay/HardwareFusion/OpFacts.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

const FusionReason *DFG::getReason(unsigned node) const {
  auto it = reasons.find(node);
  return it == reasons.end() ? nullptr : &it->second;
}

std::string DFG::getName(unsigned node) const {
  if (nodes[node].ref)
    return getNodeName(nodes[node].ref);
  return nodes[node].opType + "_" + std::to_string(node);
}

unsigned DFG::addValue(uint64_t bytes, bool isConstant, mlir::Value ref) {
  addGraphValue(bytes, isConstant, ref);
  return values.size() - 1;
}

unsigned DFG::addNode(StringRef opType, ArrayRef<unsigned> operands,
                      ArrayRef<uint64_t> resultBytes, Operation *ref) {
  unsigned index = nodes.size();
  Node &node = nodes.emplace_back();
  node.ref = ref;
  node.opType = opType.str();
  node.operands.assign(operands.begin(), operands.end());
  for (unsigned operand : operands)
    addUse(operand);
  for (auto [i, bytes] : llvm::enumerate(resultBytes)) {
    addValue(bytes, /*isConstant=*/false,
             ref ? ref->getResult(i) : mlir::Value());
    setProducer(index);
  }
  return index;
}

void DFG::setForms(unsigned node, std::vector<StageForm> forms) {
  nodes[node].role = Role::Mapped;
  nodes[node].forms = std::move(forms);
  reasons.erase(node);
}

void DFG::setCollectable(unsigned node, FusionReason reason) {
  nodes[node].role = Role::Collectable;
  reasons[node] = std::move(reason);
}

void DFG::setOutside(unsigned node, FusionReason reason) {
  nodes[node].role = Role::Outside;
  reasons[node] = std::move(reason);
}

//===----------------------------------------------------------------------===//
// Its creator
//===----------------------------------------------------------------------===//

/// A transpose between tensors in orders that make up for it is nothing but
/// another name; in row-major tensors it moves elements.
bool inlay::isStoredAlike(Operation *op) {
  auto storage = dyn_cast<StorageOpInterface>(op);
  if (!storage || storage.admitsRowMajor() || op->getNumOperands() != 1 ||
      op->getNumResults() != 1)
    return false;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  bool isRowMajor =
      getStorageOrder(from).empty() && getStorageOrder(to).empty();
  return !isRowMajor && getPhysicalType(from) == getPhysicalType(to);
}

/// The value that `value` is another name of.
mlir::Value DFG::Creator::getRoot(mlir::Value value) const {
  for (;;) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != &block || !isStoredAlike(op))
      return value;
    value = op->getOperand(0);
  }
}

bool DFG::Creator::isNode(Operation *op) const {
  return op && op->getBlock() == &block && !isStoredAlike(op) &&
         !op->hasTrait<OpTrait::IsTerminator>() &&
         !(op->getNumResults() == 1 && isConstantValue(op->getResult(0)));
}

unsigned DFG::Creator::getValue(mlir::Value value) {
  auto [it, isNew] = valueIds.try_emplace(value);
  if (isNew)
    it->second = graph.addValue(sizer(value), isConstantValue(value), value);
  return it->second;
}

void DFG::Creator::addNode(Operation *op) {
  SmallVector<unsigned> operands;
  for (mlir::Value value : getUsedValues(op))
    operands.push_back(getValue(getRoot(value)));
  SmallVector<uint64_t> bytes;
  for (mlir::Value result : op->getResults())
    bytes.push_back(sizer(result));
  unsigned node = graph.addNode(namer(op), operands, bytes, op);
  for (auto [result, id] :
       llvm::zip_equal(op->getResults(), graph[node].results))
    valueIds[result] = id;
}

DFG DFG::Creator::create() {
  for (Operation *op : findNeedOrder(block))
    if (isNode(op))
      addNode(op);
  for (mlir::Value output : block.getTerminator()->getOperands())
    if (auto it = valueIds.find(getRoot(output)); it != valueIds.end())
      graph.setEscapes(it->second);
  return std::move(graph);
}
