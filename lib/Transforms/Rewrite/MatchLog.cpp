//===- MatchLog.cpp - Why rewrites did not apply --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/Transforms/Rewrite/MatchLog.h"
#include "inlay/IR/InlayDialect.h"
#include "mlir/IR/DialectRegistry.h"

using namespace inlay;
using namespace mlir;

const MatchLog *MatchLog::get(MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<InlayDialect>();
  return dialect ? dialect->getRegisteredInterface<MatchLog>() : nullptr;
}

void MatchLog::hear(const Rewrite &rewrite, Operation *root,
                    StringRef reason) const {
  os << "rewrite: " << rewrite.name << " at '" << getNodeName(root)
     << "': " << (reason.empty() ? "gives no reason" : reason) << '\n';
}

void inlay::attachMatchLog(DialectRegistry &registry, llvm::raw_ostream &os,
                           std::function<bool()> isWanted) {
  std::function<void(MLIRContext *, InlayDialect *)> attach =
      [&os, isWanted = std::move(isWanted)](MLIRContext *,
                                            InlayDialect *dialect) {
        if (isWanted())
          dialect->addInterface<MatchLog>(os);
      };
  registry.addExtension(std::move(attach));
}
