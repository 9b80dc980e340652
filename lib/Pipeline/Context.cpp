//===- Context.cpp - The MLIR context of every command --------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Pipeline/Context.h"
#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/InlayDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace inlay;

void inlay::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<InlayDialect, mlir::func::FuncDialect>();
  registerEvaluation(registry);
  registerTargetCache(registry);
}

std::unique_ptr<mlir::MLIRContext> inlay::createContext() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  auto context = std::make_unique<mlir::MLIRContext>(
      registry, mlir::MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  return context;
}
