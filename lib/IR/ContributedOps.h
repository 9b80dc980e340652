//===- ContributedOps.h - What operators of com.microsoft share -*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_IR_CONTRIBUTEDOPS_H
#define INLAY_LIB_IR_CONTRIBUTEDOPS_H

#include "llvm/ADT/SmallVector.h"

namespace inlay {

/// The spatial dimensions of N x C x spatial, or of N x spatial x C.
llvm::SmallVector<int64_t> getPooledDims(int64_t rank, bool channelsLast);

} // namespace inlay

#endif // INLAY_LIB_IR_CONTRIBUTEDOPS_H
