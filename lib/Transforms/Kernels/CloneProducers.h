//===- CloneProducers.h - Copies of cheap operators -------------*- C++ -*-===//
//-*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_KERNELS_CLONEPRODUCERS_H
#define INLAY_LIB_TRANSFORMS_KERNELS_CLONEPRODUCERS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace inlay {

/// Operators that are one another's copies, the original first.
using Clones = std::vector<llvm::SmallVector<mlir::Operation *>>;

/// Gives every user a copy of an operator that reads much less than it writes:
/// inside of a kernel it costs what it reads. Only operators that compute
/// element by element or repeat elements are copied, never what is random or
/// expensive.
Clones cloneProducers(mlir::Block &block);

/// Undoes what did not pay: of those in one kernel, which `kernels` lists with
/// their operators in order, and of those alone, which are not listed, one
/// stays. Returns how many copies stay beside an original.
unsigned mergeClones(
    const Clones &clones,
    llvm::MutableArrayRef<llvm::SmallVector<mlir::Operation *>> kernels);

} // namespace inlay

#endif // INLAY_LIB_TRANSFORMS_KERNELS_CLONEPRODUCERS_H
