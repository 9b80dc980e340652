//===- ErrorBound.h - By how much code may be off ---------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_CODEGEN_ERRORBOUND_H
#define INLAY_CODEGEN_ERRORBOUND_H

#include "inlay/Tensor/HostTensor.h"
#include "mlir/IR/Operation.h"

namespace inlay {

/// By how much each element of a tensor may be off. Nothing: not at all.
using ElementErrors = std::vector<double>;

/// By how much code for a step may differ from `evaluate`, which rounds once
/// per operator, when `tensors` are what it reads; for each of the results that
/// somebody uses. A sum of K products a * b may be off by 4 * sqrt(K) * 2^-24 *
/// sum |a * b|, any other number by 8 units in the last place of the largest
/// one, and what is computed of either by what comes of that. The sums of a
/// convolution by Winograd's tiles (`outputsOfTile` as KernelCode has it) are
/// of other terms, which are larger. Nothing where the step is not what code is
/// made of.
llvm::Expected<std::optional<llvm::SmallVector<ElementErrors>>>
boundErrors(mlir::Operation *step, llvm::ArrayRef<mlir::Value> reads,
            llvm::ArrayRef<HostTensor> tensors, int64_t outputsOfTile = 0);

} // namespace inlay

#endif // INLAY_CODEGEN_ERRORBOUND_H
