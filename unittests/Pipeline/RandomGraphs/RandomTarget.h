//===- RandomTarget.h - Target files with random pipelines ------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_RANDOMTARGET_H
#define INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_RANDOMTARGET_H

#include "inlay/Target/Target.h"
#include "mlir/IR/BuiltinOps.h"

namespace inlay::testing {

/// A target whose stages take operators of the module, and the file that it was
/// read from. The same for the same seed and operators.
struct RandomTarget {
  Target target;
  std::string text;
};
RandomTarget makeRandomTarget(mlir::ModuleOp module, uint64_t seed);

} // namespace inlay::testing

#endif // INLAY_UNITTESTS_PIPELINE_RANDOMGRAPHS_RANDOMTARGET_H
