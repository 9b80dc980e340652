//===- Strict.h - What --strict refuses -------------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_HARDWARE_STRICT_H
#define INLAY_LIB_TRANSFORMS_HARDWARE_STRICT_H

#include "inlay/HardwareFusion/FusionResult.h"
#include "inlay/Transforms/Hardware/Legalize.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// An error that lists the operators which stay beyond a limit of the target.
llvm::Error checkLimits(const Target &target, const LegalizeResult &result);

/// An error that lists the operators which no group takes, groups that were
/// there and relayouts aside.
llvm::Error checkAllTaken(const FusionResult &result);

} // namespace inlay

#endif // INLAY_LIB_TRANSFORMS_HARDWARE_STRICT_H
