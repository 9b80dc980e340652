//===- DataPasses.h - Data files around a run of passes ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TOOLS_INLAY_OPT_DATAPASSES_H
#define INLAY_TOOLS_INLAY_OPT_DATAPASSES_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"

namespace inlay {

/// Lets constants refer to files that lie below the folder of `inputPath`, as
/// the rule for external data says.
void allowDataOf(mlir::DialectRegistry &registry, llvm::StringRef inputPath);

/// A pass in front of all others: the data file is the one that the module was
/// written with.
std::unique_ptr<mlir::Pass> createCheckData(llvm::StringRef inputPath);

/// A pass behind all others: what constants refer to goes into a data file
/// beside what is written.
std::unique_ptr<mlir::Pass> createStoreData(llvm::StringRef outputPath);

} // namespace inlay

#endif // INLAY_TOOLS_INLAY_OPT_DATAPASSES_H
