//===- RangeCells.h - What one sees of a tensor at a glance -----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_RANGECELLS_H
#define INLAY_LIB_PIPELINE_RANGECELLS_H

#include "inlay/Report/Cell.h"
#include "inlay/Tensor/HostTensor.h"

namespace inlay {

/// The range of a tensor's numbers; empty cells where it has none. NaNs count
/// in the mean only.
struct RangeCells {
  Cell min = Cell::none(), max = Cell::none(), mean = Cell::none();
};
RangeCells measureRange(const HostTensor &tensor);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_RANGECELLS_H
