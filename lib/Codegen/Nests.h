//===- Nests.h - The loops of operators -------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_NESTS_H
#define INLAY_LIB_CODEGEN_NESTS_H

#include "Contraction.h"
#include "IndexMaps.h"
#include "Reductions.h"
#include "mlir/IR/OpDefinition.h"

#include "inlay/Codegen/NestInterface.h.inc"

namespace inlay {

void registerContractionNests(mlir::MLIRContext &context);
void registerMoveNests(mlir::MLIRContext &context);
void registerReductionNests(mlir::MLIRContext &context);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_NESTS_H
