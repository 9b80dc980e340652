//===- RandomExtents.h - Random arithmetic on extents -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Graphs as exporters trace them: tensors of which some extents are unknown are
// reshaped, expanded and sliced by what is computed from the extents of other
// tensors, beside cones of constants. A dimension is a run of parts, each a
// number or an unknown extent, and a reshape groups the parts anew: so every
// graph runs, whatever the unknown extents are, but where a -1 or a copy of an
// extent has no meaning beside zeros.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_RANDOMEXTENTS_H
#define INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_RANDOMEXTENTS_H

#include "inlay/Tensor/HostTensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace inlay::testing {

/// The same module for the same seed, on every machine. It has one input.
mlir::OwningOpRef<mlir::ModuleOp> makeRandomExtents(mlir::MLIRContext &context,
                                                    uint64_t seed);

/// An input for the module, its unknown extents drawn from `choices`.
HostTensor makeInput(mlir::ModuleOp module, llvm::ArrayRef<int64_t> choices,
                     uint64_t seed);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_RANDOMEXTENTS_H
