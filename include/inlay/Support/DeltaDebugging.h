//===- DeltaDebugging.h - The least that still shows something --*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_SUPPORT_DELTADEBUGGING_H
#define INLAY_SUPPORT_DELTADEBUGGING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace inlay {

/// Of `items`, in their order, as few as can be found that still show
/// something: none of them can be left out alone. All of them must show it.
/// Parts are tried first, then what is left without them, in halves, quarters
/// and so on, so that one item among many is found in a few tries. Ends early,
/// with the best so far, when it is cancelled.
std::vector<unsigned>
findLeast(std::vector<unsigned> items,
          llvm::function_ref<bool(llvm::ArrayRef<unsigned>)> shows);

} // namespace inlay

#endif // INLAY_SUPPORT_DELTADEBUGGING_H
