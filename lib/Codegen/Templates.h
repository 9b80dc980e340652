//===- Templates.h - The loops that kernels are -----------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_CODEGEN_TEMPLATES_H
#define INLAY_LIB_CODEGEN_TEMPLATES_H

#include "KernelBody.h"
#include "inlay/Codegen/KernelCode.h"

namespace inlay {

/// Where a template puts the code that it makes.
struct TemplateTarget {
  mlir::ModuleOp module;
  llvm::StringRef name;
  VectorUnit unit;
  WinogradUse winograd;
  /// See CodeTarget.
  const OpenDims *open = nullptr;
};

/// What a template has made: the turns of the outermost loop, and whether loops
/// over elements that meet end where a length does.
struct TemplateLoops {
  TemplateLoops(int64_t turns, bool endAtLengths = false)
      : turns(turns), endAtLengths(endAtLengths) {}
  int64_t turns;
  bool endAtLengths;
};

/// Nothing where a step is not of its kind; nothing is left in the module then.
using Template = std::optional<TemplateLoops> (*)(const KernelBody &body,
                                                  const TemplateTarget &target);

/// Elements that are moved and computed one by one.
std::optional<TemplateLoops> emitElements(const KernelBody &body,
                                          const TemplateTarget &target);

/// A tensor that is resized, between its elements, to longer lines.
std::optional<TemplateLoops> emitUpsamples(const KernelBody &body,
                                           const TemplateTarget &target);

/// Reductions, and what is computed with them.
std::optional<TemplateLoops> emitRows(const KernelBody &body,
                                      const TemplateTarget &target);

/// Pools, and convolutions of single channels.
std::optional<KernelCode> emitWindows(const KernelBody &body,
                                      const TemplateTarget &target);

/// Running sums and the k best along an axis.
std::optional<TemplateLoops> emitLanes(const KernelBody &body,
                                       const TemplateTarget &target);

/// Elements that are written where indices say.
std::optional<TemplateLoops> emitScatter(const KernelBody &body,
                                         const TemplateTarget &target);

/// A convolution with fewer products than a sum over its taps has, where that
/// is faster. `reason` says why it is or is not, where there was a choice.
std::optional<KernelCode> emitWinograd(const KernelBody &body,
                                       const TemplateTarget &target,
                                       std::string &reason);

/// A product of matrices whose rows' softmaxes are multiplied by another one.
std::optional<KernelCode> emitAttention(const KernelBody &body,
                                        const TemplateTarget &target);

/// One product of matrices, or what is like it, with what is computed in front
/// of it and behind it.
std::optional<KernelCode> emitContraction(const KernelBody &body,
                                          const TemplateTarget &target);

} // namespace inlay

#endif // INLAY_LIB_CODEGEN_TEMPLATES_H
