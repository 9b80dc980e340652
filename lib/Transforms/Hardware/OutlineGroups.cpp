//===- OutlineGroups.cpp - Groups become functions ------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function takes what its group reads from outside, each value once and in
// the order of the body, and returns what the group gives out. Names of groups
// are kept where no function has them yet.
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/GroupKind.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/ModuleAttrs.h"
#include "inlay/IR/Origin.h"
#include "inlay/Transforms/Hardware/Passes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace inlay {
#define GEN_PASS_DEF_OUTLINEGROUPS
#define GEN_PASS_DEF_RESTOREGROUPS
#include "inlay/Transforms/Hardware/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

/// Ports of functions are called as the values that pass through them.
static DictionaryAttr getPortAttrs(Builder &builder, Value value) {
  StringRef name = getValueName(value);
  if (name.empty())
    return builder.getDictionaryAttr({});
  return builder.getDictionaryAttr(
      builder.getNamedAttr(attrs::name, builder.getStringAttr(name)));
}

static func::FuncOp createFunction(GroupOp group, ArrayRef<Value> inputs) {
  OpBuilder builder(group.getContext());
  auto type = builder.getFunctionType(ValueRange(inputs).getTypes(),
                                      group.getResultTypes());
  auto function = func::FuncOp::create(group.getLoc(), group.getName(), type);
  function.setPrivate();
  function->setAttr(attrs::target, group.getTargetAttr());
  if (std::optional<StringRef> kind = getKindName(group))
    function->setAttr(attrs::kernel, builder.getStringAttr(*kind));
  else
    function->setAttr(attrs::stages, group.getStagesAttr());
  SmallVector<DictionaryAttr> arguments, results;
  for (Value input : inputs)
    arguments.push_back(getPortAttrs(builder, input));
  for (Value output : group.getYielded())
    results.push_back(getPortAttrs(builder, output));
  function.setAllArgAttrs(arguments);
  function.setAllResultAttrs(results);
  return function;
}

/// Moves the body of the group into the function.
static void moveBody(GroupOp group, ArrayRef<Value> inputs,
                     func::FuncOp function) {
  function.getBody().takeBody(group.getBody());
  Block &body = function.getBody().front();
  for (Value input : inputs)
    replaceAllUsesInRegionWith(
        input, body.addArgument(input.getType(), input.getLoc()),
        function.getBody());
  Operation *yield = body.getTerminator();
  OpBuilder builder(yield);
  builder.create<func::ReturnOp>(yield->getLoc(), yield->getOperands());
  yield->erase();
}

static void outline(GroupOp group, SymbolTable &symbols) {
  SmallVector<Value> inputs = group.getInputs();
  func::FuncOp function = createFunction(group, inputs);
  symbols.insert(function);
  moveBody(group, inputs, function);
  OpBuilder builder(group);
  auto call = builder.create<func::CallOp>(group.getLoc(), function, inputs);
  group->replaceAllUsesWith(call);
  group.erase();
}

namespace {
struct OutlineGroupsPass final
    : inlay::impl::OutlineGroupsBase<OutlineGroupsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<GroupOp> groups;
    // Inner ones first: what is left of them are calls.
    getOperation().walk([&](GroupOp group) { groups.push_back(group); });
    for (GroupOp group : groups)
      outline(group, symbols);
  }
};

struct RestoreGroupsPass final
    : inlay::impl::RestoreGroupsBase<RestoreGroupsPass> {
  void runOnOperation() override {
    if (llvm::Error error = restoreGroups(getOperation())) {
      getOperation()->emitError() << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }
};
} // namespace
