//===- Rewriting.h - Rewriting a model by equations -------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_REWRITING_H
#define INLAY_PIPELINE_REWRITING_H

#include "inlay/Report/Report.h"
#include "inlay/Transforms/Rewrite/Rewrite.h"
#include "mlir/IR/BuiltinOps.h"

namespace inlay {

/// What the rewritten graph is for.
struct RewriteUse {
  /// The opset that it is written in; 0 where that does not matter.
  unsigned opset = 0;
  /// Whether it is written as it is: kernels could use also what takes more
  /// nodes.
  bool isPlain = false;
};

/// The same as an option.
enum class RewritePurpose : uint8_t { Any, Onnx, Kernels };

/// Applies the rewrites that are on to the model's graph. One that has groups
/// was compiled before and stays as it is. Rewrites whose result the opset
/// lacks, and cannot say in fewer nodes than were there before, are not taken.
llvm::Expected<RewriteResult> rewriteGraph(mlir::ModuleOp module,
                                           const Target &target,
                                           const RewriteOptions &options,
                                           RewriteUse use = {});

/// Of a function: what was rewritten.
inline constexpr llvm::StringLiteral rewritesAttr = "inlay.rewrites";
void writeRewrites(mlir::func::FuncOp func, const RewriteResult &result);
/// Nothing where there is no record.
std::optional<RewriteResult> readRewrites(mlir::func::FuncOp func);

/// "on", "off" or the names of those that are on: see parseRewrites.
std::string formatRewrites(const RewriteOptions &options);

/// Adds how often each rewrite was applied.
void addRewrites(const RewriteResult &result, Report &report);

/// All rewrites with their equations.
Report listRewrites();

} // namespace inlay

#endif // INLAY_PIPELINE_REWRITING_H
