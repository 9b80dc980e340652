//===- FirstDifference.cpp - The first node that differs ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/FirstDifference.h"
#include "Lockstep.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "inlay/Runtime/Executor.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// What the node read
//===----------------------------------------------------------------------===//

TensorRange inlay::measureTensor(StringRef name, const HostTensor &tensor) {
  TensorRange range;
  range.name = name.str();
  range.type = tensor.getType();
  range.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  if (tensor.getType() == ElementType::String || isComplex(tensor.getType()))
    return range;
  bool isFirst = true;
  for (int64_t i = 0, e = tensor.getNumElements(); i != e; ++i) {
    double value = tensor.getDouble(i);
    if (std::isnan(value)) {
      ++range.numNaNs;
      continue;
    }
    range.min = isFirst ? value : std::min(range.min, value);
    range.max = isFirst ? value : std::max(range.max, value);
    isFirst = false;
  }
  return range;
}

/// The tensors of values that are computed once, by executing the graph again.
static llvm::Error collectTensors(const JudgedGraph &graph,
                                  DenseMap<Value, HostTensor> &tensors) {
  ExecuteOptions options;
  options.isWide = true;
  options.isPartial = graph.isPartial;
  options.visit = [&](Value value, HostTensor &tensor) {
    if (auto it = tensors.find(value); it != tensors.end())
      it->second = tensor;
  };
  return execute(graph.module, graph.inputs, options).takeError();
}

static llvm::Expected<HostTensor> readInput(const JudgedGraph &graph,
                                            BlockArgument argument) {
  const HostTensor &given = graph.inputs[argument.getArgNumber()];
  if (given)
    return given;
  auto function = getGraph(graph.module);
  if (!function)
    return function.takeError();
  return getHostTensor(getInputDefault(*function, argument.getArgNumber()));
}

static llvm::Expected<std::vector<TensorRange>>
measureOperands(const JudgedGraph &graph, Operation *op) {
  DenseMap<Value, HostTensor> tensors;
  for (Value operand : op->getOperands()) {
    tensors[operand] = HostTensor();
    auto argument = dyn_cast<BlockArgument>(operand);
    Attribute constant = getConstantValue(operand);
    if (!argument && !constant)
      continue;
    auto tensor =
        constant ? getHostTensor(constant) : readInput(graph, argument);
    if (!tensor)
      return tensor.takeError();
    tensors[operand] = std::move(*tensor);
  }
  if (llvm::Error error = collectTensors(graph, tensors))
    return error;
  std::vector<TensorRange> ranges;
  for (Value operand : op->getOperands()) {
    const HostTensor &tensor = tensors[operand];
    if (!tensor)
      continue;
    TensorRange range = measureTensor(getValueName(operand), tensor);
    // As the model says, not as it was computed here.
    range.type =
        getOnnxElementType(getElementType(operand)).value_or(range.type);
    ranges.push_back(std::move(range));
  }
  return ranges;
}

//===----------------------------------------------------------------------===//
// The node
//===----------------------------------------------------------------------===//

static bool differs(const LockstepTensor &tensor, double tolerance) {
  return tensor.comparison && !tensor.comparison->isEqual &&
         tensor.comparison->relativeError > tolerance;
}

static std::string getOpType(Operation *op) {
  OriginAttr origin = getFirstOrigin(op->getLoc());
  return origin ? origin.getOpType().str() : op->getName().getStringRef().str();
}

llvm::Expected<std::optional<FirstDifference>>
inlay::describeFirst(const JudgedGraph &a, const Lockstep &lockstep,
                     double tolerance) {
  auto found = llvm::find_if(lockstep.tensors, [&](const auto &tensor) {
    return differs(tensor, tolerance);
  });
  if (found == lockstep.tensors.end())
    return std::nullopt;
  Operation *op = found->value.a.getDefiningOp();
  auto operands = measureOperands(a, op);
  if (!operands)
    return operands.takeError();
  return FirstDifference{getNodeName(op), getOpType(op), *found->comparison,
                         std::move(*operands)};
}

llvm::Expected<std::optional<FirstDifference>>
inlay::findFirstDifference(const JudgedGraph &a, const JudgedGraph &b,
                           double tolerance) {
  CompareOptions options;
  options.tolerance = wideTolerance;
  auto lockstep = runInLockstep(a, b, options, /*isWide=*/true);
  if (!lockstep)
    return lockstep.takeError();
  return describeFirst(a, *lockstep, tolerance);
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

std::string inlay::formatIndex(ArrayRef<int64_t> index) {
  std::string text = "[";
  for (auto [i, at] : llvm::enumerate(index))
    text += (i ? "," : "") + std::to_string(at);
  return text + "]";
}

static void print(const TensorRange &range, llvm::raw_ostream &os) {
  os << (range.name.empty() ? "a tensor" : range.name) << " ("
     << getName(range.type) << ' ' << formatShape(range.shape) << ", "
     << llvm::format("%g to %g", range.min, range.max);
  if (range.numNaNs != 0)
    os << ", " << range.numNaNs << " NaN";
  os << ')';
}

std::string inlay::describe(const FirstDifference &difference) {
  std::string text;
  llvm::raw_string_ostream os(text);
  const TensorComparison &tensor = difference.tensor;
  os << "node '" << difference.node << "' (" << difference.opType << "): '"
     << tensor.name << "' ";
  if (tensor.hasWorst)
    os << "at " << formatIndex(tensor.worst) << " is "
       << llvm::format("%.9g and %.9g", tensor.worstA, tensor.worstB);
  else
    os << "differs: " << tensor.reason;
  for (auto [i, range] : llvm::enumerate(difference.operands)) {
    os << (i ? ", " : "; it reads ");
    print(range, os);
  }
  return text;
}
