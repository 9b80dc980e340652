//===- RunPasses.cpp - Running passes, with errors of ours ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/RunPasses.h"
#include "inlay/IR/Diagnostics.h"

using namespace inlay;

RemarkCollector::RemarkCollector(mlir::MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Remark)
          return mlir::failure();
        remarks.push_back(diagnostic.str());
        return mlir::success();
      }) {}

llvm::Error inlay::runPasses(mlir::ModuleOp module, mlir::PassManager &passes) {
  ErrorCollector errors(module.getContext());
  if (mlir::failed(passes.run(module)))
    return errors.take(ExitCode::Model);
  return llvm::Error::success();
}
