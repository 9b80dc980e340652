//===- Compare.cpp - inlay compare ----------------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Compare.h"
#include "CompareReport.h"
#include "ModelPair.h"
#include "inlay/Pipeline/Bisect.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Inputs.h"
#include "inlay/Pipeline/Models.h"
#include "inlay/Pipeline/Native.h"
#include "inlay/Pipeline/Run.h"
#include "inlay/Pipeline/TensorFiles.h"
#include "inlay/Pipeline/Verify.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace inlay;
using namespace mlir;

using Tensors = std::vector<NamedTensor>;

//===----------------------------------------------------------------------===//
// The tensors of both sides
//===----------------------------------------------------------------------===//

namespace {
struct Sides {
  Tensors a, b;
};
} // namespace

static llvm::Expected<Judgement> judgeModels(const CompareRequest &request,
                                             Report &report) {
  std::unique_ptr<MLIRContext> context = createContext();
  auto pair = loadPair(*context, request);
  if (!pair)
    return pair.takeError();
  reportInputs(pair->inputsA, report);

  auto runA = runForJudge(*pair->a, pair->inputsA, request.progress);
  if (!runA)
    return addContext(request.a + ": ", runA.takeError());
  auto runB = runForJudge(*pair->b, pair->inputsB, request.progress);
  if (!runB)
    return addContext(request.b + ": ", runB.takeError());
  const std::string &lacking =
      runA->lacking.empty() ? runB->lacking : runA->lacking;
  if (!lacking.empty())
    report.addField("not_executed", "not executed", Cell::text(lacking));
  auto progress = [&](uint64_t done, uint64_t all) {
    if (request.progress)
      request.progress("looking inside", done, all);
  };
  SmallVector<HostTensor> tensorsA = getTensors(pair->inputsA);
  SmallVector<HostTensor> tensorsB = getTensors(pair->inputsB);
  bool isPartial = !lacking.empty();
  return judge({request.a, *pair->a, tensorsA, progress, isPartial},
               runA->outputs,
               {request.b, *pair->b, tensorsB, progress, isPartial},
               runB->outputs, request.options);
}

/// What the first model computes by the reference, and the second one as
/// machine code.
static llvm::Expected<Sides> runSides(const CompareRequest &request,
                                      Report &report) {
  std::unique_ptr<MLIRContext> context = createContext();
  auto model =
      loadFedModel(*context, request.a, request.import, request.inputs);
  if (!model)
    return model.takeError();
  reportInputs(model->inputs, report);
  auto a = runGraph(*model->module, model->inputs, request.progress);
  if (!a)
    return addContext(request.a + ": ", a.takeError());
  auto native = compileNative(*context,
                              {request.b, request.import, request.threads,
                               request.jobs, request.progress, request.choices},
                              model->inputs);
  if (!native)
    return addContext(request.b + ": ", native.takeError());
  reportProgram(native->program, report);
  Stopwatch watch;
  auto results = native->program.run(model->getTensors());
  if (!results)
    return addContext(request.b + ": ", results.takeError());
  report.addField("run_seconds", "run", Cell::seconds(watch.lap()));
  auto b = nameOutputs(*native->compiled.module, *results);
  if (!b)
    return b.takeError();
  return Sides{std::move(*a), std::move(*b)};
}

static bool isFolder(StringRef path) {
  return llvm::sys::fs::is_directory(path);
}

static bool holdsTensors(StringRef path) {
  return isTensorFileName(path) || isFolder(path);
}

static llvm::Expected<Sides> readSides(const CompareRequest &request) {
  if (isFolder(request.a) != isFolder(request.b))
    return usageError("one of '" + request.a + "' and '" + request.b +
                      "' is a folder, the other is not");
  auto read = isFolder(request.a) ? readTensorFolder : readTensors;
  auto a = read(request.a);
  if (!a)
    return a.takeError();
  auto b = read(request.b);
  if (!b)
    return b.takeError();
  // Two single tensors correspond, whatever they are called.
  bool areSingle = a->size() == 1 && b->size() == 1 && !isFolder(request.a);
  if (areSingle)
    b->front().name = a->front().name;
  return Sides{std::move(*a), std::move(*b)};
}

//===----------------------------------------------------------------------===//
// The comparison
//===----------------------------------------------------------------------===//

static TensorComparison getMissing(const NamedTensor &tensor, StringRef where) {
  TensorComparison result;
  result.name = tensor.name;
  result.type = tensor.tensor.getType();
  result.shape.assign(tensor.tensor.getShape().begin(),
                      tensor.tensor.getShape().end());
  result.isEqual = false;
  result.reason = ("missing in " + where).str();
  return result;
}

static std::vector<TensorComparison> compareAll(const Sides &sides,
                                                const CompareRequest &request) {
  llvm::StringMap<const NamedTensor *> rest;
  for (const NamedTensor &tensor : sides.b)
    rest[tensor.name] = &tensor;
  std::vector<TensorComparison> results;
  for (const NamedTensor &tensor : sides.a) {
    const NamedTensor *other = rest.lookup(tensor.name);
    rest.erase(tensor.name);
    results.push_back(other ? compareTensors(tensor.name, tensor.tensor,
                                             other->tensor, request.options)
                            : getMissing(tensor, request.b));
  }
  for (const NamedTensor &tensor : sides.b)
    if (rest.contains(tensor.name))
      results.push_back(getMissing(tensor, request.a));
  return results;
}

//===----------------------------------------------------------------------===//
// The report
//===----------------------------------------------------------------------===//

static void addVerdict(bool isEqual, const std::string &words,
                       CompareResult &result, Tone otherwise = Tone::Bad) {
  result.isEqual = isEqual;
  result.report.addVerdict("equal", "verdict", isEqual, words, otherwise);
}

static std::string describeCounts(size_t numDifferent, size_t numAll) {
  return numDifferent == 0 ? "equal"
                           : formatCount(numDifferent) + " of " +
                                 formatCount(numAll) + " differ";
}

static void addTensors(ArrayRef<TensorComparison> results,
                       CompareResult &result) {
  Table table = makeResultTable();
  for (const TensorComparison &each : results)
    addRow(each, getVerdict(each), table);
  result.report.addTable("outputs", "tensors", table);
  size_t numDifferent = llvm::count_if(
      results, [](const TensorComparison &each) { return !each.isEqual; });
  addVerdict(numDifferent == 0, describeCounts(numDifferent, results.size()),
             result);
}

static void addTables(const Judgement &judgement, Report &report) {
  Table outputs = makeResultTable(), instead = makeResultTable();
  for (const OutputJudgement &output : judgement.outputs) {
    addRow(output.comparison,
           output.blank.empty() ? getVerdict(output.comparison)
                                : output.blank + ": shows nothing",
           outputs);
    for (const TensorComparison &each : output.inFront)
      addRow(each, getVerdict(each), instead);
  }
  report.addTable("outputs", "outputs", outputs);
  report.addTable("compared_instead", "compared instead", instead);
}

static std::string describeVerdict(const Judgement &judgement) {
  size_t numDifferent = 0;
  for (const OutputJudgement &output : judgement.outputs)
    numDifferent +=
        !output.comparison.isEqual ||
        llvm::any_of(output.inFront, [](const TensorComparison &each) {
          return !each.isEqual;
        });
  std::string words = describeCounts(numDifferent, judgement.outputs.size());
  if (judgement.isWide)
    words += " in f64: what differs in f32 is " + describeNarrow(judgement);
  std::string blanks = describeBlanks(judgement);
  return blanks.empty() ? words : words + "; " + blanks;
}

/// Nothing that was compared is no proof of anything.
static void addJudgement(const Judgement &judgement, CompareResult &result) {
  addTables(judgement, result.report);
  if (judgement.first)
    addFirstDifference(*judgement.first, result.report);
  result.report.addField("compared_tensors", "",
                         Cell::count(judgement.countCompared()));
  result.report.addField("judged_in_f64", "", Cell::flag(judgement.isWide));
  result.report.addField("tensors_one_step_off", "",
                         Cell::count(judgement.numOneStepOff));
  if (judgement.isEqual() && judgement.countCompared() == 0) {
    std::string why = describeBlanks(judgement);
    if (why.empty())
      why = "the models have no outputs";
    result.report.addField("not_compared", "", Cell::text(why));
    return addVerdict(false, "not compared: " + why, result, Tone::Open);
  }
  addVerdict(judgement.isEqual(), describeVerdict(judgement), result);
}

llvm::Expected<CompareResult> inlay::compare(const CompareRequest &request) {
  bool areTensors = holdsTensors(request.a);
  if (areTensors != holdsTensors(request.b))
    return usageError("one of '" + request.a + "' and '" + request.b +
                      "' is a model, the other holds tensors");
  if (areTensors && (!request.inputs.empty() || request.isNative))
    return usageError("inputs and machine code are for models, and tensors "
                      "are compared");
  if (request.showsLayers && areTensors)
    return usageError("--layers is for models, and tensors are compared");
  if (request.showsLayers)
    return compareByLayer(request, "");
  CompareResult result;
  result.report.addField("a", "", Cell::text(request.a));
  result.report.addField("b", "", Cell::text(request.b));
  if (request.isNative) {
    auto sides = runSides(request, result.report);
    if (!sides)
      return sides.takeError();
    CompareRequest native = request;
    if (!request.options.isExplicit)
      native.options.tolerance = nativeTolerance;
    addTensors(compareAll(*sides, native), result);
    return result;
  }
  if (!areTensors) {
    auto judgement = judgeModels(request, result.report);
    if (!judgement)
      return judgement.takeError();
    addJudgement(*judgement, result);
    return result;
  }
  auto sides = readSides(request);
  if (!sides)
    return sides.takeError();
  addTensors(compareAll(*sides, request), result);
  return result;
}
