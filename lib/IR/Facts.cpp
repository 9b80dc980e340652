//===- Facts.cpp - What analyses ask operators ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Demands.h"

using namespace inlay;

#include "inlay/IR/FactInterfaces.cpp.inc"

void inlay::registerFacts(mlir::MLIRContext &context) {
  registerTargetFacts(context);
  registerProducts(context);
  registerRanges(context);
  registerOperandDemands(context);
  registerParameterDemands(context);
  registerDemandTransfers(context);
  registerArithmeticTransfers(context);
}
