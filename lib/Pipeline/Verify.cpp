//===- Verify.cpp - Executing a model before and after --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Verify.h"
#include "inlay/IR/FactInterfaces.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/Pipeline/Run.h"
#include "inlay/Runtime/RoundedConstants.h"
#include "llvm/Support/MathExtras.h"

using namespace inlay;
using namespace mlir;

static std::optional<uint64_t> countElements(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || !ranked.hasStaticShape())
    return std::nullopt;
  return ranked.getNumElements();
}

static std::optional<uint64_t> estimateOperation(Operation *op) {
  if (auto products = dyn_cast<ProductOpInterface>(op))
    return products.countProducts();
  uint64_t elements = 0;
  for (Type type : op->getResultTypes()) {
    std::optional<uint64_t> count = countElements(type);
    if (!count)
      return std::nullopt;
    elements = llvm::SaturatingAdd(elements, *count);
  }
  return llvm::SaturatingMultiply<uint64_t>(elements, 16);
}

static bool repeats(Operation *op) {
  auto transmit = dyn_cast<LayoutTransmitOpInterface>(op);
  return op->getNumRegions() != 0 && transmit &&
         transmit.getControlFlow().repeats;
}

std::optional<uint64_t> inlay::estimateWork(ModuleOp module) {
  uint64_t total = 0;
  WalkResult walked = module.walk([&](Operation *op) {
    if (op->getNumResults() == 0 || isa<ConstantOp>(op))
      return WalkResult::advance();
    // Loops run as often as they like, and what is opaque cannot be run.
    if (isa<OpaqueOp>(op) || repeats(op))
      return WalkResult::interrupt();
    std::optional<uint64_t> work = estimateOperation(op);
    if (!work)
      return WalkResult::interrupt();
    total = llvm::SaturatingAdd(total, *work);
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return std::nullopt;
  return total;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// "output 'y' is all NaN, output 'z' is empty".
static std::string listBlanks(const Judgement &judgement) {
  std::string text;
  for (const OutputJudgement &output : judgement.outputs)
    if (!output.blank.empty())
      text += (text.empty() ? "" : ", ") +
              ("output '" + output.comparison.name + "' is " + output.blank);
  return text;
}

std::string inlay::describeBlanks(const Judgement &judgement) {
  std::string blanks = listBlanks(judgement);
  if (blanks.empty())
    return "";
  size_t count = 0;
  for (const OutputJudgement &output : judgement.outputs)
    count += output.inFront.size();
  if (count == 0)
    return blanks + ": nothing in front of it could be compared instead";
  return blanks + ": " + formatCount(count) +
         (count == 1 ? " tensor" : " tensors") +
         " in front of it compared instead";
}

std::string inlay::describeNarrow(const Judgement &judgement) {
  unsigned count = judgement.numOneStepOff;
  if (count == 0)
    return "rounding";
  return "rounding and " + formatCount(count) + " quantised " +
         (count == 1 ? "tensor" : "tensors") +
         " one step off, as integer operators may be";
}

static std::string describeDifference(const Judgement &judgement) {
  for (const OutputJudgement &output : judgement.outputs) {
    const TensorComparison *tensor =
        output.comparison.isEqual ? nullptr : &output.comparison;
    for (const TensorComparison &each : output.inFront)
      tensor = tensor || each.isEqual ? tensor : &each;
    if (!tensor)
      continue;
    std::string text = (output.comparison.isEqual ? "tensor '" : "output '") +
                       tensor->name + "' differs" +
                       (tensor->reason.empty() ? "" : ": " + tensor->reason);
    return judgement.first ? text + "; first at " + describe(*judgement.first)
                           : text;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static SmallVector<HostTensor> getTensors(ArrayRef<GraphInput> inputs) {
  return llvm::map_to_vector(
      inputs, [](const GraphInput &input) { return input.tensor; });
}

llvm::Expected<Verification>
inlay::verifyEqual(ModuleOp before, ModuleOp after, bool roundsAgain,
                   const ProgressFunction &progress) {
  auto graph = getGraph(before);
  if (!graph)
    return graph.takeError();
  auto fail = [](llvm::Error error) {
    Verification result;
    takeError(std::move(error), result.obstacle);
    return result;
  };
  auto inputs = readInputs(*graph, {});
  if (!inputs)
    return fail(inputs.takeError());
  auto a = runForJudge(before, *inputs, progress);
  if (!a)
    return fail(a.takeError());
  auto b = runForJudge(after, *inputs, progress);
  if (!b)
    return b.takeError();
  CompareOptions options;
  if (roundsAgain)
    options.tolerance = 1e-5;
  SmallVector<HostTensor> tensors = getTensors(*inputs);
  bool isPartial = !a->lacking.empty() || !b->lacking.empty();
  auto judgement =
      judge({"the model", before, tensors, nullptr, isPartial}, a->outputs,
            {"the compiled model", after, tensors, nullptr, isPartial},
            b->outputs, options);
  if (!judgement)
    return judgement.takeError();
  Verification result;
  result.judgement = std::move(*judgement);
  result.difference = describeDifference(result.judgement);
  if (result.difference.empty()) {
    // f64 knows no rounding of constants; that is judged by itself.
    auto rounding = checkComputedConstants(after);
    if (!rounding)
      return rounding.takeError();
    result.difference = std::move(*rounding);
  }
  if (result.judgement.countCompared() == 0)
    result.blank =
        isPartial ? a->lacking + b->lacking : describeBlanks(result.judgement);
  result.assumed = getAssumedExtents(*inputs);
  return result;
}
