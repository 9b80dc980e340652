//===- Models.cpp - Models as the commands name them ----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Models.h"
#include "inlay/IR/InlayDialect.h"
#include "inlay/ONNX/OpTypes.h"
#include "inlay/ONNX/ProtoReader.h"
#include "inlay/Support/Error.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

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

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
inlay::loadModel(mlir::MLIRContext &context, llvm::StringRef path,
                 const ImportOptions &options) {
  auto file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  if (!options.dims.empty() || !options.shapes.empty()) {
    auto parsed = parseModel(*file);
    if (!parsed)
      return parsed.takeError();
    if (llvm::Error error = checkOptions((*parsed)->message.graph, options))
      return addContext(path + ": ", std::move(error));
  }
  return importModel(context, std::move(*file), options);
}

llvm::Expected<ModelStats> inlay::getModelStats(mlir::ModuleOp module) {
  return computeModelStats(module, getOnnxOpType);
}

uint64_t inlay::getInputBytes(mlir::MLIRContext &context,
                              llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return 0;
  llvm::sys::fs::UniqueID id = status.getUniqueID();
  MappedFile::Identity model{id.getDevice(), id.getFile()};
  uint64_t total = status.getSize();
  auto *dialect = context.getLoadedDialect<InlayDialect>();
  for (const auto &file : dialect->getDataFiles().getFiles())
    if (!file->isInMemory() && file->getIdentity() != model)
      total += file->getSize();
  return total;
}
