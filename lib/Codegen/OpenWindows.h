//===- OpenWindows.h - Windows along open lengths ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Windows and reductions look behind the length of a run, at what is anything
// there. Where it is what changes nothing (zeros for sums), code for the
// largest length computes what code for the run's would, in all places that the
// run has.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_OPENWINDOWS_H
#define INLAY_LIB_CODEGEN_OPENWINDOWS_H

#include "KernelBody.h"
#include "OpenDims.h"
#include "WindowDims.h"
#include "inlay/Codegen/KernelCode.h"

namespace inlay {

/// How the extent of a result follows from the operand's, of the number `from`,
/// along a dimension that windows slide along; nothing where they do not, or
/// where that is not so for all extents. Its largest is not set.
std::optional<OpenDims::Length> getFollowing(mlir::Operation *op, unsigned dim,
                                             unsigned from);

/// Whether an operator's windows are of one element each.
bool hasWindowsOfOne(mlir::Operation *op);

/// Makes steps of their own of what kernels compute for a window that looks
/// behind a length: what is cleared there is what steps read.
void splitAtWindows(mlir::func::FuncOp graph, const OpenDims &open);

/// What has to be cleared behind the lengths of a run so that a step computes
/// the same for them; nothing where that is no way. `code` is that of the step.
std::optional<llvm::SmallVector<KernelCode::Clear, 0>>
getClears(mlir::Operation *step, const KernelCode &code, const OpenDims &open);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_OPENWINDOWS_H
