//===- ParsedOperation.h - One operation, written as text -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_IR_PARSEDOPERATION_H
#define INLAY_UNITTESTS_IR_PARSEDOPERATION_H

#include "inlay/Evaluation/Registration.h"
#include "inlay/IR/InlayOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

namespace inlay::testing {

/// The last operation of a function, with the context that it lives in.
///
///   ParsedOperation("%x: tensor<4xf32>",
///                   "%y = inlay.abs %x : (tensor<4xf32>) -> tensor<4xf32>")
class ParsedOperation {
public:
  ParsedOperation(llvm::StringRef arguments, llvm::StringRef operations) {
    context.loadDialect<InlayDialect, mlir::func::FuncDialect>();
    registerEvaluation(context);
    std::string text =
        ("func.func @f(" + arguments + ") {\n" + operations + "\nreturn\n}\n")
            .str();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  /// The operation before the return, or null when the text does not parse.
  mlir::Operation *get() {
    if (!module)
      return nullptr;
    auto function = *module->getOps<mlir::func::FuncOp>().begin();
    return function.getBody().front().getTerminator()->getPrevNode();
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_IR_PARSEDOPERATION_H
