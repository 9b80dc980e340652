//===- EmitKernel.cpp - The template of a step ----------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExpandedStep.h"
#include "Templates.h"

using namespace inlay;
using namespace mlir;

/// In the order in which they are asked.
static constexpr Template templates[] = {emitElements, emitRows, emitWindows};

static std::optional<int64_t> askTemplates(const KernelBody &body,
                                           const TemplateTarget &target) {
  for (Template emit : templates)
    if (std::optional<int64_t> extent = emit(body, target))
      return extent;
  return std::nullopt;
}

std::optional<KernelCode> inlay::emitKernel(Operation *step, ModuleOp module,
                                            StringRef name,
                                            const VectorUnit &unit) {
  std::optional<KernelBody> body = KernelBody::get(step);
  if (!body || body->results.empty())
    return std::nullopt;
  TemplateTarget target{module, name, unit};
  if (std::optional<int64_t> extent = askTemplates(*body, target))
    return KernelCode{name.str(), body->reads, body->results, *extent};
  std::optional<ExpandedStep> expanded = ExpandedStep::get(step);
  if (!expanded)
    return std::nullopt;
  if (std::optional<int64_t> extent = askTemplates(expanded->getBody(), target))
    return KernelCode{name.str(), SmallVector<Value>(expanded->getReads()),
                      SmallVector<Value>(expanded->getResults()), *extent};
  return std::nullopt;
}
