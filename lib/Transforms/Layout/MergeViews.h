//===- MergeViews.h - Reshapes of reshapes and constants --------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_LAYOUT_MERGEVIEWS_H
#define INLAY_LIB_TRANSFORMS_LAYOUT_MERGEVIEWS_H

#include "inlay/IR/InlayOps.h"
#include "inlay/IR/Origin.h"

namespace inlay::layout {

/// Lets each of `views` that reshapes a reshape read what that one reads, drops
/// those that then do nothing, and makes those of constants constants.
void mergeViews(llvm::ArrayRef<ReshapeOp> views, RemovedNodes &removed);

} // namespace inlay::layout

#endif // INLAY_LIB_TRANSFORMS_LAYOUT_MERGEVIEWS_H
