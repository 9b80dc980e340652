//===- TensorDump.cpp - Tensors of a run, a file each ---------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorDump.h"
#include "RangeCells.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"
#include "inlay/Pipeline/GraphPart.h"
#include "inlay/Pipeline/TensorFiles.h"
#include "inlay/Support/Error.h"
#include "llvm/Support/FileSystem.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

static bool isPassedOn(Operation *op) {
  auto group = dyn_cast<GroupOp>(op);
  return group && !wasCalled(group);
}

static void addResults(Operation *op, SmallVectorImpl<Value> &values) {
  if (isa<ConstantOp>(op) || isPassedOn(op))
    return;
  for (Value result : op->getResults())
    if (!result.use_empty())
      values.push_back(result);
}

SmallVector<Value> inlay::getComputedValues(func::FuncOp graph) {
  SmallVector<Value> values;
  graph.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    addResults(op, values);
    bool runsAgain = op->getNumRegions() != 0 && !isa<GroupOp>(op);
    return runsAgain ? WalkResult::skip() : WalkResult::advance();
  });
  return values;
}

SmallVector<Value> inlay::getComputedValues(const NativeProgram &program) {
  llvm::SetVector<Value> values;
  for (const NativeStep *step : program.getSteps())
    if (isa<func::FuncOp>(step->op->getParentOp()))
      values.insert(step->results.begin(), step->results.end());
  return values.takeVector();
}

//===----------------------------------------------------------------------===//
// What is asked for
//===----------------------------------------------------------------------===//

static std::string getNode(Value value) {
  return getNodeName(value.getDefiningOp());
}

static llvm::Error makeNameError(StringRef name, ArrayRef<Value> values) {
  std::vector<std::string> all;
  for (Value value : values) {
    all.push_back(getPartName(value));
    all.push_back(getNode(value));
  }
  SmallVector<StringRef> known(all.begin(), all.end());
  return usageError("--only: no node computes a tensor " +
                    quoteForMessage(name) + suggest(name, known));
}

llvm::Error TensorDump::select(ArrayRef<Value> values,
                               ArrayRef<std::string> only) {
  llvm::StringMap<SmallVector<Value>> byName;
  for (Value value : values) {
    byName[getPartName(value)].push_back(value);
    if (std::string node = getNode(value); node != getPartName(value))
      byName[node].push_back(value);
  }
  DenseSet<Value> wanted;
  for (StringRef list : only) {
    SmallVector<StringRef> names = {list};
    if (!byName.contains(list)) {
      names.clear();
      list.split(names, ',', -1, /*KeepEmpty=*/false);
    }
    for (StringRef name : names) {
      auto it = byName.find(name);
      if (it == byName.end())
        return makeNameError(name, values);
      wanted.insert(it->second.begin(), it->second.end());
    }
  }
  SmallVector<Value> chosen;
  std::vector<std::string> names;
  for (Value value : values)
    if (only.empty() || wanted.contains(value)) {
      chosen.push_back(value);
      names.push_back(getPartName(value));
    }
  for (auto [value, file] : llvm::zip_equal(chosen, chooseFileNames(names)))
    files[value] = file;
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<TensorDump>>
TensorDump::create(ArrayRef<Value> values, StringRef folder,
                   ArrayRef<std::string> only) {
  std::unique_ptr<TensorDump> dump(new TensorDump(folder));
  if (llvm::Error error = dump->select(values, only))
    return error;
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return ioError("cannot make folder '" + folder + "': " + code.message());
  return dump;
}

//===----------------------------------------------------------------------===//
// What is written
//===----------------------------------------------------------------------===//

llvm::Error TensorDump::write(Value value, const HostTensor &tensor) {
  auto it = files.find(value);
  if (it == files.end() || !tensor)
    return llvm::Error::success();
  auto file = writeTensor(folder, it->second, {getPartName(value), tensor});
  if (!file)
    return file.takeError();
  RangeCells range = measureRange(tensor);
  OriginAttr origin = getFirstOrigin(value.getLoc());
  table.addRow({Cell::text(getPartName(value)), Cell::text(getNode(value)),
                origin ? Cell::text(origin.getOpType()) : Cell::none(),
                Cell::text(getName(tensor.getType())),
                Cell::dims(tensor.getShape()), range.min, range.max, range.mean,
                Cell::text(*file)});
  ++numWritten;
  numBytes += tensor.getBytes().size();
  return llvm::Error::success();
}

void TensorDump::add(Value value, const HostTensor &tensor) {
  if (failureCode == 0)
    if (llvm::Error error = write(value, tensor))
      failureCode = int(takeError(std::move(error), failure));
}

llvm::Error TensorDump::takeFailure() {
  if (failureCode == 0)
    return llvm::Error::success();
  return makeError(ExitCode(failureCode), failure);
}

llvm::Error TensorDump::afterStep(const NativeStep &step,
                                  ArrayRef<HostTensor> results) {
  for (auto [value, tensor] : llvm::zip_equal(step.results, results))
    add(value, tensor);
  return takeFailure();
}

llvm::Error TensorDump::finish(Report &report) {
  if (llvm::Error error = takeFailure())
    return error;
  report.addField("dump", "tensors in", Cell::text(folder));
  report.addField("dumped_tensors", "tensors written", Cell::count(numWritten));
  report.addField("dumped_bytes", "", Cell::bytes(numBytes));
  report.addTable("dumped", "", std::move(table));
  return llvm::Error::success();
}
