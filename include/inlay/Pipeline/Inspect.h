//===- Inspect.h - inlay inspect --------------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_INSPECT_H
#define INLAY_PIPELINE_INSPECT_H

#include "inlay/ONNX/Import.h"
#include "inlay/Pipeline/Resources.h"
#include "inlay/Report/Report.h"

namespace inlay {

struct InspectOptions {
  std::string model;
  ImportOptions import;
  /// List every opaque node, and the costs of every node.
  bool verbose = false;
  /// Say what nodes cost, and how long they take where `target` has rates.
  bool costs = false;
  std::string target;
  ProgressFunction progress;
};

/// Says what is in a model, without looking at its weights.
llvm::Expected<Report> inspect(const InspectOptions &options);

} // namespace inlay

#endif // INLAY_PIPELINE_INSPECT_H
