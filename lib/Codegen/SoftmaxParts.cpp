//===- SoftmaxParts.cpp - What softmaxes consist of -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SoftmaxParts.h"
#include "Reductions.h"

using namespace inlay;
using namespace mlir;

/// The maximum that a value is below. One without the dimension that it is of
/// may belong to other numbers.
static ReduceMaxOp getMaximum(Value value) {
  auto sub = value.getDefiningOp<SubOp>();
  auto most = sub ? sub.getRhs().getDefiningOp<ReduceMaxOp>() : ReduceMaxOp();
  bool isAmong =
      most && most.getInput() == sub.getLhs() && most.getKeepdims() != 0;
  return isAmong ? most : ReduceMaxOp();
}

bool inlay::isBelowMaximum(Value value) { return bool(getMaximum(value)); }

bool inlay::isSumOfPowers(Value value) {
  auto sum = value.getDefiningOp<ReduceSumOp>();
  auto power = sum ? sum.getInput().getDefiningOp<ExpOp>() : ExpOp();
  ReduceMaxOp most = power ? getMaximum(power.getInput()) : ReduceMaxOp();
  if (!most)
    return false;
  std::optional<Reduction> added = Reduction::get(sum),
                           compared = Reduction::get(most);
  return added && compared && added->getDims() == compared->getDims();
}

/// Whether it is a power divided by the sum that it is in, or that sum.
static bool isOfSoftmax(Operation *op, ExpOp power) {
  auto isOwnSum = [&](Value value) {
    auto sum = value.getDefiningOp<ReduceSumOp>();
    return sum && sum.getInput() == power.getResult() && isSumOfPowers(value);
  };
  if (auto sum = dyn_cast<ReduceSumOp>(op))
    return isOwnSum(sum.getResult()) && sum.getKeepdims() != 0;
  if (auto quotient = dyn_cast<DivOp>(op))
    return isOwnSum(quotient.getRhs());
  auto product = dyn_cast<MulOp>(op);
  auto inverse =
      product ? product.getRhs().getDefiningOp<ReciprocalOp>() : ReciprocalOp();
  return inverse && isOwnSum(inverse.getInput());
}

bool inlay::isMaximumOfSoftmax(ReduceMaxOp most) {
  for (Operation *shifted : most->getUsers()) {
    if (shifted->getNumResults() != 1 ||
        getMaximum(shifted->getResult(0)) != most)
      return false;
    for (Operation *user : shifted->getUsers()) {
      auto power = dyn_cast<ExpOp>(user);
      if (!power || !llvm::all_of(power->getUsers(), [&](Operation *op) {
            return isOfSoftmax(op, power);
          }))
        return false;
    }
  }
  return true;
}
