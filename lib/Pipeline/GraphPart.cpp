//===- GraphPart.cpp - A part of a graph as a model -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/GraphPart.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/IR/Origin.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string inlay::suggest(StringRef word, ArrayRef<StringRef> known) {
  // More edits, or as many as there are letters, are another word.
  unsigned best = std::min<size_t>(3, word.size());
  StringRef nearest;
  for (StringRef other : known) {
    unsigned distance = word.edit_distance_insensitive(other, true, best);
    if (distance >= best)
      continue;
    best = distance;
    nearest = other;
  }
  return nearest.empty() ? "" : (", did you mean '" + nearest + "'?").str();
}

TensorNames::TensorNames(func::FuncOp graph) {
  Block &block = graph.getBody().front();
  auto add = [this](StringRef name, Value value) {
    if (name.empty())
      return;
    auto [it, isNew] = values.try_emplace(name, value);
    if (!isNew && it->second != value)
      it->second = Value();
  };
  for (BlockArgument argument : block.getArguments())
    add(getValueName(argument), argument);
  for (Operation &op : block.without_terminator()) {
    for (Value result : op.getResults())
      add(getValueName(result), result);
    for (Region &region : op.getRegions())
      region.walk([&](Operation *nested) {
        for (Value result : nested->getResults())
          inside.try_emplace(getValueName(result), &op);
      });
  }
  for (auto [i, value] : llvm::enumerate(block.getTerminator()->getOperands()))
    values.try_emplace(getOutputName(graph, i), value);
}

llvm::Expected<Value> TensorNames::find(StringRef name) const {
  auto it = values.find(name);
  if (it != values.end() && it->second)
    return it->second;
  if (it != values.end())
    return usageError("several tensors are named " + quoteForMessage(name));
  if (auto nested = inside.find(name); nested != inside.end())
    return usageError("tensor " + quoteForMessage(name) + " lies inside " +
                      describeNode(nested->second) +
                      ", expected one of the graph itself");
  SmallVector<StringRef> known;
  for (const auto &[other, value] : values)
    known.push_back(other);
  return usageError("the model has no tensor " + quoteForMessage(name) +
                    suggest(name, known));
}

llvm::Expected<std::vector<Value>>
TensorNames::findAll(ArrayRef<std::string> lists) const {
  std::vector<Value> found;
  for (StringRef list : lists) {
    SmallVector<StringRef> names = {list};
    if (!values.contains(list)) {
      names.clear();
      list.split(names, ',', -1, /*KeepEmpty=*/false);
    }
    for (StringRef name : names) {
      auto value = find(name);
      if (!value)
        return value.takeError();
      found.push_back(*value);
    }
  }
  return found;
}

std::string inlay::getPartName(Value value) {
  if (StringRef name = getValueName(value); !name.empty())
    return name.str();
  if (auto argument = dyn_cast<BlockArgument>(value))
    return "input_" + std::to_string(argument.getArgNumber());
  // Modules that were written by hand have no names; the place is one.
  Operation *op = value.getDefiningOp();
  auto place = std::distance(op->getBlock()->begin(), Block::iterator(op));
  return "tensor_" + std::to_string(place) + "_" +
         std::to_string(cast<OpResult>(value).getResultNumber());
}

//===----------------------------------------------------------------------===//
// What a part consists of
//===----------------------------------------------------------------------===//

unsigned PartOperations::countNodes() const {
  return llvm::count_if(ops,
                        [](Operation *op) { return !isa<ConstantOp>(op); });
}

PartOperations inlay::findOperations(const GraphPart &part) {
  PartOperations found;
  llvm::SetVector<Value> needed(part.outputs.begin(), part.outputs.end());
  for (size_t i = 0; i < needed.size(); ++i) {
    Value value = needed[i];
    if (part.inputs.contains(value)) {
      found.used.insert(value);
      continue;
    }
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      found.missing.insert(argument);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!found.ops.insert(op).second)
      continue;
    needed.insert(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), needed);
  }
  return found;
}

//===----------------------------------------------------------------------===//
// The copy
//===----------------------------------------------------------------------===//

/// What speaks of nodes and tensors that a part may lack is left out.
static OwningOpRef<ModuleOp> createModule(ModuleOp whole) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(whole.getLoc());
  for (NamedAttribute attribute : whole->getAttrs())
    if (!llvm::is_contained({attrs::removed, attrs::trainingInfo, attrs::data},
                            attribute.getName().getValue()))
      (*module)->setAttr(attribute.getName(), attribute.getValue());
  return module;
}

static DictionaryAttr getInputAttrs(func::FuncOp graph, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (DictionaryAttr own = graph.getArgAttrDict(argument.getArgNumber());
        own && own.contains(attrs::name))
      return own;
  Builder builder(graph.getContext());
  return builder.getDictionaryAttr(builder.getNamedAttr(
      attrs::name, builder.getStringAttr(getPartName(value))));
}

static DictionaryAttr getOutputAttrs(func::FuncOp graph, Value value) {
  Operation *terminator = graph.getBody().front().getTerminator();
  for (auto [i, output] : llvm::enumerate(terminator->getOperands()))
    if (output == value)
      if (DictionaryAttr own = graph.getResultAttrDict(i);
          own && own.contains(attrs::name))
        return own;
  Builder builder(graph.getContext());
  return builder.getDictionaryAttr(builder.getNamedAttr(
      attrs::name, builder.getStringAttr(getPartName(value))));
}

static void copyOperations(func::FuncOp graph, const GraphPart &part,
                           func::FuncOp copy) {
  PartOperations needed = findOperations(part);
  assert(needed.missing.empty() && "part lacks inputs of the graph");
  IRMapping mapping;
  for (auto [value, argument] :
       llvm::zip_equal(part.inputs, copy.getArguments()))
    mapping.map(value, argument);
  OpBuilder builder = OpBuilder::atBlockEnd(&copy.getBody().front());
  for (Operation &op : graph.getBody().front())
    if (needed.ops.contains(&op)) {
      // A node of several results may give an input as well.
      Operation *own = builder.clone(op, mapping);
      for (auto [result, cloned] :
           llvm::zip_equal(op.getResults(), own->getResults()))
        if (auto *it = llvm::find(part.inputs, result); it != part.inputs.end())
          mapping.map(result,
                      copy.getArgument(std::distance(part.inputs.begin(), it)));
    }
  SmallVector<Value> outputs;
  for (Value value : part.outputs)
    outputs.push_back(mapping.lookup(value));
  builder.create<func::ReturnOp>(graph.getLoc(), outputs);
}

OwningOpRef<ModuleOp> inlay::copyPart(ModuleOp whole, const GraphPart &part) {
  func::FuncOp graph = llvm::cantFail(getGraph(whole));
  OwningOpRef<ModuleOp> module = createModule(whole);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto copy = builder.create<func::FuncOp>(
      graph.getLoc(), graph.getName(),
      builder.getFunctionType(
          ValueRange(part.inputs.getArrayRef()).getTypes(),
          ValueRange(part.outputs.getArrayRef()).getTypes()));
  if (Attribute name = graph->getAttr(attrs::graphName))
    copy->setAttr(attrs::graphName, name);
  copy.addEntryBlock();
  SmallVector<DictionaryAttr> inputAttrs, outputAttrs;
  for (Value value : part.inputs)
    inputAttrs.push_back(getInputAttrs(graph, value));
  for (Value value : part.outputs)
    outputAttrs.push_back(getOutputAttrs(graph, value));
  copy.setAllArgAttrs(inputAttrs);
  copy.setAllResultAttrs(outputAttrs);
  copyOperations(graph, part, copy);
  return module;
}
