//===- KernelGraph.cpp - Operators that kernels are made of ---------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/KernelFusion/KernelGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace inlay;

unsigned KernelGraph::addValue(unsigned shape, uint64_t bytes, bool isConstant,
                               mlir::Value ref) {
  Value &value = addGraphValue(bytes, isConstant, ref);
  value.root = values.size() - 1;
  value.shape = shape;
  return value.root;
}

unsigned KernelGraph::addView(unsigned of, unsigned shape, mlir::Value ref) {
  // Adding a value moves the others.
  auto [root, producer] = std::pair(values[of].root, values[of].producer);
  Value &view = addGraphValue(values[of].bytes, values[of].isConstant, ref);
  view.root = root;
  view.shape = shape;
  view.producer = producer;
  return values.size() - 1;
}

unsigned KernelGraph::addNode(FusionClass kind,
                              llvm::ArrayRef<Operand> operands,
                              mlir::Operation *ref) {
  unsigned index = nodes.size();
  Node &node = nodes.emplace_back();
  node.kind = kind;
  node.ref = ref;
  node.operands.assign(operands.begin(), operands.end());
  for (const Operand &operand : operands)
    addUse(values[operand.value].root);
  llvm::sort(nodes.back().pred);
  return index;
}

unsigned KernelGraph::addResult(unsigned node, unsigned shape, uint64_t bytes,
                                mlir::Value ref) {
  addValue(shape, bytes, /*isConstant=*/false, ref);
  return setProducer(node);
}
