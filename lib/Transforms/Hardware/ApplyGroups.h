//===- ApplyGroups.h - From a plan to inlay.group ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_HARDWARE_APPLYGROUPS_H
#define INLAY_LIB_TRANSFORMS_HARDWARE_APPLYGROUPS_H

#include "inlay/HardwareFusion/FusionPlan.h"
#include "mlir/IR/Block.h"

namespace inlay {

/// Moves the operators of each group into an inlay.group named group_`k`, from
/// `firstName` on, and brings the block into an order in which every operation
/// follows what it needs.
void applyGroups(mlir::Block &block, llvm::StringRef target, const DFG &graph,
                 const HDFG &pipeline, const FusionPlan &plan,
                 unsigned firstName);

} // namespace inlay

#endif // INLAY_LIB_TRANSFORMS_HARDWARE_APPLYGROUPS_H
