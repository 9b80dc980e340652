//===- Models.cpp - Models as the commands name them ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Models.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/ModuleState.h"
#include "inlay/IR/ModuleText.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/ONNX/ProtoReader.h"
#include "inlay/Pipeline/RunPasses.h"
#include "inlay/Support/Error.h"
#include "inlay/Support/StandardStreams.h"
#include "inlay/Transforms/Hardware/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace inlay;

using Names = llvm::SetVector<llvm::StringRef>;

/// The symbols of the dimensions of inputs, and the inputs' names.
static void collectNames(const proto::Graph &graph, Names &dims,
                         Names &inputs) {
  for (const proto::ValueInfo &input : graph.inputs) {
    inputs.insert(input.name);
    if (!input.type)
      continue;
    for (const proto::Dim &dim : input.type->dims)
      if (dim.kind == proto::Dim::Kind::Param && !dim.param.empty())
        dims.insert(dim.param);
  }
}

static llvm::Error checkName(llvm::StringRef kind, llvm::StringRef name,
                             const Names &known) {
  if (known.contains(name))
    return llvm::Error::success();
  if (known.empty())
    return usageError("no " + kind + " is named '" + name +
                      "': the model has none");
  return usageError("no " + kind + " is named '" + name +
                    "', expected one of " + llvm::join(known, ", "));
}

static llvm::Error checkOptions(const proto::Graph &graph,
                                const ImportOptions &options) {
  Names dims, inputs;
  collectNames(graph, dims, inputs);
  for (const auto &entry : options.dims)
    if (llvm::Error error =
            checkName("dimension of an input", entry.getKey(), dims))
      return error;
  for (const auto &entry : options.shapes)
    if (llvm::Error error = checkName("input", entry.getKey(), inputs))
      return error;
  return llvm::Error::success();
}

/// Which option gives a dimension no elements, or "".
static std::string findZero(const ImportOptions &options) {
  llvm::SmallVector<std::string> found;
  for (const auto &entry : options.dims)
    if (entry.getValue() == 0)
      found.push_back(("--dim " + entry.getKey() + "=0").str());
  for (const auto &entry : options.shapes)
    if (llvm::is_contained(entry.getValue(), 0))
      found.push_back(("--shape of '" + entry.getKey() + "'").str());
  // The maps have no order.
  llvm::sort(found);
  return found.empty() ? "" : found.front();
}

/// A dimension without elements is of use where something is computed all the
/// same, as by a decoder without a past.
static llvm::Error checkNotEmpty(mlir::ModuleOp module,
                                 const ImportOptions &options) {
  std::string zero = findZero(options);
  if (zero.empty())
    return llvm::Error::success();
  auto graph = getGraph(module);
  if (!graph)
    return graph.takeError();
  for (auto [i, type] : llvm::enumerate(graph->getResultTypes())) {
    auto ranked = mlir::dyn_cast<mlir::RankedTensorType>(type);
    if (ranked && llvm::is_contained(ranked.getShape(), 0))
      return usageError(zero + " leaves output '" + getOutputName(*graph, i) +
                        "' without elements");
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// MLIR
//===----------------------------------------------------------------------===//

/// Whether a group or an operator in a layout is of another target.
static bool isOfAnother(mlir::ModuleOp module, llvm::StringRef target) {
  return module
      .walk([&](mlir::Operation *op) {
        auto group = mlir::dyn_cast<GroupOp>(op);
        auto wrapped = mlir::dyn_cast<InLayoutOp>(op);
        bool isOther = (group && group.getTarget() != target) ||
                       (wrapped && wrapped.getTarget() != target);
        return isOther ? mlir::WalkResult::interrupt()
                       : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// What was made for another target becomes plain operators, as in a model.
static llvm::Error leaveTarget(mlir::ModuleOp module) {
  mlir::PassManager passes(module->getName());
  passes.addPass(createInlineGroups());
  if (llvm::Error error = runPasses(module, passes))
    return error;
  llvm::SmallVector<InLayoutOp> wrapped;
  module.walk([&](InLayoutOp op) { wrapped.push_back(op); });
  for (InLayoutOp op : wrapped)
    inlineInLayout(op);
  return llvm::Error::success();
}

/// Reads a module that was written earlier.
static llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
loadModule(mlir::MLIRContext &context, std::shared_ptr<const MappedFile> file,
           const ImportOptions &options) {
  if (!options.dims.empty() || !options.shapes.empty())
    return usageError("--dim and --shape are for ONNX models: '" +
                      file->getPath() +
                      "' has the extents that it was written with");
  auto module = readModule(context, std::move(file), options.dataRoots);
  if (!module)
    return module.takeError();
  // One that was cut goes on for the target that it says.
  bool isCut = (**module)->hasAttr(restAttr);
  if (!isCut && options.target && isOfAnother(**module, *options.target))
    if (llvm::Error error = leaveTarget(**module))
      return std::move(error);
  return module;
}

llvm::Expected<std::shared_ptr<const MappedFile>>
inlay::openModel(llvm::StringRef path) {
  return isStandardStream(path) ? readStandardInput() : MappedFile::open(path);
}

/// Standard input has no name that would say so, but no model begins like that.
bool inlay::isModule(const MappedFile &file) {
  if (file.getPath() != standardInputName)
    return llvm::sys::path::extension(file.getPath()) == ".mlir";
  llvm::StringRef text(file.getBytes().data(), file.getSize());
  return llvm::any_of(
      std::initializer_list<llvm::StringRef>{"\"builtin.module\"", "module",
                                             "#", "//", "ML\xefR"},
      [&](llvm::StringRef front) { return text.ltrim().starts_with(front); });
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
inlay::loadModel(mlir::MLIRContext &context,
                 std::shared_ptr<const MappedFile> file,
                 const ImportOptions &options) {
  std::string path = file->getPath().str();
  if (isModule(*file))
    return loadModule(context, std::move(file), options);
  if (!options.dims.empty() || !options.shapes.empty()) {
    auto parsed = parseModel(file);
    if (!parsed)
      return parsed.takeError();
    if (llvm::Error error = checkOptions((*parsed)->message.graph, options))
      return addContext(path + ": ", std::move(error));
  }
  auto module = importModel(context, std::move(file), options);
  if (!module)
    return module.takeError();
  if (llvm::Error error = checkNotEmpty(**module, options))
    return addContext(path + ": ", std::move(error));
  return module;
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
inlay::loadModel(mlir::MLIRContext &context, llvm::StringRef path,
                 const ImportOptions &options) {
  auto file = openModel(path);
  if (!file)
    return file.takeError();
  return loadModel(context, std::move(*file), options);
}

llvm::Expected<ModelStats> inlay::getModelStats(mlir::ModuleOp module) {
  return computeModelStats(module, getOnnxOpType);
}

/// Of the model's file alone.
static uint64_t getFileBytes(llvm::StringRef path) {
  auto file = openModel(path);
  if (file)
    return (*file)->getSize();
  llvm::consumeError(file.takeError());
  return 0;
}

uint64_t inlay::getInputBytes(mlir::MLIRContext &context,
                              llvm::StringRef path) {
  MappedFile::Identity model;
  llvm::sys::fs::UniqueID id;
  if (!isStandardStream(path) && !llvm::sys::fs::getUniqueID(path, id))
    model = {id.getDevice(), id.getFile()};
  uint64_t total = getFileBytes(path);
  auto *dialect = context.getLoadedDialect<InlayDialect>();
  for (const auto &file : dialect->getDataFiles().getFiles())
    if (!file->isInMemory() && file->getIdentity() != model)
      total += file->getSize();
  return total;
}

llvm::Error inlay::checkOutputPath(mlir::MLIRContext &context,
                                   llvm::StringRef model,
                                   llvm::StringRef output) {
  llvm::sys::fs::UniqueID id, own;
  if (isStandardStream(output) || llvm::sys::fs::getUniqueID(output, id))
    return llvm::Error::success();
  if (!llvm::sys::fs::getUniqueID(model, own) && id == own)
    return llvm::Error::success();
  MappedFile::Identity identity{id.getDevice(), id.getFile()};
  auto *dialect = context.getLoadedDialect<InlayDialect>();
  for (const auto &file : dialect->getDataFiles().getFiles())
    if (!file->isInMemory() && file->getIdentity() == identity)
      return usageError("'" + output +
                        "' holds weights of the model: choose another name");
  return llvm::Error::success();
}
