//===- RunPasses.cpp - Running passes, with errors of ours ----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/RunPasses.h"
#include "inlay/IR/Diagnostics.h"
#include "inlay/Support/Cancellation.h"
#include "mlir/IR/Action.h"

using namespace inlay;

RemarkCollector::RemarkCollector(mlir::MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Remark)
          return mlir::failure();
        remarks.push_back(diagnostic.str());
        return mlir::success();
      }) {}

namespace {
/// While it lives, no pass begins whose result nobody waits for.
class PassGate {
public:
  explicit PassGate(mlir::MLIRContext *context)
      : context(context->hasActionHandler() ? nullptr : context) {
    if (this->context)
      context->registerActionHandler(
          [](llvm::function_ref<void()> run, const mlir::tracing::Action &) {
            if (!isCancelled())
              run();
          });
  }
  ~PassGate() {
    if (context)
      context->registerActionHandler(nullptr);
  }

private:
  /// Null where somebody else watches the passes.
  mlir::MLIRContext *context;
};
} // namespace

llvm::Error inlay::runPasses(mlir::ModuleOp module, mlir::PassManager &passes) {
  PassGate gate(module.getContext());
  ErrorCollector errors(module.getContext());
  bool hasFailed = mlir::failed(passes.run(module));
  if (llvm::Error error = checkCancelled())
    return error;
  return hasFailed ? errors.take(ExitCode::Model) : llvm::Error::success();
}
