//===- StepReference.cpp - What a step should compute ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Codegen/StepReference.h"
#include "ProgramState.h"
#include "inlay/IR/Constants.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "inlay/Support/Error.h"
#include <cmath>

using namespace inlay;
using namespace mlir;

namespace {
/// Evaluates operations on values that are known. Groups and operators in a
/// layout are as deep as it goes.
class StepEvaluator {
public:
  llvm::Expected<SmallVector<HostTensor>> evaluate(Operation *op);
  void set(Value value, const HostTensor &tensor) { values[value] = tensor; }

private:
  llvm::Expected<HostTensor> lookup(Value value) const;
  llvm::Error runRegion(Region &region, ArrayRef<HostTensor> arguments,
                        SmallVectorImpl<HostTensor> &results);

  DenseMap<Value, HostTensor> values;
};
} // namespace

llvm::Expected<HostTensor> StepEvaluator::lookup(Value value) const {
  if (Attribute constant = getConstantValue(value))
    return getHostTensor(constant);
  auto it = values.find(value);
  if (it == values.end())
    return makeError(ExitCode::Internal, "value '" + getValueName(value) +
                                             "' is not what a step reads");
  return it->second;
}

llvm::Error StepEvaluator::runRegion(Region &region,
                                     ArrayRef<HostTensor> arguments,
                                     SmallVectorImpl<HostTensor> &results) {
  results.clear();
  for (auto [argument, tensor] :
       llvm::zip_equal(region.getArguments(), arguments))
    set(argument, tensor);
  for (Operation &op : region.front().without_terminator()) {
    if (isa<ConstantOp>(op))
      continue;
    auto computed = evaluate(&op);
    if (!computed)
      return addContext(describeNode(&op) + ": ", computed.takeError());
    for (auto [result, tensor] : llvm::zip_equal(op.getResults(), *computed))
      set(result, tensor);
  }
  for (Value value : region.front().getTerminator()->getOperands()) {
    auto tensor = lookup(value);
    if (!tensor)
      return tensor.takeError();
    results.push_back(std::move(*tensor));
  }
  return llvm::Error::success();
}

llvm::Expected<SmallVector<HostTensor>> StepEvaluator::evaluate(Operation *op) {
  SmallVector<HostTensor> operands;
  for (Value operand : op->getOperands()) {
    auto tensor = lookup(operand);
    if (!tensor)
      return tensor.takeError();
    operands.push_back(std::move(*tensor));
  }
  auto runner = [this](Region &region, ArrayRef<HostTensor> arguments,
                       SmallVectorImpl<HostTensor> &results) {
    return runRegion(region, arguments, results);
  };
  Evaluation evaluation(op, operands, runner);
  if (llvm::Error error = cast<EvaluateOpInterface>(op).evaluate(evaluation))
    return error;
  return SmallVector<HostTensor>(evaluation.getResults());
}

llvm::Expected<SmallVector<HostTensor>>
inlay::evaluateStep(Operation *op, ArrayRef<Value> reads,
                    ArrayRef<HostTensor> tensors) {
  StepEvaluator evaluator;
  for (auto [value, tensor] : llvm::zip_equal(reads, tensors))
    evaluator.set(value, tensor);
  return evaluator.evaluate(op);
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

llvm::Error StepChecker::beforeStep(const NativeStep &step,
                                    ArrayRef<HostTensor> tensors) {
  if (step.kind != StepKind::Kernel)
    return llvm::Error::success();
  auto results = evaluateStep(step.op, step.reads, tensors);
  if (!results)
    return results.takeError();
  expected = std::move(*results);
  // The step may write to what it has read.
  reads.clear();
  for (auto [value, tensor] : llvm::zip_equal(step.reads, tensors))
    reads.push_back(getConstantValue(value) ? tensor : copyTensor(tensor));
  return llvm::Error::success();
}

/// The comparison of the result that is most wrong.
TensorComparison StepChecker::findWorst(const NativeStep &step,
                                        ArrayRef<HostTensor> results,
                                        ArrayRef<ElementErrors> allowed) const {
  std::optional<TensorComparison> worst;
  CompareOptions limits = options;
  // Next to zero, one step of floats is much of a number.
  limits.least = 2 * double(std::numeric_limits<float>::denorm_min());
  for (auto [i, value, found] : llvm::enumerate(step.results, results)) {
    if (!found)
      continue;
    if (!allowed.empty())
      limits.allowed = allowed[i];
    const HostTensor &wanted =
        expected[cast<OpResult>(value).getResultNumber()];
    TensorComparison own =
        compareTensors(getValueName(value), wanted, found, limits);
    bool isWorse = !worst || (worst->isEqual && !own.isEqual) ||
                   (worst->isEqual == own.isEqual &&
                    own.relativeError > worst->relativeError);
    if (isWorse)
      worst = std::move(own);
  }
  return worst.value_or(TensorComparison());
}

llvm::Error StepChecker::afterStep(const NativeStep &step,
                                   ArrayRef<HostTensor> results) {
  if (step.kind != StepKind::Kernel)
    return llvm::Error::success();
  TensorComparison worst = findWorst(step, results, {});
  if (!worst.isEqual) {
    // What may be lost takes several times as long to find.
    auto allowed = boundErrors(step.op, step.reads, reads, step.outputsOfTile);
    if (!allowed)
      return allowed.takeError();
    if (*allowed)
      worst = findWorst(step, results, **allowed);
  }
  findings.push_back({&step, std::move(worst)});
  return llvm::Error::success();
}

std::vector<StepChecker::Finding> StepChecker::takeFindings() {
  llvm::sort(findings, [](const Finding &a, const Finding &b) {
    auto getKey = [](const TensorComparison &comparison) {
      return std::tuple(comparison.isEqual, -comparison.relativeError,
                        StringRef(comparison.name));
    };
    return getKey(a.comparison) < getKey(b.comparison);
  });
  return std::move(findings);
}
