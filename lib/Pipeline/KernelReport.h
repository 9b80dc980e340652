//===- KernelReport.h - Kernels in reports ----------------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_KERNELREPORT_H
#define INLAY_LIB_PIPELINE_KERNELREPORT_H

#include "inlay/KernelFusion/KernelResult.h"
#include "inlay/Report/Report.h"

namespace inlay {

/// Totals, and the lists for programs (for people too when `isVerbose`).
void addKernels(const KernelResult &result, Report &report, bool isVerbose);

/// Kernels and the values between them that `node` takes part in, or all.
void explainKernels(const KernelResult &result, llvm::StringRef node,
                    Report &report);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_KERNELREPORT_H
