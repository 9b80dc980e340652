//===- PulledMoves.h - Moves that a step does as it reads -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_PULLEDMOVES_H
#define INLAY_LIB_CODEGEN_PULLEDMOVES_H

#include "inlay/Codegen/KernelCode.h"
#include "inlay/IR/InlayOps.h"

namespace inlay {

/// Where a kernel that nobody else needs ends in transposes and views of what
/// `group` reads, these become the first operators of `group`, if there still
/// is code for both. The kernel in front writes its elements as it computes
/// them; `group` packs what it reads anyway.
void pullMoves(GroupOp group, const CodeTarget &target);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_PULLEDMOVES_H
