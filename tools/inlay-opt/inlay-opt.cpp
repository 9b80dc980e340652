//===- inlay-opt.cpp - Runs passes on modules -----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Context.h"
#include "inlay/Transforms/Hardware/Passes.h"
#include "inlay/Transforms/Kernels/Passes.h"
#include "inlay/Transforms/Layout/Passes.h"
#include "inlay/Transforms/Rewrite/MatchLog.h"
#include "inlay/Transforms/Rewrite/Passes.h"
#include "inlay/Transforms/Simplify/Passes.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"

/// The names of nodes are in locations, so that a module without them is not
/// the whole module. `--mlir-print-debuginfo=false` leaves them out.
static constexpr char printLocations[] = "--mlir-print-debuginfo";

namespace {
/// What can be told while passes run. Release builds of LLVM have no
/// --debug-only.
enum class LogArea : uint8_t { Rewrite };
} // namespace

int main(int argc, char **argv) {
  mlir::registerTransformsPasses();
  inlay::registerInlayLayoutPasses();
  inlay::registerInlayHardwarePasses();
  inlay::registerInlayKernelsPasses();
  inlay::registerInlayRewritePasses();
  inlay::registerInlaySimplifyPasses();
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
  bool isGiven = llvm::any_of(words, [](llvm::StringRef word) {
    return word.ltrim('-').starts_with("mlir-print-debuginfo");
  });
  if (!isGiven)
    words.insert(words.begin() + 1, const_cast<char *>(printLocations));
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(words.size(), words.data(),
                        "Runs passes on modules of Inlay\n", registry));
}
