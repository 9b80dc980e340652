//===- VerifyKernels.h - What must hold of kernels --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_KERNELFUSION_VERIFYKERNELS_H
#define INLAY_KERNELFUSION_VERIFYKERNELS_H

#include "inlay/KernelFusion/KernelPlan.h"
#include "llvm/Support/Error.h"

namespace inlay {

/// An error unless
///
///   * every node is in one kernel, and kernels and their nodes are in order;
///   * every kernel of several nodes is one as docs/RationaleKernels.md defines
///     it, by the rules that the target has not switched off;
///   * every limit holds;
///   * there is an order in which the kernels can run;
///   * the plan's traffic is what its kernels read and write, and its bound is
///     not above it.
///
/// It shares neither rules nor tables nor the count of bytes with what makes
/// plans.
llvm::Error verifyKernels(const KernelGraph &graph, const KernelTarget &target,
                          const KernelPlan &plan);

/// An error unless `nodes`, which ascend, are one kernel. Whether something
/// outside stands between them is not asked here.
llvm::Error verifyKernel(const KernelGraph &graph, const KernelTarget &target,
                         llvm::ArrayRef<unsigned> nodes);

/// What the kernels read and write, counted value by value: each is written
/// once if somebody outside of its kernel uses it, and read once by each other
/// kernel that does.
KernelTraffic countTraffic(const KernelGraph &graph,
                           llvm::ArrayRef<unsigned> kernelOf);

} // namespace inlay

#endif // INLAY_KERNELFUSION_VERIFYKERNELS_H
