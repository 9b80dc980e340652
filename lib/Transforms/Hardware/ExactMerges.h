//===- ExactMerges.h - The best tree over few leaves ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_HARDWARE_EXACTMERGES_H
#define INLAY_LIB_TRANSFORMS_HARDWARE_EXACTMERGES_H

#include "inlay/Transforms/Hardware/MergeTree.h"

namespace inlay {

/// A tree of least cost over leaves of `sizes`. The time grows with the cube of
/// their number.
MergeTree planExactly(llvm::ArrayRef<CopyCost> sizes, unsigned maxChildren);

} // namespace inlay

#endif // INLAY_LIB_TRANSFORMS_HARDWARE_EXACTMERGES_H
