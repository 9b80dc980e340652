//===- EmitKernel.cpp - The template of a step ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Templates.h"

using namespace inlay;
using namespace mlir;

/// In the order in which they are asked.
static constexpr Template templates[] = {emitElements, emitRows};

std::optional<KernelCode> inlay::emitKernel(Operation *step, ModuleOp module,
                                            StringRef name,
                                            const VectorUnit &unit) {
  std::optional<KernelBody> body = KernelBody::get(step);
  if (!body || body->results.empty())
    return std::nullopt;
  for (Template emit : templates)
    if (std::optional<int64_t> extent = emit(*body, {module, name, unit}))
      return KernelCode{name.str(), body->reads, body->results, *extent};
  return std::nullopt;
}
