//===- BuildArrangement.h - Elements moved as wanted ------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_TRANSFORMS_REWRITE_BUILDARRANGEMENT_H
#define INLAY_LIB_TRANSFORMS_REWRITE_BUILDARRANGEMENT_H

#include "inlay/Analysis/Patterns/Arrangement.h"
#include "mlir/IR/Builders.h"

namespace inlay::rewrites {

/// The tensor of the dimensions `wanted`, of the base's elements without their
/// scale. Only where the arrangement says that it can be built.
mlir::Value buildArrangement(mlir::OpBuilder &builder, mlir::Location loc,
                             const patterns::Arrangement &arrangement,
                             const patterns::Arrangement::Dims &wanted);

} // namespace inlay::rewrites

#endif // INLAY_LIB_TRANSFORMS_REWRITE_BUILDARRANGEMENT_H
