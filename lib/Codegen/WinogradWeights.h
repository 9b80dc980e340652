//===- WinogradWeights.h - Weights of Winograd's products -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_WINOGRADWEIGHTS_H
#define INLAY_LIB_CODEGEN_WINOGRADWEIGHTS_H

#include "WinogradPlan.h"

namespace inlay {

/// Writes the function that packs the taps of a channel side by side, as
/// kernels transform them; each turn is a tile of columns. False where there is
/// no code.
bool emitWinogradWeights(KernelBuilder &builder, const WinogradPlan &plan);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_WINOGRADWEIGHTS_H
