//===- RunPasses.h - Running passes, with errors of ours --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_RUNPASSES_H
#define INLAY_PIPELINE_RUNPASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// Collects what passes remark for as long as it lives.
class RemarkCollector {
public:
  explicit RemarkCollector(mlir::MLIRContext *context);

  std::vector<std::string> take() { return std::move(remarks); }

private:
  std::vector<std::string> remarks;
  mlir::ScopedDiagnosticHandler handler;
};

/// Runs `passes` on `module`; what they report is the error.
llvm::Error runPasses(mlir::ModuleOp module, mlir::PassManager &passes);

} // namespace inlay

#endif // INLAY_PIPELINE_RUNPASSES_H
