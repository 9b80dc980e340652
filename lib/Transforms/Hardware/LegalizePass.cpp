//===- LegalizePass.cpp - The pass inlay-legalize -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"
#include "inlay/Transforms/Hardware/Legalize.h"
#include "inlay/Transforms/Hardware/Passes.h"

namespace inlay {
#define GEN_PASS_DEF_LEGALIZE
#include "inlay/Transforms/Hardware/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

namespace {
class Legalize : public inlay::impl::LegalizeBase<Legalize> {
public:
  using LegalizeBase::LegalizeBase;

  void runOnOperation() override {
    auto loaded = loadTarget(target, getOnnxOpTypes());
    if (!loaded) {
      getOperation().emitError() << llvm::toString(loaded.takeError());
      return signalPassFailure();
    }
    for (const auto &refusal : legalizeLimits(getOperation(), *loaded).refusals)
      refusal.op->emitRemark()
          << "node '" << getNodeName(refusal.op) << "' ("
          << getOnnxOpType(refusal.op) << "): " << refusal.reason;
  }
};
} // namespace
