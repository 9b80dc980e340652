//===- Strict.cpp - What --strict refuses ---------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strict.h"
#include "inlay/IR/Groups.h"
#include "inlay/IR/OpTypes.h"
#include "inlay/IR/Origin.h"
#include "inlay/Support/Error.h"

using namespace inlay;
using namespace mlir;

static std::string listNode(StringRef node, StringRef opType,
                            StringRef reason) {
  return ("\n  node '" + node + "' (" + opType + "): " + reason).str();
}

/// "--strict: target 'opu' takes 2 operators `what`:", and a list of nodes.
static llvm::Error refuse(const Twine &target, size_t count, StringRef what,
                          StringRef list) {
  return unsupportedError(
      "--strict: target '" + target + "' takes " + Twine(count) +
      (count == 1 ? " operator " : " operators ") + what + ":" + list);
}

llvm::Error inlay::checkLimits(const Target &target,
                               const LegalizeResult &result) {
  if (result.refusals.empty())
    return llvm::Error::success();
  std::string list;
  for (const LegalizeResult::Refusal &refusal : result.refusals)
    list += listNode(getNodeName(refusal.op), getOnnxOpType(refusal.op),
                     refusal.reason);
  return refuse(target.name, result.refusals.size(), "only within its limits",
                list);
}

llvm::Error inlay::checkAllTaken(const FusionResult &result) {
  std::string list;
  size_t count = 0;
  for (const UngroupedOp &op : result.ungrouped) {
    if (isArrangement(op.op))
      continue;
    ++count;
    list += listNode(op.node, op.opType, op.reason.text);
  }
  if (count == 0)
    return llvm::Error::success();
  return refuse(result.target, count, "in no form", list);
}
