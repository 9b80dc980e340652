//===- Judge.cpp - Whether two graphs compute the same --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Runtime/Judge.h"
#include "Lockstep.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringMap.h"

using namespace inlay;
using namespace mlir;

using Outputs = std::vector<OutputJudgement>;

//===----------------------------------------------------------------------===//
// Judgement
//===----------------------------------------------------------------------===//

template <typename F>
static void forEachCompared(const Judgement &judgement, F fn) {
  for (const OutputJudgement &output : judgement.outputs) {
    fn(output.comparison, !output.blank.empty());
    for (const TensorComparison &tensor : output.inFront)
      fn(tensor, /*isBlank=*/false);
  }
}

bool Judgement::isEqual() const {
  bool isEqual = true;
  forEachCompared(*this, [&](const TensorComparison &tensor, bool) {
    isEqual &= tensor.isEqual;
  });
  return isEqual;
}

unsigned Judgement::countCompared() const {
  unsigned count = 0;
  forEachCompared(*this, [&](const TensorComparison &, bool isBlank) {
    count += !isBlank;
  });
  return count;
}

double Judgement::getLargestError() const {
  double largest = 0;
  forEachCompared(*this, [&](const TensorComparison &tensor, bool) {
    largest = std::max(largest, tensor.relativeError);
  });
  return largest;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

static OutputJudgement getMissing(StringRef name, const HostTensor &tensor,
                                  StringRef where) {
  OutputJudgement output;
  output.comparison.name = name.str();
  output.comparison.type = tensor.getType();
  output.comparison.shape.assign(tensor.getShape().begin(),
                                 tensor.getShape().end());
  output.comparison.isEqual = false;
  output.comparison.reason = ("missing in " + where).str();
  return output;
}

/// An output's name, which counts where it has none.
static std::string getName(func::FuncOp graph, unsigned index) {
  StringRef name = getOutputName(graph, index);
  return name.empty() ? "output " + std::to_string(index) : name.str();
}

/// The outputs of a graph by their names; one may be there several times.
static llvm::StringMap<const HostTensor *>
getByName(func::FuncOp graph, ArrayRef<HostTensor> outputs) {
  llvm::StringMap<const HostTensor *> byName;
  for (auto [i, tensor] : llvm::enumerate(outputs))
    byName[getName(graph, i)] = &tensor;
  return byName;
}

static OutputJudgement compareOutput(StringRef name, const HostTensor &a,
                                     const HostTensor &b,
                                     const CompareOptions &options) {
  OutputJudgement output;
  if (!a || !b) {
    output.comparison.name = name.str();
    output.blank = "not computed";
    return output;
  }
  output.comparison = compareTensors(name, a, b, options);
  if (output.comparison.isEqual)
    output.blank = findBlank(a);
  return output;
}

//===----------------------------------------------------------------------===//
// In front of outputs
//===----------------------------------------------------------------------===//

/// What a value is computed of.
static SmallVector<Value> getSources(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return {};
  if (auto group = dyn_cast<GroupOp>(op))
    return {group.getYielded()[cast<OpResult>(value).getResultNumber()]};
  llvm::SetVector<Value> sources(op->operand_begin(), op->operand_end());
  if (op->getNumRegions() != 0)
    getUsedValuesDefinedAbove(op->getRegions(), sources);
  return sources.takeVector();
}

/// The nearest tensors in front of `output` that show something and are not
/// `listed` yet.
static std::vector<TensorComparison>
findInFront(Value output, const DenseMap<Value, const LockstepTensor *> &all,
            DenseSet<Value> &listed) {
  std::vector<TensorComparison> found;
  llvm::SetVector<Value> seen;
  auto addSources = [&](Value value) {
    for (Value source : getSources(value))
      seen.insert(source);
  };
  addSources(output);
  for (size_t i = 0; i < seen.size(); ++i) {
    const LockstepTensor *tensor = all.lookup(seen[i]);
    bool shows = tensor && tensor->comparison &&
                 (tensor->blank.empty() || !tensor->comparison->isEqual);
    if (!shows)
      addSources(seen[i]);
    else if (listed.insert(seen[i]).second)
      found.push_back(*tensor->comparison);
  }
  return found;
}

static DenseMap<Value, const LockstepTensor *>
getByValue(const Lockstep &lockstep) {
  DenseMap<Value, const LockstepTensor *> all;
  for (const LockstepTensor &tensor : lockstep.tensors)
    all[tensor.value.a] = &tensor;
  return all;
}

static void addInFront(func::FuncOp graph, const Lockstep &lockstep,
                       Outputs &outputs) {
  DenseMap<Value, const LockstepTensor *> all = getByValue(lockstep);
  DenseSet<Value> listed;
  Operation *terminator = graph.getBody().front().getTerminator();
  for (auto [value, output] : llvm::zip(terminator->getOperands(), outputs))
    if (!output.blank.empty())
      output.inFront = findInFront(value, all, listed);
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

namespace {
class Judge {
public:
  Judge(const JudgedGraph &a, const JudgedGraph &b, func::FuncOp graphA,
        func::FuncOp graphB)
      : a(a), b(b), graphA(graphA), graphB(graphB) {}

  Judgement compare(ArrayRef<HostTensor> outputsA,
                    ArrayRef<HostTensor> outputsB,
                    const CompareOptions &options) const;
  /// Looks in front of outputs that show nothing.
  llvm::Error lookInFront(Judgement &judgement,
                          const CompareOptions &options) const;
  /// Judges again in f64, and finds the first difference.
  llvm::Error judgeWide(Judgement &judgement,
                        const CompareOptions &options) const;

private:
  const JudgedGraph &a, &b;
  func::FuncOp graphA, graphB;
};
} // namespace

Judgement Judge::compare(ArrayRef<HostTensor> outputsA,
                         ArrayRef<HostTensor> outputsB,
                         const CompareOptions &options) const {
  auto namesA = getByName(graphA, outputsA);
  auto namesB = getByName(graphB, outputsB);
  Judgement judgement;
  for (auto [i, tensor] : llvm::enumerate(outputsA)) {
    std::string name = getName(graphA, i);
    const HostTensor *other = namesB.lookup(name);
    judgement.outputs.push_back(
        other ? compareOutput(name, tensor, *other, options)
              : getMissing(name, tensor, b.name));
  }
  for (auto [i, tensor] : llvm::enumerate(outputsB))
    if (std::string name = getName(graphB, i); !namesA.contains(name))
      judgement.outputs.push_back(getMissing(name, tensor, a.name));
  return judgement;
}

static bool isAnyBlank(const Judgement &judgement) {
  return llvm::any_of(judgement.outputs, [](const OutputJudgement &output) {
    return !output.blank.empty();
  });
}

llvm::Error Judge::lookInFront(Judgement &judgement,
                               const CompareOptions &options) const {
  if (!isAnyBlank(judgement))
    return llvm::Error::success();
  auto lockstep = runInLockstep(a, b, options, /*isWide=*/false);
  if (!lockstep)
    return lockstep.takeError();
  addInFront(graphA, *lockstep, judgement.outputs);
  return llvm::Error::success();
}

/// Outputs that equal others are those: what they differed by is known from
/// before.
static void restoreErrors(func::FuncOp graph, const Lockstep &lockstep,
                          Outputs &outputs) {
  DenseMap<Value, const LockstepTensor *> all = getByValue(lockstep);
  Operation *terminator = graph.getBody().front().getTerminator();
  for (auto [value, output] : llvm::zip(terminator->getOperands(), outputs)) {
    const LockstepTensor *tensor = all.lookup(value);
    if (!tensor || !tensor->comparison || !output.comparison.isEqual)
      continue;
    std::string name = output.comparison.name;
    output.comparison = *tensor->comparison;
    output.comparison.name = name;
  }
}

llvm::Error Judge::judgeWide(Judgement &judgement,
                             const CompareOptions &options) const {
  CompareOptions wideOptions;
  wideOptions.tolerance = wideTolerance;
  auto lockstep = runInLockstep(a, b, wideOptions, /*isWide=*/true);
  if (!lockstep)
    return lockstep.takeError();
  Judgement wide = compare(lockstep->outputsA, lockstep->outputsB, wideOptions);
  restoreErrors(graphA, *lockstep, wide.outputs);
  addInFront(graphA, *lockstep, wide.outputs);
  if (!options.isExplicit && wide.isEqual() && wide.countCompared() != 0) {
    wide.isWide = true;
    wide.narrowError = judgement.getLargestError();
    wide.numOneStepOff =
        llvm::count_if(lockstep->tensors, [](const LockstepTensor &tensor) {
          return tensor.isOneStepOff;
        });
    judgement = std::move(wide);
    return llvm::Error::success();
  }
  for (double tolerance : {options.tolerance, wideTolerance}) {
    auto first = describeFirst(a, *lockstep, tolerance);
    if (!first)
      return first.takeError();
    judgement.first = std::move(*first);
    if (judgement.first)
      break;
  }
  return llvm::Error::success();
}

llvm::Expected<Judgement> inlay::judge(const JudgedGraph &a,
                                       ArrayRef<HostTensor> outputsA,
                                       const JudgedGraph &b,
                                       ArrayRef<HostTensor> outputsB,
                                       const CompareOptions &options) {
  auto graphA = getGraph(a.module), graphB = getGraph(b.module);
  if (!graphA || !graphB)
    return llvm::joinErrors(graphA.takeError(), graphB.takeError());
  Judge judge(a, b, *graphA, *graphB);
  Judgement judgement = judge.compare(outputsA, outputsB, options);
  if (llvm::Error error = judge.lookInFront(judgement, options))
    return error;
  if (judgement.isEqual())
    return judgement;
  if (llvm::Error error = judge.judgeWide(judgement, options)) {
    // What f64 cannot be computed in stays judged by f32.
    llvm::consumeError(std::move(error));
  }
  return judgement;
}
