//===- LegalizePass.cpp - The pass inlay-legalize -------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strict.h"
#include "inlay/Analysis/ModuleTarget.h"
#include "inlay/IR/Diagnostics.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"
#include "inlay/IR/Record.h"
#include "inlay/Transforms/Hardware/Legalize.h"
#include "inlay/Transforms/Hardware/Passes.h"

namespace inlay {
#define GEN_PASS_DEF_LEGALIZE
#include "inlay/Transforms/Hardware/Passes.h.inc"
} // namespace inlay

using namespace inlay;
using namespace mlir;

static LegalizeTotals count(const LegalizeResult &result) {
  return {result.numOps, result.numSteps, unsigned(result.copies.count),
          unsigned(result.refusals.size())};
}

namespace {
class Legalize : public inlay::impl::LegalizeBase<Legalize> {
public:
  using LegalizeBase::LegalizeBase;

  void runOnOperation() override {
    if (llvm::Error error = legalize()) {
      (void)reportError(getOperation(), std::move(error));
      signalPassFailure();
    }
  }

private:
  llvm::Error legalize() {
    auto target = getTarget(getOperation());
    if (!target)
      return target.takeError();
    if (isModuleFinished(getOperation()) || getOperation().isExternal())
      return llvm::Error::success();
    LegalizeResult result;
    if (!(*target)->limits.empty())
      result = legalizeLimits(getOperation(), **target);
    if (strict)
      if (llvm::Error error = checkLimits(**target, result))
        return error;
    if (emitRemarks)
      emit(result);
    if (record)
      writeRecord(getOperation(), legalizedAttr, count(result));
    return llvm::Error::success();
  }

  static void emit(const LegalizeResult &result) {
    for (const LegalizeResult::Refusal &refusal : result.refusals)
      refusal.op->emitRemark()
          << "node '" << getNodeName(refusal.op) << "' ("
          << getOnnxOpType(refusal.op) << "): " << refusal.reason;
  }
};
} // namespace
