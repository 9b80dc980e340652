//===- PageData.h - What a page shows ---------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_PAGEDATA_H
#define INLAY_LIB_PIPELINE_PAGEDATA_H

#include "GraphPicture.h"
#include "LayoutStory.h"
#include "inlay/Pipeline/Compiler.h"

namespace inlay {

/// What a page shows.
struct PageData {
  std::string model, target;
  GraphPicture before, after;
  ModelStats statsBefore, statsAfter;
  /// Operations of products, before and after.
  uint64_t flopsBefore = 0, flopsAfter = 0;
  /// Nothing where the model was compiled for the target before.
  std::optional<LayoutStory> story;
  CompileRecord record;
  MachineRates rates;
  /// Rows of a profile.
  llvm::json::Array profile;
};

/// Draws both graphs and writes all as JSON.
llvm::Expected<std::string> writePageData(const PageData &data,
                                          const ProgressFunction &progress);

/// The rows of the file that `inlay bench --profile --format json` printed.
llvm::Expected<llvm::json::Array> readProfile(llvm::StringRef path);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_PAGEDATA_H
