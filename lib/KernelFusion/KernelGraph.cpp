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
  Value value;
  value.root = values.size();
  value.shape = shape;
  value.bytes = bytes;
  value.isConstant = isConstant;
  value.ref = ref;
  values.push_back(std::move(value));
  return values.size() - 1;
}

unsigned KernelGraph::addView(unsigned of, unsigned shape, mlir::Value ref) {
  Value view;
  view.root = values[of].root;
  view.shape = shape;
  view.producer = values[view.root].producer;
  view.bytes = values[view.root].bytes;
  view.isConstant = values[view.root].isConstant;
  view.ref = ref;
  values.push_back(std::move(view));
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
  for (const Operand &operand : operands) {
    Value &root = values[values[operand.value].root];
    // Nodes come in order: a user that is there already is the last one.
    if (root.users.empty() || root.users.back() != index)
      root.users.push_back(index);
    if (root.producer == none)
      continue;
    node.pred.push_back(root.producer);
    llvm::SmallVectorImpl<unsigned> &succ = nodes[root.producer].succ;
    if (succ.empty() || succ.back() != index)
      succ.push_back(index);
  }
  llvm::sort(node.pred);
  node.pred.erase(std::unique(node.pred.begin(), node.pred.end()),
                  node.pred.end());
  return index;
}

unsigned KernelGraph::addResult(unsigned node, unsigned shape, uint64_t bytes,
                                mlir::Value ref) {
  unsigned value = addValue(shape, bytes, /*isConstant=*/false, ref);
  values[value].producer = node;
  nodes[node].results.push_back(value);
  return value;
}
