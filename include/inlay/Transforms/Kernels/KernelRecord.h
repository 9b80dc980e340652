//===- KernelRecord.h - What a function says about its kernels --*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TRANSFORMS_KERNELS_KERNELRECORD_H
#define INLAY_TRANSFORMS_KERNELS_KERNELRECORD_H

#include "inlay/KernelFusion/KernelResult.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inlay {

/// Of a function.
inline constexpr llvm::StringLiteral kernelsAttr = "inlay.kernels";

void writeKernels(mlir::func::FuncOp func, const KernelResult &result);
/// Nothing where there is no record.
std::optional<KernelResult> readKernels(mlir::func::FuncOp func);

} // namespace inlay

#endif // INLAY_TRANSFORMS_KERNELS_KERNELRECORD_H
