//===- RewritePass.cpp - The pass inlay-rewrite ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/IR/Diagnostics.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/Transforms/Rewrite/Passes.h"
#include "inlay/Transforms/Rewrite/Rewrite.h"

namespace inlay {
#define GEN_PASS_DEF_REWRITEMODEL
#include "inlay/Transforms/Rewrite/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

namespace {
class RewritePass : public inlay::impl::RewriteModelBase<RewritePass> {
public:
  using RewriteModelBase::RewriteModelBase;

  void runOnOperation() override {
    if (llvm::Error error = rewrite()) {
      (void)reportError(getOperation(), std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error rewrite() {
    auto options = parseRewrites(rewrites);
    if (!options)
      return options.takeError();
    auto target = getTarget(getOperation());
    if (!target)
      return target.takeError();
    auto remark = [&](const Rewrite &rewrite, Operation *root) {
      if (emitRemarks)
        root->emitRemark() << "node '" << getNodeName(root) << "' ("
                           << getOnnxOpType(root) << "): " << rewrite.name
                           << ": " << rewrite.equation;
    };
    RemovedNodes removed;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isDeclaration())
        rewriteModel(function, *options, **target, removed, remark);
    removed.write(getOperation());
    return llvm::Error::success();
  }
};
} // namespace
