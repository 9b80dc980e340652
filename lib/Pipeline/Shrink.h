//===- Shrink.h - Simpler weights and smaller shapes ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_SHRINK_H
#define INLAY_LIB_PIPELINE_SHRINK_H

#include "Candidate.h"

namespace inlay {

/// Weights of floats that could be simpler, by name: not one number all over,
/// and the same in both models where there are two.
std::vector<std::string> findWeights(const Candidate &candidate);

/// A copy in which every element of a weight is `number`.
Candidate fillWeight(const Candidate &candidate, llvm::StringRef name,
                     double number);

/// The extents above 1 that inputs and weights have, the largest first.
std::vector<int64_t> findExtents(const Candidate &candidate);

/// A copy in which every dimension of inputs and weights that has this extent
/// has a smaller one; what is behind it is cut off. The rest of the shapes
/// follows, by way of a file in `folder`. Fails where they do not fit.
llvm::Expected<Candidate> shrinkExtent(const Candidate &candidate,
                                       int64_t extent, int64_t smaller,
                                       llvm::StringRef folder);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_SHRINK_H
