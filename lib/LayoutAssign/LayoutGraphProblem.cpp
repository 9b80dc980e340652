//===- LayoutGraphProblem.cpp - From forms to variables and nets ----------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutGraphBuilder.h"
#include "Weight.h"
#include "inlay/IR/Graph.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace mlir;

void LayoutGraphBuilder::buildProblem() {
  fixed = graph.problem.addVariable(1);
  addNets();
  addVariables();
  for (LayoutNode &node : graph.nodes)
    for (unsigned port = 0; port < node.ports.size(); ++port)
      connect(node, port);
  connectFixed();
  addCosts();
}

/// Bytes that a copy of a tensor of `bytes` moves where it is stored in
/// `order`: with the padding of dimensions that need several blocks. What fits
/// into one block is padded behind the move.
static uint64_t getMovedBytes(uint64_t bytes, RankedTensorType type,
                              ArrayRef<Atom> order) {
  if (!isBlocked(order))
    return bytes;
  SmallVector<int64_t> padded = getPaddedShape(order, type.getShape());
  for (const Atom &atom : order) {
    int64_t extent = type.getDimSize(atom.dim);
    bool isOneBlock = atom.factor == 0 && extent <= atom.extent.getValue();
    if (padded[atom.dim] == extent || isOneBlock ||
        ShapedType::isDynamic(extent) || atom.factor != 0)
      continue;
    bytes =
        llvm::SaturatingMultiply<uint64_t>(bytes / extent, padded[atom.dim]);
  }
  return bytes;
}

/// What a copy of each tensor moves at least, whatever order it is made into:
/// the padding that its producer may have made.
std::vector<uint64_t> LayoutGraphBuilder::getProducedBytes() {
  std::vector<uint64_t> produced(graph.tensors.size());
  for (auto [i, tensor] : llvm::enumerate(graph.tensors))
    produced[i] = tensor.bytes;
  for (const LayoutNode &node : graph.nodes)
    for (auto [i, port] : llvm::enumerate(node.ports))
      for (const LayoutNodeForm &form : node.forms)
        if (!port.use && port.tensor)
          produced[*port.tensor] = std::max(
              produced[*port.tensor],
              getMovedBytes(graph.tensors[*port.tensor].bytes,
                            cast<RankedTensorType>(port.value.getType()),
                            graph.orders[form.orders[i]]));
  return produced;
}

/// As much as a copy can count for: a plan without it exists, and is taken
/// unless it moves 32 TiB more.
static constexpr Cost forbiddenCopy = {maxBytesOfWeight, maxCountOfWeight};

void LayoutGraphBuilder::addNets() {
  std::vector<uint64_t> produced = getProducedBytes();
  for (auto [i, tensor] : llvm::enumerate(graph.tensors)) {
    if (tensor.orders.size() < 2)
      continue;
    auto type = cast<RankedTensorType>(tensor.value.getType());
    SmallVector<Cost> costs;
    for (OrderTable::Id order : tensor.orders) {
      tensor.copyBytes.push_back(std::max(
          produced[i], getMovedBytes(tensor.bytes, type, graph.orders[order])));
      costs.push_back(
          tensor.isInsidePattern
              ? forbiddenCopy
              : Cost{getCopyCost(tensor.copyBytes.back(), CostFactor()), 1});
    }
    tensor.net = graph.problem.addNet(costs);
    graph.tensorOfNet.push_back(i);
    if (!graph.target.costs.copies.empty() && !tensor.isInsidePattern)
      addPairCosts(tensor);
  }
  if (openTensors.none())
    return;
  graph.openNets.resize(graph.tensorOfNet.size());
  for (unsigned tensor : openTensors.set_bits())
    if (auto net = graph.tensors[tensor].net)
      graph.openNets.set(*net);
}

void LayoutGraphBuilder::addVariables() {
  for (LayoutNode &node : graph.nodes)
    if (node.forms.size() > 1)
      node.var = graph.problem.addVariable(node.forms.size());
}

void LayoutGraphBuilder::connect(const LayoutNode &node, unsigned index) {
  const LayoutNodePort &port = node.ports[index];
  if (!port.tensor || !graph.tensors[*port.tensor].net)
    return;
  NetId net = *graph.tensors[*port.tensor].net;
  SmallVector<LabelId> labels;
  for (const LayoutNodeForm &form : node.forms)
    labels.push_back(port.ignoresOrder ? anyLabel : form.labels[index]);
  VarId var = node.var.value_or(fixed);
  if (!port.use) {
    graph.problem.setProducer(net, var, labels);
    return;
  }
  UseId use = graph.problem.addUse(net, var, labels);
  assert(use == graph.useOperands.size());
  graph.useOperands.push_back(port.use);
  graph.useOfOperand[port.use] = use;
}

/// What no node speaks for: inputs and outputs as asked, constants in any
/// order, everything else row-major.
void LayoutGraphBuilder::connectFixed() {
  auto getLabel = [&](const LayoutTensor &tensor, ArrayRef<Atom> order) {
    unsigned index = graph.tensorOfValue.lookup(tensor.value);
    return order.empty()
               ? LabelId(0)
               : findLabel(index, graph.orders.insert(order)).value_or(0);
  };
  for (const LayoutTensor &tensor : graph.tensors) {
    if (!tensor.net)
      continue;
    if (!graph.problem.hasProducer(*tensor.net)) {
      LabelId label = 0;
      if (tensor.value.getDefiningOp<ConstantOp>())
        label = anyLabel;
      else if (auto argument = dyn_cast<BlockArgument>(tensor.value);
               argument && argument.getOwner()->getParentOp() == graph.func)
        label = getLabel(tensor, options.getIoOrder(getInputName(
                                     graph.func, argument.getArgNumber())));
      graph.problem.setProducer(*tensor.net, fixed, label);
    }
    for (OpOperand &operand : tensor.value.getUses()) {
      if (graph.useOfOperand.count(&operand))
        continue;
      Operation *user = operand.getOwner();
      LabelId label = 0;
      if (user->getParentOp() == graph.func &&
          user->hasTrait<OpTrait::IsTerminator>())
        label = getLabel(tensor, options.getIoOrder(getOutputName(
                                     graph.func, operand.getOperandNumber())));
      UseId use = graph.problem.addUse(*tensor.net, fixed, label);
      assert(use == graph.useOperands.size());
      graph.useOperands.push_back(&operand);
      graph.useOfOperand[&operand] = use;
    }
  }
}
