//===- Kernels.h - Kernels of what no pipeline takes ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_PIPELINE_KERNELS_H
#define INLAY_PIPELINE_KERNELS_H

#include "inlay/KernelFusion/KernelPlan.h"

namespace inlay {

struct GraphKernelOptions {
  bool isEnabled = false;
  KernelStrategy strategy = KernelStrategy::Greedy;
  /// Whether kernels are listed, and values between them with their reasons.
  bool describes = true;
};

} // namespace inlay

#endif // INLAY_PIPELINE_KERNELS_H
