//===- ModelPage.h - inlay report -------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_MODELPAGE_H
#define INLAY_PIPELINE_MODELPAGE_H

#include "inlay/Pipeline/Compiler.h"
#include "inlay/Report/Report.h"

namespace inlay {

struct ModelPageOptions : CompilerOptions {
  std::string model;
  /// The page.
  std::string output;
  /// What `inlay bench --profile --format json` printed; empty for none.
  std::string profile;
  ProgressFunction progress;
};

/// Compiles a model and writes a page that shows it before and after: its
/// graph, where elements are moved and why, and what its nodes cost.
llvm::Expected<Report> writeModelPage(const ModelPageOptions &options);

} // namespace inlay

#endif // INLAY_PIPELINE_MODELPAGE_H
