//===- inlay-opt.cpp - Runs passes on modules -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataPasses.h"
#include "inlay/Pipeline/Context.h"
#include "inlay/Pipeline/Pipeline.h"
#include "inlay/Transforms/Rewrite/MatchLog.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"

/// What prints the whole module: names of nodes are in locations, and the form
/// for people leaves out attributes that have their default value. `=false`
/// behind an option takes it back.
static void addUnlessGiven(llvm::SmallVectorImpl<char *> &words,
                           const char *option) {
  llvm::StringRef name = llvm::StringRef(option).ltrim('-');
  bool isGiven = llvm::any_of(words, [&](llvm::StringRef word) {
    return word.ltrim('-').starts_with(name);
  });
  if (!isGiven)
    words.insert(words.begin() + 1, const_cast<char *>(option));
}

/// Puts the passes around the user's that keep a module and its data together.
static mlir::MlirOptMainConfig getConfig(llvm::StringRef input,
                                         llvm::StringRef output) {
  auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  // Chunks of one file have one output, and a pipe has no place beside it.
  bool isStored = output != "-" && config.inputSplitMarker().empty();
  auto asked = config;
  config.setPassPipelineSetupFn([=](mlir::PassManager &passes) {
    passes.addPass(inlay::createCheckData(input));
    if (mlir::failed(asked.setupPassPipeline(passes)))
      return mlir::failure();
    if (isStored)
      passes.addPass(inlay::createStoreData(output));
    return mlir::success();
  });
  return config;
}

static mlir::LogicalResult run(llvm::StringRef input, llvm::StringRef output,
                               mlir::DialectRegistry &registry) {
  std::string error;
  auto file = mlir::openInputFile(input, &error);
  auto out = file ? mlir::openOutputFile(output, &error) : nullptr;
  if (!out) {
    llvm::errs() << error << "\n";
    return mlir::failure();
  }
  inlay::allowDataOf(registry, input);
  if (mlir::failed(mlir::MlirOptMain(out->os(), std::move(file), registry,
                                     getConfig(input, output))))
    return mlir::failure();
  out->keep();
  return mlir::success();
}

namespace {
/// What can be told while passes run. Release builds of LLVM have no
/// --debug-only.
enum class LogArea : uint8_t { Rewrite };
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::registerTransformsPasses();
  inlay::registerInlayPasses();
  mlir::DialectRegistry registry;
  inlay::registerDialects(registry);
  llvm::cl::list<LogArea> logged(
      "inlay-log", llvm::cl::CommaSeparated,
      llvm::cl::desc("What to tell on stderr while passes run"),
      llvm::cl::values(
          clEnumValN(LogArea::Rewrite, "rewrite",
                     "why each rewrite did not apply where it was tried")));
  inlay::attachMatchLog(registry, llvm::errs(), [&] {
    return llvm::is_contained(logged, LogArea::Rewrite);
  });

  llvm::SmallVector<char *> words(argv, argv + argc);
  addUnlessGiven(words, "--mlir-print-debuginfo");
  bool isFile = llvm::any_of(
      words, [](llvm::StringRef word) { return word.starts_with("-o"); });
  if (isFile)
    addUnlessGiven(words, "--mlir-print-op-generic");
  auto [input, output] = mlir::registerAndParseCLIOptions(
      words.size(), words.data(), "Runs passes on modules of Inlay\n",
      registry);
  return mlir::asMainReturnCode(run(input, output, registry));
}
