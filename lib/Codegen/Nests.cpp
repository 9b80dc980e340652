//===- Nests.cpp - The loops of operators ---------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nests.h"
#include "Elements.h"

#include "inlay/Codegen/NestInterface.cpp.inc"

using namespace inlay;

void inlay::registerNests(mlir::MLIRContext &context) {
  registerContractionNests(context);
  registerMoveNests(context);
  registerReductionNests(context);
}
