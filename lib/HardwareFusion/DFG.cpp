//===- DFG.cpp - The operators of a block as plain nodes ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/DFG.h"
#include "inlay/HardwareFusion/OpFacts.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "mlir/Transforms/RegionUtils.h"

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

unsigned DFG::addValue(Origin origin, uint64_t bytes, mlir::Value ref) {
  Value value;
  value.origin = origin;
  value.bytes = bytes;
  value.ref = ref;
  values.push_back(std::move(value));
  return values.size() - 1;
}

unsigned DFG::addNode(StringRef opType, ArrayRef<unsigned> operands,
                      ArrayRef<uint64_t> resultBytes, Operation *ref) {
  unsigned index = nodes.size();
  Node node;
  node.ref = ref;
  node.opType = opType.str();
  node.operands.assign(operands.begin(), operands.end());
  llvm::SmallDenseSet<unsigned, 8> seen;
  for (unsigned operand : operands) {
    Value &value = values[operand];
    // Nodes come in order: a user that is there already is the last one.
    if (value.users.empty() || value.users.back() != index)
      value.users.push_back(index);
    if (value.origin != Origin::Result)
      continue;
    if (seen.insert(value.producer).second)
      node.pred.push_back(value.producer);
    SmallVectorImpl<unsigned> &succ = nodes[value.producer].succ;
    if (succ.empty() || succ.back() != index)
      succ.push_back(index);
  }
  for (auto [i, bytes] : llvm::enumerate(resultBytes)) {
    unsigned value = addValue(Origin::Result, bytes,
                              ref ? ref->getResult(i) : mlir::Value());
    values[value].producer = index;
    node.results.push_back(value);
  }
  nodes.push_back(std::move(node));
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

SmallVector<mlir::Value> DFG::Creator::getUsedValues(Operation *op) {
  SmallVector<mlir::Value> used(op->getOperands());
  if (auto it = captured.find(op); it != captured.end())
    llvm::append_range(used, it->second);
  for (mlir::Value &value : used)
    value = getRoot(value);
  return used;
}

unsigned DFG::Creator::getValue(mlir::Value value) {
  auto [it, isNew] = valueIds.try_emplace(value);
  if (isNew)
    it->second = graph.addValue(isConstantValue(value) ? Origin::Constant
                                                       : Origin::Input,
                                sizer(value), value);
  return it->second;
}

void DFG::Creator::addNode(Operation *op) {
  SmallVector<unsigned> operands;
  for (mlir::Value value : getUsedValues(op))
    operands.push_back(getValue(value));
  SmallVector<uint64_t> bytes;
  for (mlir::Value result : op->getResults())
    bytes.push_back(sizer(result));
  unsigned node = graph.addNode(namer(op), operands, bytes, op);
  for (auto [result, id] :
       llvm::zip_equal(op->getResults(), graph[node].results))
    valueIds[result] = id;
}

/// Finds what the regions of operators use from outside of them.
void DFG::Creator::prepare() {
  for (Operation &op : block) {
    if (op.getNumRegions() == 0)
      continue;
    llvm::SetVector<mlir::Value> values;
    getUsedValuesDefinedAbove(op.getRegions(), values);
    SmallVector<mlir::Value> own;
    for (mlir::Value value : values)
      if (value.getParentBlock() == &block)
        own.push_back(value);
    captured[&op] = std::move(own);
  }
}

/// Adds what `root` needs and then `root`, without recursion.
void DFG::Creator::visit(Operation *root) {
  struct Frame {
    Operation *op;
    SmallVector<mlir::Value> values;
    unsigned next = 0;
  };
  std::vector<Frame> stack;
  auto enter = [&](Operation *op) {
    if (isNode(op) && visited.try_emplace(op, true).second)
      stack.push_back({op, getUsedValues(op)});
  };
  enter(root);
  while (!stack.empty()) {
    Frame &top = stack.back();
    if (top.next < top.values.size()) {
      enter(top.values[top.next++].getDefiningOp());
      continue;
    }
    addNode(top.op);
    stack.pop_back();
  }
}

DFG DFG::Creator::create() {
  prepare();
  Operation *terminator = block.getTerminator();
  for (mlir::Value output : terminator->getOperands())
    if (Operation *op = getRoot(output).getDefiningOp())
      visit(op);
  for (Operation &op : block)
    visit(&op);
  for (mlir::Value output : terminator->getOperands())
    if (auto it = valueIds.find(getRoot(output)); it != valueIds.end())
      graph.setEscapes(it->second);
  return std::move(graph);
}
