//===- Verify.h - Executing a model before and after ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_VERIFY_H
#define INLAY_PIPELINE_VERIFY_H

#include "inlay/Analysis/InputShapes.h"
#include "inlay/Pipeline/Resources.h"
#include "inlay/Runtime/Judge.h"
#include "inlay/Support/Error.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// Multiplications and elements up to which a model is executed without being
/// asked to; a few seconds.
constexpr uint64_t maxVerifyWork = 4'000'000'000;

/// How much work it is to execute a module once; nothing where a shape is not
/// known or a node is not modelled.
std::optional<uint64_t> estimateWork(mlir::ModuleOp module);

struct Verification {
  Judgement judgement;
  /// The extents that inputs had where the model leaves them open.
  std::vector<AssumedExtent> assumed;
  /// Why the modules differ; empty when they agree.
  std::string difference;
  /// Why nothing was compared although both were executed; empty when something
  /// was.
  std::string blank;
  /// Why the first one cannot be executed at all: random inputs may be no
  /// indices it can use. Empty when it can.
  std::string obstacle;
};

/// Runs the same random inputs through both and judges them.
/// `roundsAgain`: products or reductions sum in another order, or weights were
/// folded, so that a float may differ by 1e-5 of the largest one instead of
/// 1e-6.
llvm::Expected<Verification> verifyEqual(mlir::ModuleOp before,
                                         mlir::ModuleOp after, bool roundsAgain,
                                         const ProgressFunction &progress);

/// "1 output is all NaN: 3 tensors in front of it were compared instead"; empty
/// where every output shows something.
std::string describeBlanks(const Judgement &judgement);

/// What made f32 differ: "rounding", or how many quantised tensors are one step
/// off.
std::string describeNarrow(const Judgement &judgement);

} // namespace inlay

#endif // INLAY_PIPELINE_VERIFY_H
