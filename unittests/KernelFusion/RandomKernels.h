//===- RandomKernels.h - Random graphs of basic operators -------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_KERNELFUSION_RANDOMKERNELS_H
#define INLAY_UNITTESTS_KERNELFUSION_RANDOMKERNELS_H

#include "inlay/KernelFusion/KernelPlan.h"

namespace inlay {

struct RandomKernels {
  KernelGraph graph;
  KernelTarget target;
};

/// A graph of `size` operators of all classes with random limits and rules.
RandomKernels makeRandomKernels(uint64_t seed, unsigned size);

/// The least traffic of all ways to make kernels, found by trying all of them
/// and asking the verifier: shares nothing with the strategies.
uint64_t findLeastTraffic(const RandomKernels &random);

} // namespace inlay

#endif // INLAY_UNITTESTS_KERNELFUSION_RANDOMKERNELS_H
