//===- StatsCells.h - Numbers of models as reports show them ----*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_STATSCELLS_H
#define INLAY_LIB_PIPELINE_STATSCELLS_H

#include "inlay/Analysis/ModelStats.h"
#include "inlay/Report/Cell.h"
#include "inlay/Report/Table.h"

namespace inlay {

/// Bytes that transposes move, with a word on those of unknown size.
inline Cell getTransposeBytes(const ModelStats &stats) {
  Cell bytes = Cell::bytes(stats.transposeBytes);
  if (stats.numUnsizedTransposes == 0)
    return bytes;
  return bytes.withText(bytes.getText().str() + " + " +
                        formatCount(stats.numUnsizedTransposes) + " unknown");
}

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_STATSCELLS_H
