//===- Targets.h - inlay targets --------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_TARGETS_H
#define INLAY_PIPELINE_TARGETS_H

#include "inlay/Report/Report.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// The built-in targets with their key operators.
llvm::Expected<Report> listTargets();

/// The text of a target.
llvm::Expected<Report> showTarget(llvm::StringRef nameOrPath);

/// The text of a new target, written to a file where one is named. A name that
/// no target can have is a usage error.
llvm::Expected<Report> startTarget(llvm::StringRef name,
                                   llvm::StringRef output);

/// Whether a file is a target, and every fault otherwise.
struct TargetValidation {
  Report report;
  bool isValid = true;
};
llvm::Expected<TargetValidation> validateTarget(llvm::StringRef path);

} // namespace inlay

#endif // INLAY_PIPELINE_TARGETS_H
