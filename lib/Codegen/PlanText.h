//===- PlanText.h - Plans of kernels in words -------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel computes at once, for whoever reads a profile and for tests
// that compare it with rules.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_PLANTEXT_H
#define INLAY_LIB_CODEGEN_PLANTEXT_H

#include "AttentionPlan.h"
#include "ContractionPlan.h"
#include "WinogradPlan.h"

namespace inlay {

/// "12 of 128x64x128: 12x8, lines of 24, rows copied and packed, 3 blocks": how
/// many products of how many rows, columns and terms, the block of registers,
/// and how many rows it is taken from at a time, where that is not all.
std::string describe(const ContractionPlan &plan);

/// "196 tiles, 25 at once: 5x16, data kept".
std::string describe(const WinogradPlan &plan);

/// "6 of 1500x64 over 1500 keys of 64: 14x32 and 14x32, 28 rows": the
/// results, the blocks of registers of the two products, and how many rows of
/// scores are in memory at once.
std::string describe(const AttentionPlan &plan);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_PLANTEXT_H
