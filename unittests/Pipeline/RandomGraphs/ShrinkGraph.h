//===- ShrinkGraph.h - The least part of a graph that fails -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_SHRINKGRAPH_H
#define INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_SHRINKGRAPH_H

#include "GraphGenerator.h"

namespace inlay::testing {

/// Drops outputs and replaces operations by inputs for as long as `fails`.
RandomGraph shrinkGraph(RandomGraph graph,
                        llvm::function_ref<bool(const RandomGraph &)> fails);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_SHRINKGRAPH_H
