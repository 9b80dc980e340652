//===- PipelineCut.h - The steps of a pipeline's text -----------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_PIPELINE_PIPELINECUT_H
#define INLAY_LIB_PIPELINE_PIPELINECUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace inlay {

/// The passes of "builtin.module(A,func.func(B{x=1}),C)", each with its options
/// and what it is nested in.
std::vector<std::string> splitPipeline(llvm::StringRef text);
/// The other way round.
std::string joinPipeline(llvm::ArrayRef<std::string> steps);

/// "inlay-legalize" of "func.func(inlay-legalize{strict=true})"; empty for what
/// is not one pass.
llvm::StringRef getPassName(llvm::StringRef step);

/// How many steps lead up to and through the pass that `spec` names, the first
/// of its name or, "NAME:2", the second. An error (usage) that lists the passes
/// where there is none.
llvm::Expected<size_t> findStop(llvm::ArrayRef<std::string> steps,
                                llvm::StringRef spec);

} // namespace inlay

#endif // INLAY_LIB_PIPELINE_PIPELINECUT_H
