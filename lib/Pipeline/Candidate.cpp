//===- Candidate.cpp - Parts of models that may show a fault --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace inlay;
using namespace mlir;

unsigned Candidate::countNodes() const {
  func::FuncOp graph = llvm::cantFail(getGraph(*a));
  return llvm::count_if(graph.getBody().front().without_terminator(),
                        [](Operation &op) { return !isa<ConstantOp>(op); });
}

uint64_t Candidate::countElements() const {
  uint64_t count = 0;
  for (const GraphInput &input : inputs)
    if (input.tensor)
      count += input.tensor.getNumElements();
  a.get()->walk([&](ConstantOp op) {
    if (auto type = dyn_cast<RankedTensorType>(op.getType());
        type && type.hasStaticShape())
      count += type.getNumElements();
  });
  return count;
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

void CandidateSource::pairWith(ModuleOp other, const LayerComparison &layers) {
  b = other;
  shared.emplace();
  for (const Layer &layer : layers.layers)
    if (!layer.isReordered && layer.verdict != LayerVerdict::NotCompared)
      shared->insert(layer.a);
}

bool CandidateSource::mayCut(Value value) const {
  return isa<BlockArgument>(value) || !shared || shared->contains(value);
}

/// What an operation reads, in its subgraphs as well.
static llvm::SetVector<Value> getReads(Operation *op) {
  llvm::SetVector<Value> reads(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), reads);
  return reads;
}

void CandidateSource::findUnits() {
  func::FuncOp graph = llvm::cantFail(getGraph(a));
  // Who computes and who reads what cannot be cut stay together.
  llvm::EquivalenceClasses<Operation *> together;
  SmallVector<Operation *> ops;
  for (Operation &op : graph.getBody().front().without_terminator()) {
    if (isa<ConstantOp>(op))
      continue;
    ops.push_back(&op);
    together.insert(&op);
    for (Value read : getReads(&op))
      if (Operation *source = read.getDefiningOp();
          source && !isa<ConstantOp>(source) && !mayCut(read))
        together.unionSets(source, &op);
  }
  for (Operation *op : ops) {
    Operation *leader = together.getLeaderValue(op);
    auto [it, isNew] = unitOf.try_emplace(leader, units.size());
    if (isNew)
      units.emplace_back();
    unsigned unit = it->second;
    units[unit].push_back(op);
    unitOf[op] = unit;
  }
}

std::optional<unsigned> CandidateSource::findUnit(Value value) const {
  auto it = unitOf.find(value.getDefiningOp());
  return it == unitOf.end() ? std::nullopt : std::optional(it->second);
}

//===----------------------------------------------------------------------===//
// Cutting
//===----------------------------------------------------------------------===//

GraphPart
CandidateSource::getPart(const llvm::DenseSet<Operation *> &ops) const {
  GraphPart part;
  func::FuncOp graph = llvm::cantFail(getGraph(a));
  for (Operation &op : graph.getBody().front()) {
    if (!ops.contains(&op))
      continue;
    for (Value read : getReads(&op)) {
      Operation *source = read.getDefiningOp();
      if (!source || (!ops.contains(source) && !isa<ConstantOp>(source)))
        part.inputs.insert(read);
    }
    for (Value result : op.getResults()) {
      bool leaves = llvm::any_of(result.getUsers(), [&](Operation *user) {
        return !ops.contains(
            graph.getBody().front().findAncestorOpInBlock(*user));
      });
      if (leaves && mayCut(result))
        part.outputs.insert(result);
    }
  }
  return part;
}

/// The same part of the second model: the same inputs and outputs, by name.
bool CandidateSource::cutSecond(const GraphPart &part,
                                Candidate &candidate) const {
  TensorNames names(llvm::cantFail(getGraph(b)));
  GraphPart own;
  for (Value output : part.outputs) {
    Value other = names.lookup(getPartName(output));
    if (!other || isa<BlockArgument>(other))
      return false;
    own.outputs.insert(other);
  }
  GraphPart all = own;
  for (Value input : part.inputs)
    if (Value other = names.lookup(getPartName(input)))
      all.inputs.insert(other);
  PartOperations needed = findOperations(all);
  if (!needed.missing.empty())
    return false;
  for (Value input : all.inputs)
    if (needed.used.contains(input))
      own.inputs.insert(input);
  candidate.b = copyPart(b, own);
  return true;
}

/// The tensors that the model has there, or random ones.
bool CandidateSource::addInputs(const GraphPart &part,
                                Candidate &candidate) const {
  func::FuncOp graph = llvm::cantFail(getGraph(*candidate.a));
  std::vector<GraphInput> random(part.inputs.size());
  bool areKnown = llvm::all_of(
      part.inputs, [&](Value value) { return bool(values.lookup(value)); });
  if (!areKnown) {
    auto read = readInputs(graph, {});
    if (!read)
      llvm::consumeError(read.takeError());
    else
      random = std::move(*read);
  }
  for (auto [i, value] : llvm::enumerate(part.inputs)) {
    GraphInput input = random[i];
    input.name = getInputName(graph, i).str();
    if (HostTensor known = values.lookup(value))
      input.tensor = known;
    if (!input.tensor && !getInputDefault(graph, i))
      return false;
    candidate.inputs.push_back(std::move(input));
  }
  return true;
}

std::optional<Candidate> CandidateSource::cut(ArrayRef<unsigned> chosen) const {
  llvm::DenseSet<Operation *> ops;
  for (unsigned unit : chosen)
    ops.insert(units[unit].begin(), units[unit].end());
  GraphPart part = getPart(ops);
  bool isTyped = llvm::none_of(part.inputs, [](Value input) {
    return isa<UnknownType>(input.getType());
  });
  if (part.outputs.empty() || !isTyped)
    return std::nullopt;
  Candidate candidate;
  candidate.a = copyPart(a, part);
  if (b && !cutSecond(part, candidate))
    return std::nullopt;
  if (!addInputs(part, candidate))
    return std::nullopt;
  return candidate;
}
