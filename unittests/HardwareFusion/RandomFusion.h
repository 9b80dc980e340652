//===- RandomFusion.h - Random graphs, and all groups -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_HARDWAREFUSION_RANDOMFUSION_H
#define INLAY_UNITTESTS_HARDWAREFUSION_RANDOMFUSION_H

#include "inlay/HardwareFusion/Fusion.h"
#include <memory>

namespace inlay {

/// A pipeline and a graph of nodes that it takes in random forms.
struct RandomFusion {
  std::unique_ptr<DataFlow> flow;
  DFG graph;
};

/// The same for the same seed, on every machine.
RandomFusion makeRandomFusion(uint64_t seed, unsigned numNodes);

/// The fewest bytes that cross borders, by trying all ways to part the nodes.
uint64_t findLeastBytes(const RandomFusion &fusion);

} // namespace inlay

#endif // INLAY_UNITTESTS_HARDWAREFUSION_RANDOMFUSION_H
