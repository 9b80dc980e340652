//===- FusionResult.cpp - What hardware fusion has done -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/FusionResult.h"
#include "llvm/Support/ErrorHandling.h"

using namespace inlay;

llvm::StringRef inlay::getName(FusionReasonCode code) {
  switch (code) {
  case FusionReasonCode::Unmapped:
    return "unmapped";
  case FusionReasonCode::Predicate:
    return "predicate";
  case FusionReasonCode::Stage:
    return "stage";
  case FusionReasonCode::StageUses:
    return "stage-uses";
  case FusionReasonCode::NoFlow:
    return "no-flow";
  case FusionReasonCode::Inputs:
    return "inputs";
  case FusionReasonCode::Outputs:
    return "outputs";
  case FusionReasonCode::Ops:
    return "ops";
  case FusionReasonCode::OnChipBytes:
    return "on-chip-bytes";
  case FusionReasonCode::Cycle:
    return "cycle";
  case FusionReasonCode::UsedBefore:
    return "used-before";
  case FusionReasonCode::Finished:
    return "finished";
  case FusionReasonCode::Unused:
    return "unused";
  case FusionReasonCode::OtherGroup:
    return "other-group";
  }
  llvm_unreachable("unknown reason");
}
