//===- RestoreGroups.cpp - Outlined functions become groups again ---------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inverse of outlining: the body of a function that says of which target it
// was a group takes the place of its call. Calls are followed from the graph,
// so that functions which call each other in a circle are never met.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/Kernels.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/Support/Error.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"

using namespace inlay;
using namespace mlir;

static bool wasGroup(func::FuncOp function) {
  return function->hasAttr(attrs::target);
}

/// Moves the function's body into a group where it is called.
static GroupOp restore(func::CallOp call, func::FuncOp function) {
  OpBuilder builder(call);
  auto stages = function->getAttrOfType<ArrayAttr>(attrs::stages);
  auto group = builder.create<GroupOp>(
      call.getLoc(), call.getResultTypes(),
      function->getAttrOfType<StringAttr>(attrs::target),
      function.getSymNameAttr(), stages ? stages : builder.getArrayAttr({}),
      KernelAttr(),
      /*cluster=*/false);
  auto kind = function->getAttrOfType<StringAttr>(attrs::kernel);
  group.getBody().takeBody(function.getBody());
  Block &body = group.getBody().front();
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), call.getOperands()))
    argument.replaceAllUsesWith(operand);
  body.eraseArguments(0, body.getNumArguments());
  Operation *end = body.getTerminator();
  builder.setInsertionPoint(end);
  builder.create<YieldOp>(end->getLoc(), end->getOperands());
  end->erase();
  call->replaceAllUsesWith(group);
  call.erase();
  function.erase();
  if (kind)
    setKind(group, kind);
  return group;
}

namespace {
/// The functions of a module that were groups, each until it is met.
class Restorer {
public:
  explicit Restorer(ModuleOp module) : module(module) {}

  llvm::Error run();

private:
  llvm::Expected<func::FuncOp> findGraph();
  llvm::Error take(func::CallOp call);
  void collectCalls(Operation *op);

  ModuleOp module;
  llvm::MapVector<StringAttr, func::FuncOp> outlined;
  SmallVector<func::CallOp> calls;
};
} // namespace

llvm::Expected<func::FuncOp> Restorer::findGraph() {
  func::FuncOp graph;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (wasGroup(function)) {
      outlined[function.getSymNameAttr()] = function;
      continue;
    }
    if (graph)
      return modelError("functions '" + graph.getName() + "' and '" +
                        function.getName() + "' are graphs, expected one");
    graph = function;
  }
  if (!graph)
    return modelError("module has no function, which would be the graph");
  return graph;
}

void Restorer::collectCalls(Operation *op) {
  op->walk([&](func::CallOp call) { calls.push_back(call); });
}

llvm::Error Restorer::take(func::CallOp call) {
  StringAttr name = call.getCalleeAttr().getAttr();
  auto it = outlined.find(name);
  if (it == outlined.end())
    return modelError("'" + name.getValue() +
                      "' is called, which is no group or was called before");
  func::FuncOp function = it->second;
  outlined.erase(it);
  auto kind = function->getAttrOfType<StringAttr>(attrs::kernel);
  if (kind && !isKindName(kind))
    return modelError("function '" + name.getValue() +
                      "' is a kernel of class '" + kind.getValue() +
                      "', expected that of an operator, as 'elementwise' or "
                      "'contraction'");
  collectCalls(restore(call, function));
  return llvm::Error::success();
}

llvm::Error Restorer::run() {
  auto graph = findGraph();
  if (!graph)
    return graph.takeError();
  collectCalls(*graph);
  while (!calls.empty())
    if (llvm::Error error = take(calls.pop_back_val()))
      return error;
  if (!outlined.empty())
    return modelError("function '" + outlined.front().first.getValue() +
                      "' is not called by the graph");
  // Inner groups came after outer ones.
  updateKernels(module);
  return llvm::Error::success();
}

llvm::Error inlay::restoreGroups(ModuleOp module) {
  return Restorer(module).run();
}
