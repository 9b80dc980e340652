//===- ApplyLayouts.h - Writing chosen layouts into the IR ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_LAYOUT_APPLYLAYOUTS_H
#define INLAY_LIB_TRANSFORMS_LAYOUT_APPLYLAYOUTS_H

#include "inlay/LayoutAssign/LayoutGraph.h"
#include "inlay/LayoutAssign/Solution.h"

namespace inlay {

/// Gives every value the encoding that `solution` says and inserts its
/// relayouts.
void applyLayouts(const LayoutGraph &graph, const Solution &solution,
                  const LayoutGraphOptions &options);

} // namespace inlay

#endif // INLAY_LIB_TRANSFORMS_LAYOUT_APPLYLAYOUTS_H
