//===- FloatExtremes.cpp - The larger of two floats -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FloatExtremes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// What a choice is, or null. NaN is not less than anything, so that it stays;
/// a bound that is none would not.
static Value *getExtreme(SelectInst &select, IRBuilder<> &builder) {
  auto *compare = dyn_cast<FCmpInst>(select.getCondition());
  if (!compare || compare->getPredicate() != FCmpInst::FCMP_OLT)
    return nullptr;
  Value *bound = select.getTrueValue(), *value = select.getFalseValue();
  const APFloat *number;
  if (!match(bound, m_APFloat(number)) || number->isNaN())
    return nullptr;
  Value *left = compare->getOperand(0), *right = compare->getOperand(1);
  if (left == value && right == bound)
    return builder.CreateBinaryIntrinsic(Intrinsic::maximum, value, bound);
  if (left == bound && right == value)
    return builder.CreateBinaryIntrinsic(Intrinsic::minimum, value, bound);
  return nullptr;
}

void inlay::useFloatExtremes(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function))) {
      auto *select = dyn_cast<SelectInst>(&instruction);
      if (!select)
        continue;
      IRBuilder<> builder(select);
      if (Value *extreme = getExtreme(*select, builder)) {
        select->replaceAllUsesWith(extreme);
        select->eraseFromParent();
      }
    }
}
