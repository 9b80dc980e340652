//===- LayoutStory.h - How layouts came to be -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// After a compilation: the storage order of every tensor, what forces each
// relayout, and what the other strategies would have moved.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_LAYOUTSTORY_H
#define INLAY_LIB_PIPELINE_LAYOUTSTORY_H

#include "LayoutQuestion.h"
#include "llvm/ADT/StringMap.h"

namespace inlay {

struct RelayoutStory {
  /// As the model calls it; may be empty. Of what a transpose writes, too,
  /// what that reads.
  std::string tensor, source;
  std::string from, to;
  uint64_t bytes = 0;
  std::string storedFor, neededBy;
};

struct LayoutStory {
  std::vector<RelayoutStory> relayouts;
  /// "NHWC", by the names of tensors, in the model and as they were chosen.
  llvm::StringMap<std::string> ordersBefore, orders;
  std::vector<StrategyCost> strategies;
  Certificate certificate;
};

/// `module` is what layouts were chosen of, `layouts` what was chosen then. The
/// module is not the same afterwards.
llvm::Expected<LayoutStory> tellLayouts(mlir::ModuleOp module,
                                        const Target &target,
                                        const PresetResult &layouts,
                                        const LayoutOptions &options);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_LAYOUTSTORY_H
