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
#include "llvm/ADT/STLFunctionalExtras.h"
#include <utility>
#include <vector>

namespace inlay {

/// Copies and what each is a copy of.
using Clones = std::vector<std::pair<mlir::Operation *, mlir::Operation *>>;

/// Gives every user a copy of an operator that reads much less than it writes:
/// inside of a kernel it costs what it reads. Only operators that compute
/// element by element or repeat elements are copied, never what is random or
/// expensive.
Clones cloneProducers(mlir::Block &block);

/// Undoes what did not pay: copies and originals in one kernel, which `kernels`
/// lists with their operators in order, and both alone, where neither is
/// listed.
void mergeClones(
    Clones &clones,
    llvm::MutableArrayRef<llvm::SmallVector<mlir::Operation *>> kernels);

} // namespace inlay

#endif // INLAY_LIB_TRANSFORMS_KERNELS_CLONEPRODUCERS_H
