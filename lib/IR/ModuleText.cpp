//===- ModuleText.cpp - Modules as files of MLIR --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/ModuleText.h"
#include "inlay/IR/Diagnostics.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/InlayOps.h"
#include "inlay/IR/ModuleData.h"
#include "inlay/Support/StandardStreams.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SourceMgr.h"

using namespace inlay;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// The form for people leaves out attributes that have their default value,
/// but whether a model states them is to survive: files have the generic one.
static llvm::Expected<std::unique_ptr<OutputFile>> writeText(ModuleOp module,
                                                             StringRef path) {
  auto file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().enableDebugInfo().printGenericOpForm());
  os << '\n';
  if (llvm::Error error = (*file)->write(os.str()))
    return std::move(error);
  return file;
}

llvm::Expected<ModuleTextSummary> inlay::writeModule(ModuleOp module,
                                                     StringRef path) {
  llvm::Expected<std::unique_ptr<OutputFile>> data = nullptr;
  if (!isStandardStream(path))
    data = storeData(module, path);
  // Standard output has no folder: the text holds the bytes.
  else if (llvm::Error error = embedData(module))
    data = std::move(error);
  if (!data)
    return data.takeError();
  auto text = writeText(module, path);
  if (!text)
    return text.takeError();
  ModuleTextSummary summary;
  summary.textBytes = (*text)->getPosition();
  if (*data) {
    summary.dataBytes = (*data)->getPosition();
    summary.dataPath = (*data)->getPath().str();
    if (llvm::Error error = (*data)->commit())
      return std::move(error);
  }
  if (llvm::Error error = (*text)->commit())
    return std::move(error);
  return summary;
}

//===----------------------------------------------------------------------===//
// What a text may be
//===----------------------------------------------------------------------===//

/// The parser recurses for every bracket within brackets.
static constexpr unsigned maxNesting = 200;
/// As for models.
static constexpr int64_t maxRank = 64;

/// The text behind a string or a comment that begins at its front.
static StringRef skipQuoted(StringRef text) {
  if (text.starts_with("//"))
    return text.drop_until([](char c) { return c == '\n'; });
  size_t i = 1;
  for (; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
    i += text[i] == '\\';
  return text.drop_front(std::min(i + 1, text.size()));
}

/// Whether brackets nest no deeper than a module of ours would have them.
static bool isShallow(StringRef text) {
  unsigned depth = 0;
  while (!text.empty() && depth <= maxNesting) {
    if (text.front() == '"' || text.starts_with("//")) {
      text = skipQuoted(text);
      continue;
    }
    char c = text.front();
    depth += StringRef("([{<").contains(c);
    depth -= depth != 0 && StringRef(")]}>").contains(c);
    text = text.drop_front(text.starts_with("->") ? 2 : 1);
  }
  return depth <= maxNesting;
}

static llvm::Error checkText(StringRef text) {
  if (text.starts_with("ML\xefR"))
    return modelError("this is bytecode, whose reader is for trusted files "
                      "only: 'inlay-opt' turns it into text");
  if (text.contains('\0'))
    return modelError("the text contains a zero byte");
  if (!isShallow(text))
    return modelError("brackets nest more than " + Twine(maxNesting) + " deep");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// What a module may be
//===----------------------------------------------------------------------===//

static LogicalResult checkRegion(Region &region) {
  Operation *op = region.getParentOp();
  if (!region.hasOneBlock())
    return op->emitError("has a region of several blocks or none, a graph is "
                         "one");
  Block &block = region.front();
  if (block.empty() || !isa<YieldOp, func::ReturnOp>(block.back()))
    return op->emitError("has a region that does not end in a yield");
  return success();
}

static LogicalResult checkRank(Operation *op, TypeRange types) {
  for (Type type : types)
    if (auto ranked = dyn_cast<RankedTensorType>(type);
        ranked && ranked.getRank() > maxRank)
      return op->emitError() << "has a tensor of rank " << ranked.getRank()
                             << ", expected at most " << maxRank;
  return success();
}

/// An operation within a function.
static LogicalResult checkOperation(Operation *op) {
  if (!isa<InlayDialect>(op->getDialect()) &&
      !isa<func::CallOp, func::ReturnOp>(op))
    return op->emitError("is no operation of a graph");
  for (Region &region : op->getRegions()) {
    if (failed(checkRegion(region)) ||
        failed(checkRank(op, region.getArgumentTypes())))
      return failure();
  }
  return checkRank(op, op->getResultTypes());
}

/// A module of the dialect has graphs and nothing else.
static LogicalResult checkModule(ModuleOp module) {
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (!function || function.isDeclaration())
      return op.emitError("is no function with a body");
    if (failed(checkRegion(function.getBody())) ||
        failed(checkRank(&op, function.getArgumentTypes())))
      return failure();
    WalkResult walked = function.getBody().walk(
        [](Operation *inner) { return WalkResult(checkOperation(inner)); });
    if (walked.wasInterrupted())
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static llvm::Expected<OwningOpRef<ModuleOp>>
parseModule(MLIRContext &context, const MappedFile &file) {
  StringRef text(file.getBytes().data(), file.getSize());
  if (llvm::Error error = checkText(text))
    return std::move(error);
  // The lexer looks for a zero behind the text, which a mapped file lacks.
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, file.getPath()), {});
  bool allowed = context.allowsUnregisteredDialects();
  context.allowUnregisteredDialects(false);
  auto restore = llvm::make_scope_exit(
      [&] { context.allowUnregisteredDialects(allowed); });
  ErrorCollector errors(&context);
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module || failed(checkModule(*module)))
    return errors.take(ExitCode::Model);
  return module;
}

llvm::Expected<OwningOpRef<ModuleOp>>
inlay::readModule(MLIRContext &context, std::shared_ptr<const MappedFile> file,
                  ArrayRef<std::string> dataRoots) {
  context.loadDialect<InlayDialect, func::FuncDialect>();
  auto read = [&]() -> llvm::Expected<OwningOpRef<ModuleOp>> {
    auto module = parseModule(context, *file);
    if (!module)
      return module.takeError();
    ExternalFiles files(*file, dataRoots);
    if (llvm::Error error = bindData(**module, files))
      return std::move(error);
    if (llvm::Error error = restoreGroups(**module))
      return std::move(error);
    return module;
  };
  auto module = read();
  if (module)
    return module;
  std::string message;
  ExitCode code = takeError(module.takeError(), message);
  // What the parser says begins with the place.
  if (StringRef(message).starts_with(file->getPath()))
    return makeError(code, message);
  return makeError(code, file->getPath() + ": " + message);
}
