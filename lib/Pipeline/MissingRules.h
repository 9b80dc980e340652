//===- MissingRules.h - Rules of a target that would pay --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_MISSINGRULES_H
#define INLAY_LIB_PIPELINE_MISSINGRULES_H

#include "inlay/LayoutAssign/LayoutGraph.h"
#include "inlay/Report/Report.h"

namespace inlay {

/// An order in which the target runs its key operators, but not this one.
struct MissingRule {
  /// An ONNX operator type.
  std::string op;
  std::string order;
  /// What the target moves for want of the rule: with it, so much less.
  Cost saved;
};

/// The rules that, each added alone, would save relayouts of `func`, those that
/// save most first. Each is tried: the layouts are chosen again with it. In
/// `func` transposes are given to each of their uses.
std::vector<MissingRule> findMissingRules(mlir::func::FuncOp func,
                                          const Target &target,
                                          const LayoutGraphOptions &options);

/// "no rule for BatchNormalization in NHWC: 35 relayouts, 16.0 MB".
void addMissingRules(llvm::ArrayRef<MissingRule> rules, Report &report);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_MISSINGRULES_H
