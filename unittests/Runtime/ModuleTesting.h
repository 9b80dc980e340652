//===- ModuleTesting.h - Modules for tests, from text -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_RUNTIME_MODULETESTING_H
#define INLAY_UNITTESTS_RUNTIME_MODULETESTING_H

#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/Graph.h"
#include "inlay/IR/Kernels.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace inlay {

/// Makes kernels of clusters, so that a test's text need not say which loops
/// its kernels are.
inline void makeKernels(mlir::ModuleOp module) {
  module.walk([](GroupOp group) {
    if (group.getCluster())
      setKernel(group);
  });
}

/// A module parsed from text, with its own context. Clusters in it are kernels.
class ParsedModule {
public:
  explicit ParsedModule(llvm::StringRef text)
      : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<InlayDialect, mlir::func::FuncDialect>();
    registerEvaluation(context);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << "the test's module does not parse";
    if (module)
      makeKernels(*module);
  }

  mlir::ModuleOp get() { return *module; }
  mlir::func::FuncOp getGraph() {
    return llvm::cantFail(inlay::getGraph(*module));
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// The message of an error and its exit code.
inline std::pair<ExitCode, std::string> describe(llvm::Error error) {
  std::string message;
  ExitCode code = takeError(std::move(error), message);
  return {code, message};
}

} // namespace inlay

#endif // INLAY_UNITTESTS_RUNTIME_MODULETESTING_H
