//===- IoLayouts.cpp - How inputs and outputs are to be stored ------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Layout/IoLayouts.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/StoredForm.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace mlir;

/// The input or output of a graph with this name.
static Value findPort(func::FuncOp graph, StringRef name) {
  for (BlockArgument argument : graph.getArguments())
    if (getInputName(graph, argument.getArgNumber()) == name)
      return argument;
  Operation *end = graph.getBody().front().getTerminator();
  for (OpOperand &operand : end->getOpOperands())
    if (getOutputName(graph, operand.getOperandNumber()) == name)
      return operand.get();
  return {};
}

static llvm::Error addIoLayout(func::FuncOp graph, StringRef spec,
                               LayoutGraphOptions &options) {
  auto [name, text] = spec.rsplit(':');
  if (name.empty() || text.empty())
    return usageError("--io-layout '" + spec +
                      "': expected NAME:LAYOUT, such as x:NHWC");
  Value port = findPort(graph, name);
  if (!port)
    return usageError("--io-layout '" + spec +
                      "': the model has no input or output '" + name + "'");
  auto type = dyn_cast<RankedTensorType>(port.getType());
  unsigned rank = type ? type.getRank() : 0;
  if (!type || text.size() != rank)
    return usageError("--io-layout '" + spec + "': '" + text + "' names " +
                      Twine(text.size()) + " axes, '" + name + "' has " +
                      (type ? Twine(rank) : Twine("an unknown number")) +
                      " of them");
  auto order = getRuleOrder(getDataAxes(rank).value_or(""), text);
  if (!order)
    return usageError("--io-layout '" + spec + "': '" + text +
                      "' is not an order of the axes " +
                      getDataAxes(rank).value_or(""));
  options.ioOrders[name] = *order;
  return llvm::Error::success();
}

llvm::Error inlay::addIoLayouts(func::FuncOp graph, ArrayRef<std::string> specs,
                                LayoutGraphOptions &options) {
  for (const std::string &spec : specs)
    if (llvm::Error error = addIoLayout(graph, spec, options))
      return error;
  return llvm::Error::success();
}
