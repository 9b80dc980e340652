//===- Graph.cpp - The function that is a model's graph -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/Graph.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace mlir;

llvm::Expected<func::FuncOp> inlay::getGraph(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isDeclaration())
      continue;
    if (!function.getBody().hasOneBlock())
      return modelError("function '" + function.getName() +
                        "' has several blocks, a graph has one");
    return function;
  }
  return modelError("module has no function, which would be the graph");
}

static StringRef getString(Attribute attribute) {
  auto string = dyn_cast_if_present<StringAttr>(attribute);
  return string ? string.getValue() : StringRef();
}

StringRef inlay::getInputName(func::FuncOp graph, unsigned index) {
  return getString(graph.getArgAttr(index, attrs::name));
}

StringRef inlay::getOutputName(func::FuncOp graph, unsigned index) {
  return getString(graph.getResultAttr(index, attrs::name));
}

static SmallVector<StringRef> getDims(Type type, Attribute attribute) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  SmallVector<StringRef> dims(ranked ? ranked.getRank() : 0);
  auto names = dyn_cast_if_present<ArrayAttr>(attribute);
  for (size_t i = 0; names && i < std::min(dims.size(), names.size()); ++i)
    dims[i] = getString(names[i]);
  return dims;
}

SmallVector<StringRef> inlay::getInputDims(func::FuncOp graph, unsigned index) {
  return getDims(graph.getArgumentTypes()[index],
                 graph.getArgAttr(index, attrs::dims));
}

SmallVector<StringRef> inlay::getOutputDims(func::FuncOp graph,
                                            unsigned index) {
  return getDims(graph.getResultTypes()[index],
                 graph.getResultAttr(index, attrs::dims));
}

Attribute inlay::getInputDefault(func::FuncOp graph, unsigned index) {
  return graph.getArgAttr(index, attrs::defaultValue);
}
